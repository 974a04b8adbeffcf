package dump

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

type layoutJSON struct {
	Schema  string             `json:"schema"`
	Type    string             `json:"type"`
	Trace   string             `json:"trace,omitempty"`
	Call    Uint               `json:"call"`
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

// LayoutJSON writes a shader's layout as an object of type "layout".
func LayoutJSON(w io.Writer, traceName string, call uint64, shader pipe.Handle, l *streamout.Layout) error {
	o := layoutJSON{Schema, "layout", traceName, Uint(call), l.Stage.String(), Address(shader), []bufferLayoutJSON{}}
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

// LayoutText writes a shader's layout as a table: one line for each output and
// gap of each buffer.
func LayoutText(w io.Writer, traceName string, line int, call uint64, shader pipe.Handle, l *streamout.Layout, p Palette) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:%d: call %d: %s shader %s\n", traceName, line, call, p.Strong(l.Stage.String()), shader)
	for _, buffer := range l.Buffers {
		bufferText(&b, &buffer, p)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func bufferText(b *strings.Builder, buffer *streamout.BufferLayout, p Palette) {
	fmt.Fprintf(b, "  buffer %d: stride %d B, outputs end at %d B\n", buffer.Buffer, buffer.Stride, buffer.Extent)
	width := len(fmt.Sprint(max(buffer.Stride, buffer.Extent)))
	for i := range buffer.Cells {
		c := &buffer.Cells[i]
		fmt.Fprintf(b, "    %*d..%-*d ", width, c.Offset, width, c.Offset+c.Size-1)
		if c.Gap() {
			fmt.Fprintf(b, "%s\n", p.Dim(fmt.Sprintf("gap of %d B", c.Size)))
			continue
		}
		name := c.Name
		if name == "" {
			name = c.Semantic
		}
		if name == "" {
			name = fmt.Sprintf("register %d", c.Register)
		}
		fmt.Fprintf(b, "%s.%s (output %d, register %d, stream %d)%s\n", p.Name(printable(name)), c.Components(),
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
