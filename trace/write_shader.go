package trace

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
)

// shaderState writes what a shader is made from.
func (e *encoder) shaderState(s *pipe.ShaderState, op *pipe.Op) {
	e.arg("state")
	e.begin("pipe_shader_state")
	e.uintMember("type", e.shaderType(s))
	e.member("tokens")
	if s.Tokens == nil {
		e.null()
	} else {
		e.string(s.Tokens)
	}
	e.endMember()
	e.member("ir")
	e.program(s.NIR)
	e.endMember()
	e.member("stream_output")
	if op.Raw != nil && op.Raw.StreamOutput != nil {
		e.streamOutputNumbers(op.Raw.StreamOutput)
	} else {
		e.streamOutput(&s.StreamOutput)
	}
	e.endMember()
	e.end()
	e.endArg()
}

// shaderType is the number that the dialect has for the language of a shader.
// A shader with NIR text is NIR, whatever the number was elsewhere.
func (e *encoder) shaderType(s *pipe.ShaderState) uint32 {
	switch {
	case s.NIR == nil:
		return s.Type
	case e.dialect >= Mesa26_2:
		return 1
	}
	return 2
}

// streamOutput writes a pipe_stream_output_info: numbers of dwords. An output
// whose mask has holes is written as its runs, which num_outputs counts.
func (e *encoder) streamOutput(i *pipe.StreamOutputInfo) {
	e.begin("pipe_stream_output_info")
	e.uintMember("num_outputs", entries(i))
	e.member("stride")
	e.array()
	for _, stride := range i.Stride {
		e.elem()
		e.uint(uint64(stride))
		e.endElem()
	}
	e.endArray()
	e.endMember()
	e.member("output")
	e.array()
	for _, o := range i.Outputs() {
		if o.Mask() == 0 {
			n := o.Numbers()
			e.output(&n)
			continue
		}
		for run := range o.Runs() {
			e.output(&run)
		}
	}
	e.endArray()
	e.endMember()
	e.end()
}

// entries is how many entries of Gallium's form the outputs are.
func entries(i *pipe.StreamOutputInfo) uint32 {
	count := i.NumOutputs
	for _, o := range i.Outputs() {
		if m := o.Mask(); m != 0 {
			// A run begins at each component whose lower neighbour is not in the mask.
			count += uint32(bits.OnesCount8(m&^(m<<1))) - 1
		}
	}
	return count
}

// streamOutputNumbers writes an info that the packed form cannot hold.
func (e *encoder) streamOutputNumbers(n *pipe.StreamOutputNumbers) {
	e.begin("pipe_stream_output_info")
	e.member("num_outputs")
	e.uint(n.NumOutputs)
	e.endMember()
	e.member("stride")
	e.array()
	for _, stride := range n.Stride {
		e.elem()
		e.uint(stride)
		e.endElem()
	}
	e.endArray()
	e.endMember()
	e.member("output")
	e.array()
	for i := range n.Output {
		e.output(&n.Output[i])
	}
	e.endArray()
	e.endMember()
	e.end()
}

func (e *encoder) output(o *pipe.OutputNumbers) {
	e.elem()
	e.begin("")
	e.wideMember("register_index", o.RegisterIndex)
	e.wideMember("start_component", o.StartComponent)
	e.wideMember("num_components", o.NumComponents)
	e.wideMember("output_buffer", o.OutputBuffer)
	e.wideMember("dst_offset", o.DstOffset)
	e.wideMember("stream", o.Stream)
	e.end()
	e.endElem()
}

func (e *encoder) wideMember(name string, v uint64) {
	e.member(name)
	e.uint(v)
	e.endMember()
}

// computeState writes what a compute shader is made from. The memory it needs
// has had three forms.
func (e *encoder) computeState(s *pipe.ComputeState, op *pipe.Op) {
	e.arg("state")
	e.begin("pipe_compute_state")
	e.member("ir_type")
	e.word(s.IRType)
	e.endMember()
	e.member("prog")
	e.program(s.Program)
	e.endMember()
	if e.dialect == Mesa22_3 {
		e.uintMember("req_local_mem", s.StaticSharedMem)
		e.member("req_private_mem")
		e.keptUint(kept(op).Arg("state").Member("req_private_mem"))
		e.endMember()
	} else {
		e.uintMember("static_shared_mem", s.StaticSharedMem)
	}
	if e.dialect < Mesa26_2 {
		e.uintMember("req_input_mem", s.ReqInputMem)
	}
	e.end()
	e.endArg()
}
