package frontend

import (
	"strconv"
	"strings"
)

// InstanceBuffer returns the buffer of output i, given the byte offset by which
// it is captured. Each instance of an arrayed block goes to the buffer behind
// that of the instance before it. Where the members of all instances repeat the
// XfbBuffer and the offset of the first, as a declaration has one of each for
// all, the buffer of a later instance is counted on.
func InstanceBuffer(outputs []Output, i int, offset Number) int {
	o := &outputs[i]
	buffer := o.XfbBuffer.Or(0)
	block := o.Block()
	array, index, ok := strings.Cut(strings.TrimSuffix(block, "]"), "[")
	n, err := strconv.Atoi(index)
	if !ok || err != nil || n <= 0 || n > MaxArray || !offset.Given() {
		return buffer
	}
	first := array + "[0]" + strings.TrimPrefix(o.Name, block)
	for k := range outputs {
		f := &outputs[k]
		if f.Name == first && f.XfbBuffer == o.XfbBuffer && f.XfbOffset == o.XfbOffset && f.Offset == o.Offset {
			return buffer + n
		}
	}
	return buffer
}
