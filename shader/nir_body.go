package shader

import "bytes"

// nirConstants are the scalar load_const of a function. Few are ever asked for,
// so they are indexed when the first question comes.
type nirConstants struct {
	list    []nirConstant
	index   map[uint32]uint32
	indexed int
}

type nirConstant struct{ id, value uint32 }

func (c *nirConstants) reset() { *c = nirConstants{list: c.list[:0]} }

func (c *nirConstants) value(id uint32) (v uint32, ok bool) {
	if c.index == nil {
		c.index = make(map[uint32]uint32)
	}
	for _, k := range c.list[c.indexed:] {
		c.index[k.id] = k.value
	}
	c.indexed = len(c.list)
	v, ok = c.index[id]
	return v, ok
}

// bodyLine reads one line of a function.
func (r *nirReader) bodyLine(line []byte) {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	s := line[i:]
	if len(s) == 0 {
		return
	}
	switch s[0] {
	case '}':
		if i == 0 {
			r.inBody, r.bodyDone = false, true
		}
		return
	case '@':
		r.intrinsic(s[1:])
		return
	case '/': // comment
		return
	}
	switch {
	case bytes.HasPrefix(s, []byte("intrinsic ")):
		r.intrinsic(s[len("intrinsic "):])
		return
	case bytes.HasPrefix(s, []byte("block b")):
		if !bytes.HasPrefix(s, []byte("block block_")) {
			r.o.Dialect = NIRPercent
		}
		return
	case bytes.HasPrefix(s, []byte("call ")):
		// The callee may be handed a pointer to an output. Drivers get shaders with
		// everything inlined, so calls are not followed.
		r.maybeAny = true
		return
	}
	if eq := bytes.IndexByte(s, '='); eq > 0 && eq+2 < len(s) {
		r.assignment(s[:eq], s[eq+2:])
	}
}

// assignment reads "32x4 %1 = rhs".
func (r *nirReader) assignment(lhs, rhs []byte) {
	switch rhs[0] {
	case '@':
		r.intrinsic(rhs[1:])
	case '(':
		r.texture(rhs)
	case 'i':
		if name, ok := bytes.CutPrefix(rhs, []byte("intrinsic ")); ok {
			r.intrinsic(name)
		}
	case 'd':
		if bytes.HasPrefix(rhs, []byte("deref_")) {
			r.deref(lhs, rhs)
		}
	case 'l':
		if value, ok := bytes.CutPrefix(rhs, []byte("load_const (")); ok {
			r.constant(lhs, value)
		} else {
			r.texture(rhs)
		}
	case 't', 'q', 's':
		r.texture(rhs)
	}
}

// constant keeps a scalar constant: "0x00000001 = 0.000000)" or "0x00000001)".
func (r *nirReader) constant(lhs, b []byte) {
	v, rest, ok := hexNumber(b)
	if !ok || v >= 1<<32 || len(rest) == 0 || rest[0] == ',' {
		return
	}
	if id, ok := valueID(lastWord(lhs)); ok {
		r.consts.list = append(r.consts.list, nirConstant{id, uint32(v)})
	}
}

func lastWord(b []byte) []byte {
	b = bytes.TrimRight(b, " ")
	return b[bytes.LastIndexByte(b, ' ')+1:]
}

// valueNumber reads "ssa_12" or "%12" at the front.
func valueNumber(b []byte) (id uint32, rest []byte, ok bool) {
	switch {
	case bytes.HasPrefix(b, []byte("%")):
		return number(b[1:])
	case bytes.HasPrefix(b, []byte("ssa_")):
		return number(b[4:])
	}
	return 0, b, false
}

// valueID is valueNumber for pointers, which have no components.
func valueID(b []byte) (id uint32, ok bool) {
	id, _, ok = valueNumber(b)
	return id, ok
}

// argument splits the arguments of an intrinsic, "(%1, %2 (0x0), %3)": it
// returns the first, and what is behind it.
func argument(b []byte) (arg, rest []byte, more bool) {
	depth := 0
	for i, c := range b {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return b[:i], b[i+1:], false
			}
		case ',':
			if depth == 0 {
				return b[:i], bytes.TrimLeft(b[i+1:], " "), true
			}
		}
	}
	return b, nil, false
}

// nthArgument returns argument n, or the last one for n < 0, of what follows an
// intrinsic's name.
func nthArgument(b []byte, n int) []byte {
	b = bytes.TrimLeft(b, " ")
	if len(b) == 0 || b[0] != '(' {
		return nil
	}
	b = b[1:]
	for {
		arg, rest, more := argument(b)
		if n == 0 || n < 0 && !more {
			return arg
		}
		if !more {
			return nil
		}
		n, b = n-1, rest
	}
}

// constantArgument returns the integer that an argument surely is: "%2 (0x1)"
// names it, else the load_const of the value does.
func (r *nirReader) constantArgument(arg []byte) (int, bool) {
	value, inline, ok := bytes.Cut(arg, []byte(" ("))
	if ok {
		if v, rest, ok := hexNumber(inline); ok && string(rest) == ")" {
			return int(v & 0x7fffffff), v < 1<<31
		}
		if inline[len(inline)-1] != ')' {
			return 0, false // a component of a vector
		}
	}
	id, rest, ok := valueNumber(value)
	if !ok || len(rest) > 0 {
		return 0, false
	}
	v, ok := r.consts.value(id)
	return int(v & 0x7fffffff), ok && v < 1<<31
}

// parameter returns what follows "key" (as in "base=") among an intrinsic's
// parameters.
func parameter(b []byte, key string) ([]byte, bool) {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte(key))
		if i < 0 {
			return nil, false
		}
		at += i + len(key)
		if before := at - len(key) - 1; before < 0 || b[before] == '(' || b[before] == ' ' {
			return b[at:], true
		}
	}
}

func numberParameter(b []byte, key string) (int, bool) {
	p, ok := parameter(b, key)
	if !ok {
		return 0, false
	}
	v, _, ok := number(p)
	return int(v & 0x7fffffff), ok && v < 1<<31
}

// maskParameter reads wrmask=xyz.
func maskParameter(b []byte) (mask uint32, ok bool) {
	p, ok := parameter(b, "wrmask=")
	if !ok {
		return 0, false
	}
	wide := false
	for _, c := range p {
		i := componentIndex(c)
		if i < 0 {
			break
		}
		wide = wide || c <= 'p'
		mask |= 1 << i
	}
	return mask, !wide && mask != 0
}

// parameters drops the trailing comment, which holds names.
func parameters(b []byte) []byte {
	if i := bytes.Index(b, []byte(")  // ")); i >= 0 {
		return b[:i+1]
	}
	if i := bytes.Index(b, []byte(")\t/* ")); i >= 0 {
		return b[:i+1]
	}
	return b
}
