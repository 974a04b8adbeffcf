package gl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

const (
	nextBuffer     = "gl_NextBuffer"
	skipComponents = "gl_SkipComponents"

	// maxVaryings is how long a list may be; no limit of a device comes near it.
	maxVaryings = 4096
)

// listed is an entry of the list.
type listed struct {
	name string // as it was given
	next bool   // gl_NextBuffer
	skip int    // gl_SkipComponents: dwords

	base      string // without the subscript
	subscript int    // -1 for none
}

func parseListed(name string) listed {
	v := listed{name: name, base: name, subscript: -1}
	if name == nextBuffer {
		v.next = true
		return v
	}
	if n, ok := strings.CutPrefix(name, skipComponents); ok && len(n) == 1 && n[0] >= '1' && n[0] <= '4' {
		v.skip = int(n[0] - '0')
		return v
	}
	inside, subscripted := strings.CutSuffix(name, "]")
	if i := strings.LastIndexByte(inside, '['); subscripted && i >= 0 {
		if n, err := strconv.ParseUint(inside[i+1:], 10, 31); err == nil {
			v.base, v.subscript = name[:i], int(n)
		}
	}
	return v
}

// variable says whether the entry captures one.
func (v *listed) variable() bool { return !v.next && v.skip == 0 }

// list lays out the varyings of list mode.
func (l *linker) list() {
	if len(l.Varyings) == 0 {
		return
	}
	if len(l.Varyings) > maxVaryings {
		l.Break("", "%d varyings are listed, at most %d are read", len(l.Varyings), maxVaryings)
		return
	}
	if !l.stage.CanStreamOut() || l.stage == pipe.TessCtrl {
		l.Break("so-gl-no-stage", "varyings are listed, but a %s shader is none of vertex, tess_eval, geometry", l.stage)
		return
	}
	var entries []listed
	for _, name := range l.Varyings {
		entries = append(entries, parseListed(name))
	}
	l.checkList(entries)
	if l.Mode == Separate {
		l.separate(entries)
	} else {
		l.interleaved(entries)
	}
}

// checkList checks what needs no layout.
func (l *linker) checkList(entries []listed) {
	seen := make(map[string][]int) // subscripts by base
	next := 0
	for i := range entries {
		v := &entries[i]
		if v.next {
			next++
		}
		if !v.variable() {
			if l.Mode == Separate {
				l.Break("so-gl-special-mode", "%s is listed in separate mode", v.name)
			}
			continue
		}
		before := seen[v.base]
		if slices.Contains(before, v.subscript) {
			l.Break("so-gl-duplicate", "%s is listed twice", v.name)
		} else if len(before) > 0 && (v.subscript < 0 || slices.Contains(before, -1)) {
			l.Break("so-gl-element-and-whole", "%s is listed as a whole and by element: the same data are captured twice", v.base)
		}
		seen[v.base] = append(before, v.subscript)
	}
	if next > 0 && next >= l.Limits.Buffers && l.Mode != Separate {
		l.Break("so-gl-next-buffer-count", "gl_NextBuffer is listed %d times, at most %d with %d buffers", next, l.Limits.Buffers-1, l.Limits.Buffers)
	}
	if l.Mode == Separate && len(entries) > l.Limits.Buffers {
		l.Break("so-gl-separate-count", "%d varyings are listed, at most %d", len(entries), l.Limits.Buffers)
	}
}

// find returns what an entry captures, false when it captures nothing.
func (l *linker) find(v *listed) (capture, bool) {
	at := func(name string) int {
		return slices.IndexFunc(l.outputs, func(o frontend.Output) bool { return o.Name == name })
	}
	c := capture{name: v.name}
	// An array of arrays has an output for each inner array, named as an element.
	if c.index = at(v.name); c.index >= 0 {
		c.elements = l.outputs[c.index].Length()
		return c, true
	}
	if c.index = at(v.base); c.index < 0 || v.subscript < 0 {
		l.Break("so-gl-unknown-varying", "%s is no output of the %s shader", v.name, l.stage)
		return c, false
	}
	o := &l.outputs[c.index]
	switch {
	case !o.IsArray():
		l.Break("so-gl-subscript", "%s has a subscript, but %s is no array", v.name, v.base)
		return c, false
	case v.subscript >= o.Length():
		l.Break("so-gl-subscript", "%s is beyond the array of %d", v.name, o.Length())
		return c, false
	}
	c.element, c.elements = v.subscript, 1
	return c, true
}

// separate captures each varying into a buffer of its own.
func (l *linker) separate(entries []listed) {
	for i := range entries {
		c, ok := capture{}, entries[i].variable()
		if ok {
			c, ok = l.find(&entries[i])
		}
		if !ok {
			continue
		}
		if n := l.dwords(&c); n > l.Limits.SeparateComponents {
			l.Break("so-gl-separate-comps", "%s has %d components, at most %d in separate mode", c.name, n, l.Limits.SeparateComponents)
			continue
		}
		c.buffer = i
		l.store(&c)
	}
}

// interleaved captures varyings one behind the other.
func (l *linker) interleaved(entries []listed) {
	buffer, stride := 0, 0
	var first *capture // of the buffer
	end := func() {
		if first == nil {
			l.Break("so-gl-empty-buffer", "buffer %d captures no variable: nothing need be bound to it", buffer)
		}
		l.setStride(buffer, stride)
	}
	for i := range entries {
		v := &entries[i]
		switch {
		case v.next:
			end()
			buffer, stride, first = buffer+1, 0, nil
			continue
		case v.skip > 0:
			stride += v.skip
			continue
		}
		c, ok := l.find(v)
		if !ok {
			continue
		}
		c.buffer, c.dst = buffer, stride
		if first == nil {
			first = &c
		} else if s, t := l.stream(first), l.stream(&c); s != t {
			l.Break("so-gl-stream-mix", "buffer %d captures %s of stream %d and %s of stream %d", buffer, first.name, s, c.name, t)
		}
		if stride += l.dwords(&c); stride > l.Limits.InterleavedComponents {
			l.Break("so-gl-interleaved-comps", "%s ends at component %d of buffer %d, at most %d", c.name, stride, buffer, l.Limits.InterleavedComponents)
			continue
		}
		l.store(&c)
	}
	end()
}

// store emits a varying of the list.
func (l *linker) store(c *capture) {
	if l.output(c).Type.Bits == 64 && c.dst%2 != 0 {
		l.Break("so-gl-double-list", "%s has 64-bit components and lies at dw %d (byte %d), no multiple of 8 bytes", c.name, c.dst, 4*c.dst)
	}
	end := l.emit(c)
	l.setStride(c.buffer, end)
}

// setStride sets the stride of a buffer that Gallium has.
func (l *linker) setStride(buffer, dwords int) {
	if buffer < len(l.Stride) {
		l.Stride[buffer] = max(l.Stride[buffer], dwords)
	}
}
