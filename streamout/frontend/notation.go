package frontend

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// Notation spells an info on one line: each output as
// (register,start,count,bN,dst_offset,stream), then the strides, all in dwords.
func Notation(i *pipe.StreamOutputInfo) string {
	var b strings.Builder
	for _, o := range i.Numbers().Output {
		fmt.Fprintf(&b, "(%d,%d,%d,b%d,%d,%d)", o.RegisterIndex, o.StartComponent, o.NumComponents, o.OutputBuffer, o.DstOffset, o.Stream)
	}
	fmt.Fprintf(&b, "{%d,%d,%d,%d}", i.Stride[0], i.Stride[1], i.Stride[2], i.Stride[3])
	return b.String()
}
