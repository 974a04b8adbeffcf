package shader

import (
	"bytes"
	"strconv"
	"strings"
)

// tgsiSemantic splits "GENERIC[3]" into its name and index.
func tgsiSemantic(s string) (name string, index int) {
	name, rest, ok := strings.Cut(s, "[")
	if ok {
		index, _ = strconv.Atoi(strings.TrimSuffix(rest, "]"))
	}
	return name, index
}

func tgsiSemanticName(name string, index int) string {
	if name == "" {
		return ""
	}
	return name + "[" + strconv.Itoa(index) + "]"
}

// instruction reads one instruction without its number: "MOV OUT[0].xy, IN[1]".
func (r *tgsiReader) instruction(b []byte) {
	opcode, operands, _ := bytes.Cut(b, []byte(" "))
	r.ended = false
	r.count++
	switch string(opcode) {
	case "END":
		// ENDIF and ENDLOOP cut short look like END.
		r.sawEnd, r.ended = true, true
	case "ENDSUB":
		r.ended = r.sawEnd
	case "KILL", "KILL_IF", "KIL", "KILP":
		r.o.Discards = Yes
	case "EMIT":
		r.emit(operands)
	case "CAL":
		// Subroutines stand behind END, each up to its ENDSUB.
		if label, ok := smallNumber(bytes.TrimPrefix(operands, []byte(":")), 1<<20); ok {
			r.called = max(r.called, label)
		}
	case "IF", "UIF", "ELSE", "ENDIF", "BGNLOOP", "ENDLOOP", "BGNSUB", "RET", "BRK", "BREAKC", "CONT",
		"SWITCH", "CASE", "DEFAULT", "ENDSWITCH", "ENDPRIM", "NOP", "MEMBAR", "BARRIER":
	case "STORE":
		if !bytes.HasPrefix(operands, []byte("MEMORY")) {
			r.o.SideEffects = Yes
		}
	default:
		if bytes.HasPrefix(opcode, []byte("ATOM")) {
			r.o.SideEffects = Yes
		}
		r.destinations(opcode, operands)
	}
}

// destinations notes the outputs that an instruction with a result writes.
func (r *tgsiReader) destinations(opcode, operands []byte) {
	two := bytes.HasPrefix(opcode, []byte("DFRACEXP"))
	if !two && !bytes.HasPrefix(operands, []byte("OUT[")) {
		return
	}
	first, rest := tgsiItem(operands)
	r.write(first)
	if two {
		second, _ := tgsiItem(rest)
		r.write(second)
	}
}

// write notes a store to an operand such as OUT[1].xy, OUT[ADDR[0].x+1](2) or
// OUT[ADDR[0].x][3], where the last bracket is the register.
func (r *tgsiReader) write(operand []byte) {
	if !bytes.HasPrefix(operand, []byte("OUT[")) {
		return
	}
	d := operand[3:]
	var index []byte
	for len(d) > 0 && d[0] == '[' {
		end := closing(d)
		if end < 0 {
			r.odd = true
			return
		}
		index, d = d[1:end], d[end+1:]
	}
	array := 0
	if len(d) > 0 && d[0] == '(' {
		end := bytes.IndexByte(d, ')')
		if end < 0 {
			r.odd = true
			return
		}
		array, _ = smallNumber(d[1:end], 1<<16)
		d = d[end+1:]
	}
	mask, _ := tgsiMask(d)
	register, direct := smallNumber(index, 1<<16)
	found := false
	for i := range r.o.List {
		out := &r.o.List[i]
		switch {
		case direct && out.DriverLocation == register:
			out.Written |= mask
			found = true
		case !direct && (array == 0 || r.arrays[i] == array):
			out.MaybeWritten |= mask
			found = true
		}
	}
	r.odd = r.odd || !found
}

// closing returns the index of the bracket that closes the one at d[0].
func closing(d []byte) int {
	depth := 0
	for i, c := range d {
		switch c {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// emit notes the stream of EMIT; its operand is an immediate, or missing in
// texts from before streams.
func (r *tgsiReader) emit(operand []byte) {
	if len(operand) == 0 {
		r.o.EmittedStreams |= 1
		return
	}
	index, swizzle, ok := bytes.Cut(bytes.TrimPrefix(operand, []byte("IMM[")), []byte("]."))
	i, isNumber := smallNumber(index, 1<<16)
	if ok && isNumber && len(swizzle) > 0 && i < len(r.immediates) && r.immediates[i].known {
		if c := bytes.IndexByte([]byte("xyzw"), swizzle[0]); c >= 0 && r.immediates[i].values[c] < 4 {
			r.o.EmittedStreams |= 1 << r.immediates[i].values[c]
			return
		}
	}
	r.odd = true
}
