package dump

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

type layoutJSON struct {
	placeJSON
	Stage   string             `json:"stage"`
	Handle  Address            `json:"handle"`
	Buffers []bufferLayoutJSON `json:"buffers"`
}

type bufferLayoutJSON struct {
	Buffer  int        `json:"buffer"`
	Stride  Uint       `json:"strideBytes"`
	Extent  Uint       `json:"extentBytes"`
	Outputs []cellJSON `json:"outputs"`
}

type cellJSON struct {
	Output     int    `json:"output"`
	Register   int    `json:"register"`
	Name       string `json:"name"`
	Components string `json:"components"`
	Offset     Uint   `json:"offsetBytes"`
	Size       Uint   `json:"sizeBytes"`
	Stream     int    `json:"stream"`
}

// LayoutJSON writes the layout of the shader that an operation made as an object
// of type "layout".
func LayoutJSON(w io.Writer, traceName string, op *pipe.Op, l *streamout.Layout) error {
	o := layoutJSON{placeOf("layout", traceName, op), l.Stage.String(), Address(op.Ret.Handle), []bufferLayoutJSON{}}
	for _, b := range l.Buffers {
		buffer := bufferLayoutJSON{b.Buffer, Uint(b.Stride), Uint(b.Extent), []cellJSON{}}
		for i := range b.Cells {
			if c := &b.Cells[i]; !c.Gap() {
				buffer.Outputs = append(buffer.Outputs, cellJSON{c.Output, c.Register, c.Name, c.Components(),
					Uint(c.Offset), Uint(c.Size), c.Stream})
			}
		}
		o.Buffers = append(o.Buffers, buffer)
	}
	return WriteJSON(w, o)
}

// LayoutText writes a shader's layout for people: of each buffer a map of its
// bytes, and a line for each output.
func LayoutText(w io.Writer, traceName string, line int, call uint64, shader pipe.Handle, l *streamout.Layout, p Palette) error {
	width := p.columns()
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: call %d: %s shader %s\n", traceName, line, call, p.Strong(l.Stage.String()), shader)
	for i := range l.Buffers {
		bufferText(&b, &l.Buffers[i], p, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func bufferText(b *strings.Builder, buffer *streamout.BufferLayout, p Palette, width int) {
	fmt.Fprintf(b, "\n  %s: stride %d B (%d dw), outputs end at %d B\n", p.Strong(fmt.Sprintf("buffer %d", buffer.Buffer)),
		buffer.Stride, buffer.Stride/4, buffer.Extent)
	newVertexMap(buffer, p).write(b, width)
	digits := len(fmt.Sprint(max(buffer.Stride, buffer.Extent)))
	for i := range buffer.Cells {
		c := &buffer.Cells[i]
		place := fmt.Sprintf("%*d..%d", digits, c.Offset, c.Offset+max(c.Size, 1)-1)
		fmt.Fprintf(b, "    %-*s  ", 2*digits+2, place)
		if c.Gap() {
			fmt.Fprintf(b, "%s\n", p.Dim(fmt.Sprintf("gap of %d B", c.Size)))
			continue
		}
		fmt.Fprintf(b, "%s.%s  output %d, register %d, stream %d%s\n", p.Name(cellName(c)), c.Components(),
			c.Output, c.Register, c.Stream, cellMarks(c))
	}
}

// cellMarks names what is wrong with the place of an output.
func cellMarks(c *streamout.Cell) string {
	marks := ""
	if c.Overlaps {
		marks += ", overlaps"
	}
	if c.BeyondStride {
		marks += ", ends behind the stride"
	}
	if c.MaskBeyondXYZW {
		marks += ", not within xyzw"
	}
	return marks
}
