package vulkan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// Limits are those of VkPhysicalDeviceTransformFeedbackPropertiesEXT. The three
// of data are in bytes; where one is 0 it follows from InterleavedComponents, as
// Gallium's limit follows from them.
type Limits struct {
	frontend.Limits
	BufferDataSize   int `json:"bufferDataSize"`   // end of what is captured of a vertex
	BufferDataStride int `json:"bufferDataStride"` // of a vertex
	StreamDataSize   int `json:"streamDataSize"`   // captured of a vertex of a stream, in all buffers
	// StreamsLinesTriangles says that streams above 0 may have lines and triangles.
	StreamsLinesTriangles bool `json:"streamsLinesTriangles"`
}

// Shader is the last entry point before rasterization: its outputs and how it
// runs.
type Shader struct {
	Stage   frontend.Stage    `json:"stage"`
	Outputs []frontend.Output `json:"outputs"`
	// Xfb is set to false when the entry point lacks the Xfb execution mode.
	Xfb *bool `json:"xfb"`
	// Topology is what a geometry shader puts out; points when empty.
	Topology string `json:"topology"`
	Limits   Limits `json:"limits"`
	// RasterizationStream is that of the pipeline.
	RasterizationStream frontend.Number `json:"rasterizationStream"`
}

// NewShader returns a shader without outputs, of the default limits.
func NewShader() *Shader {
	return &Shader{Limits: Limits{Limits: frontend.DefaultLimits()}}
}

// ParseShader reads the shader of a JSON case. The error is a *frontend.Error.
func ParseShader(line []byte) (*Shader, error) {
	s := NewShader()
	if err := frontend.ReadLine(line, s); err != nil {
		return nil, err
	}
	return s, nil
}

// translator is the work on one shader.
type translator struct {
	frontend.Builder
	*Shader
	stage     pipe.Stage
	outputs   []frontend.Output
	registers *frontend.Registers
}

// Translate lays out what a shader captures. The error is a *frontend.Error
// with the first rule that is broken.
func Translate(s *Shader) (*frontend.Translation, error) {
	t := &translator{Shader: s}
	var err error
	if t.outputs, err = frontend.Expand(s.Outputs); err != nil {
		return nil, &frontend.Error{Message: err.Error()}
	}
	for i := range t.outputs {
		if o := &t.outputs[i]; !o.Offset.Given() {
			o.Offset = o.XfbOffset
		}
	}
	t.stage = s.Stage.Or(t.likelyStage())
	if !t.stage.CanStreamOut() {
		return nil, &frontend.Error{Message: fmt.Sprintf("stage is %s, want vertex, tess_eval or geometry", t.stage)}
	}
	if t.registers, err = frontend.NewRegisters(t.outputs, frontend.Options{CombineDistances: true}); err != nil {
		t.Break("", "%v", err)
	}
	if s.RasterizationStream.Or(0) != 0 {
		t.Break("so-vk-raster-stream", "the rasterized stream is %d, and Gallium rasterizes stream 0", s.RasterizationStream.Or(0))
	}
	if s.Xfb != nil && !*s.Xfb {
		if slices.ContainsFunc(t.outputs, func(o frontend.Output) bool { return decorated(&o) }) {
			t.Break("so-vk-no-xfb-mode", "outputs have an XfbBuffer, but the entry point lacks the Xfb execution mode: nothing is captured")
		}
		return t.Finish(t.stage)
	}
	t.checkOutputs()
	t.checkBlocks()
	t.layOut()
	return t.Finish(t.stage)
}

// decorated says whether an output takes part in transform feedback.
func decorated(o *frontend.Output) bool { return o.XfbBuffer.Given() }

// likelyStage is the stage of a shader that does not tell.
func (t *translator) likelyStage() pipe.Stage {
	for i := range t.outputs {
		if t.outputs[i].Stream.Or(0) > 0 {
			return pipe.Geometry
		}
	}
	return pipe.Vertex
}

// capture is an output that goes to a buffer.
type capture struct {
	index  int
	buffer int
	dst    int // dwords
	end    int // dwords
}

func (t *translator) output(c *capture) *frontend.Output { return &t.outputs[c.index] }

// layOut emits the captured outputs, by buffer and offset.
func (t *translator) layOut() {
	var captures []capture
	for i := range t.outputs {
		if o := &t.outputs[i]; o.Offset.Given() && o.XfbBuffer.Given() && o.XfbStride.Given() {
			c := capture{index: i, buffer: frontend.InstanceBuffer(t.outputs, i, o.Offset), dst: o.Offset.Or(0) / 4}
			c.end = c.dst + o.Dwords()
			captures = append(captures, c)
		}
	}
	slices.SortStableFunc(captures, func(a, b capture) int {
		return cmp.Or(cmp.Compare(a.buffer, b.buffer), cmp.Compare(a.dst, b.dst))
	})
	t.checkCaptures(captures)
	for i := range captures {
		c := &captures[i]
		if c.buffer < len(t.Stride) {
			t.Stride[c.buffer] = t.output(c).XfbStride.Or(0) / 4
		}
		t.Use(c.buffer)
		t.emit(c)
	}
}

// emit adds the outputs of a capture. A slot that no output writes is left out.
func (t *translator) emit(c *capture) {
	if t.Broken() {
		return
	}
	o := t.output(c)
	if !o.IsWritten() {
		return
	}
	p := t.registers.Place(c.index)
	if register, ok := t.registers.At(c.index, 0); p.Compact && ok {
		t.AddRun(o.Name, register, p.Component, o.Length(), c.buffer, c.dst, o.Stream.Or(0))
		return
	}
	dst, slot := c.dst, 0
	for range o.Length() * o.Type.Columns {
		if t.Full() {
			return
		}
		left, start := o.Type.Vector(), p.Component
		for left > 0 {
			n := min(left, 4-start)
			if register, ok := t.registers.At(c.index, slot); ok {
				t.Add(o.Name, register, start, n, c.buffer, dst, o.Stream.Or(0))
			}
			dst, slot, left, start = dst+n, slot+1, left-n, 0
		}
	}
}
