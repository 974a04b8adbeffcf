package dump

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// layoutOf returns the layout of outputs given as register, first component,
// components, buffer, offset.
func layoutOf(stride [4]uint64, outputs ...[5]uint64) *streamout.Layout {
	n := &pipe.StreamOutputNumbers{NumOutputs: uint64(len(outputs)), Stride: stride[:]}
	for _, o := range outputs {
		n.Output = append(n.Output, pipe.OutputNumbers{RegisterIndex: o[0], StartComponent: o[1], NumComponents: o[2], OutputBuffer: o[3], DstOffset: o[4]})
	}
	l := streamout.LayoutOf(pipe.Vertex, n, nil)
	return &l
}

// layoutCases are the pictures that text and SVG are tested with.
func layoutCases() []layoutCase {
	return []layoutCase{
		{"gaps", layoutOf([4]uint64{8}, [5]uint64{1, 0, 3, 0, 1}, [5]uint64{2, 1, 2, 0, 5}), 0},
		{"overlap and an output behind the stride", layoutOf([4]uint64{2}, [5]uint64{1, 0, 2, 0, 0}, [5]uint64{2, 0, 3, 0, 1}), 0},
		{"a vertex that no row has room for", layoutOf([4]uint64{65535}, [5]uint64{1, 0, 4, 0, 0}, [5]uint64{2, 0, 4, 0, 9000}, [5]uint64{3, 0, 4, 0, 9004}), 60},
		{"a stride alone", layoutOf([4]uint64{0, 4}), 0},
		{"outputs without a stride", layoutOf([4]uint64{}, [5]uint64{1, 3, 2, 2, 0}), 0},
	}
}

type layoutCase struct {
	name    string
	layout  *streamout.Layout
	columns int
}

func TestLayoutText(t *testing.T) {
	var b bytes.Buffer
	for _, test := range layoutCases() {
		fmt.Fprintf(&b, "== %s\n", test.name)
		require.NoError(t, LayoutText(&b, "a.xml", 7, 3, 0x10, test.layout, Palette{Columns: test.columns}))
	}
	goldenFile(t, "layout.txt", b.Bytes())
}

func TestLayoutPicture(t *testing.T) {
	var p LayoutPicture
	for _, test := range layoutCases() {
		p.Add(3, 0x10, test.layout)
		p.Add(4, 0x20, test.layout)
	}
	var b bytes.Buffer
	require.NoError(t, p.Write(&b, "<a>.xml"))
	goldenFile(t, "layout.svg", b.Bytes())
	decoder := xml.NewDecoder(&b)
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
}
