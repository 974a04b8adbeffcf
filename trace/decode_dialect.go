package trace

import (
	"bytes"

	"github.com/outflow-gpu/outflow/pipe"
)

// dialect is what a trace has shown of the Mesa that wrote it, as far as its
// calls mean different things for different ones.
type dialect struct {
	// order is how stages are numbered.
	order stageOrder
	// tessellation is true when Mesa knows it: 10.6 and later.
	tessellation bool
	// numbers is true when enumerations are written as numbers: before 22.
	numbers bool
	// index is the index buffer of each context, of Mesa up to 17.1.
	index map[pipe.Handle]indexBuffer
	// buffers are the resources that are buffers, of Mesa up to 12.
	buffers map[pipe.Handle]bool
}

type indexBuffer struct {
	size   uint8
	offset uint32
	buffer pipe.Handle
	user   bool
}

// stageOrder is a way to number the stages of shaders.
type stageOrder uint8

const (
	unknownOrder stageOrder = iota
	pipeOrder               // enum pipe_shader_type before Mesa 22.3
	mesaOrder               // enum gl_shader_stage
)

var pipeStages = [...]pipe.Stage{pipe.Vertex, pipe.Fragment, pipe.Geometry, pipe.TessCtrl, pipe.TessEval, pipe.Compute}

// stage returns the stage that a call names. Always numbered says that every
// Mesa writes it as a number in this call; others write names since 22.
func (f *fields) stage(alwaysNumbered bool) (pipe.Stage, bool) {
	t := &f.d.dialect
	x := f.get("shader")
	if x.Kind() == pipe.EnumValue {
		t.named(x.RawText())
		s, ok := pipe.ParseStage(f.d.intern(x.RawText()))
		return s, ok && s < pipe.NumStages
	}
	n, ok := x.Uint()
	if !ok {
		return 0, false
	}
	if !alwaysNumbered {
		t.numbers = true
	}
	return t.stage(n, alwaysNumbered)
}

// young learns that Mesa is 23.3 or later.
func (t *dialect) young() { t.order = mesaOrder }

// named learns from the name of a stage.
func (t *dialect) named(name []byte) {
	switch {
	case bytes.HasPrefix(name, []byte("MESA_SHADER_")):
		t.order = mesaOrder
	case bytes.HasPrefix(name, []byte("PIPE_SHADER_")):
		t.order = pipeOrder
	}
}

// stage returns the stage of a number, unless it could be several.
func (t *dialect) stage(n uint64, alwaysNumbered bool) (pipe.Stage, bool) {
	switch {
	case t.order == mesaOrder:
		return pipe.Stage(n), n < pipe.NumStages
	case n == 0:
		return pipe.Vertex, true
	case alwaysNumbered && t.order == unknownOrder && !t.numbers:
		return 0, false
	case n >= uint64(len(pipeStages)):
		return 0, false
	case n == 4 || n == 5 || alwaysNumbered:
		// These calls and these stages are younger than tessellation.
		t.tessellation = true
	case n == 3 && !t.tessellation && t.order == unknownOrder:
		// 3 was the compute stage before there was tessellation.
		return 0, false
	}
	return pipeStages[n], true
}

// watch learns from a call that is not decoded.
func (t *dialect) watch(rec *Record, d *Decoder) {
	switch rec.Method {
	case "get_shader_param", "get_compiler_options":
		if t.order != unknownOrder {
			return
		}
		if x := d.values.Arg("shader"); x.Kind() == pipe.EnumValue {
			t.named(x.RawText())
		}
	case "set_index_buffer":
		t.setIndexBuffer(d)
	}
}

// setIndexBuffer keeps what indexed draws of Mesa up to 17.1 read from.
func (t *dialect) setIndexBuffer(d *Decoder) {
	h, _ := d.values.ArgAt(0).Handle()
	x := d.values.Arg("ib")
	if t.index == nil {
		t.index = make(map[pipe.Handle]indexBuffer)
	}
	if x.Kind() != pipe.StructValue {
		delete(t.index, h)
		return
	}
	f := fields{d: d, first: x.First(), at: x.First(), role: pipe.MemberRole, within: "ib", index: -1}
	ib := indexBuffer{size: f.u8("index_size"), offset: f.u32("offset"), buffer: f.handle("buffer")}
	if user := f.handle("user_buffer"); user != 0 {
		ib.buffer, ib.user = user, true
	}
	t.index[h] = ib
}
