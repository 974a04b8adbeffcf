package audit

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// zeroing is what one side remembers of earlier creates, to say where a stale
// value came from.
type zeroing struct {
	strides map[strideKey]origin
	outputs map[outputKey]origin
	// dirty are the infos that were reported above: below they are not the fault
	// of a layer.
	dirty map[dirtyKey]bool
}

type strideKey struct {
	buffer int
	dwords uint16
}

// outputKey is a value of a member of an output.
type outputKey struct {
	output, member int
	value          uint64
}

// members returns the values of an output: the word, and then one by one what it
// holds.
func members(o pipe.StreamOutput) [6]uint64 {
	return [...]uint64{uint64(o), uint64(o.Register()), uint64(o.Mask()), uint64(o.Buffer()), uint64(o.DstOffset()), uint64(o.Stream())}
}

// origin is a create that a value was last seen in.
type origin struct {
	call   uint64
	method string
}

type dirtyKey struct {
	stage      pipe.Stage
	numOutputs uint32
	stride     [pipe.MaxStreamOutputBuffers]uint16
	output     [pipe.MaxStreamOutputs]pipe.StreamOutput
}

// checkZeroing looks at the info of a shader create. A create that was read from
// a trace shows no tail and no stale outputs: what is not there is zero.
func (t *Taps) checkZeroing(s Side, op *pipe.Op, n uint64) {
	create, ok := op.Call.(*pipe.CreateShader)
	if !ok {
		return
	}
	_, method := op.Call.Name()
	info := &create.State.StreamOutput
	z := &t.sides[s].zeroing
	if f := z.judge(create.Stage, info); f != nil && t.firstSeen(s, create.Stage, info) {
		f.Side, f.Call, f.Method = s, n, method
		t.report.add(*f)
	}
	z.remember(info, origin{n, method})
}

// firstSeen says whether a side is the first to show the info.
func (t *Taps) firstSeen(s Side, stage pipe.Stage, info *pipe.StreamOutputInfo) bool {
	above := &t.sides[Above].zeroing
	key := dirtyKey{stage, info.NumOutputs, info.Stride, info.Output}
	if s == Below {
		return !above.dirty[key]
	}
	if above.dirty == nil {
		above.dirty = make(map[dirtyKey]bool)
	}
	above.dirty[key] = true
	return true
}

// judge returns what is wrong with an info, nil when nothing is.
func (z *zeroing) judge(stage pipe.Stage, info *pipe.StreamOutputInfo) *Finding {
	if info.NumOutputs > 0 {
		if !stage.CanStreamOut() {
			return &Finding{Rule: RuleWrongStage, Severity: streamout.Error, Path: "stream_output.num_outputs",
				Message: fmt.Sprintf("num_outputs of a %v shader is %d, which never streams out; 0 would be right", stage, info.NumOutputs)}
		}
		return z.judgeTail(info, RuleTailNotZero)
	}
	if f := z.judgeTail(info, RuleStaleWhenEmpty); f != nil {
		return f
	}
	for b, stride := range info.Stride {
		if stride == 0 {
			continue
		}
		f := &Finding{Rule: RuleStaleWhenEmpty, Severity: streamout.Warning, Path: fmt.Sprintf("stream_output.stride[%d]", b)}
		f.Message = fmt.Sprintf("num_outputs is 0, but stride[%d] of a %v shader is %s", b, stage, dwords(stride))
		before, stale := z.strides[strideKey{b, stride}]
		switch {
		case stale:
			f.Message += before.String()
		case stage.CanStreamOut():
			f.Severity = streamout.Note // a lone xfb_stride, which is legal
		}
		return f
	}
	return nil
}

// judgeTail looks behind the last output.
func (z *zeroing) judgeTail(info *pipe.StreamOutputInfo, rule string) *Finding {
	for i := len(info.Outputs()); i < len(info.Output); i++ {
		o := info.Output[i]
		if o == 0 {
			continue
		}
		f := &Finding{Rule: rule, Severity: streamout.Warning, Path: fmt.Sprintf("stream_output.output[%d]", i)}
		f.Message = fmt.Sprintf("num_outputs is %d, but output[%d] is not zero: register_index %d, mask %04b, output_buffer %d, dst_offset %s, stream %d",
			info.NumOutputs, i, o.Register(), o.Mask(), o.Buffer(), dwords(uint64(o.DstOffset())), o.Stream())
		for member, value := range members(o) {
			if before, stale := z.outputs[outputKey{i, member, value}]; stale && value != 0 {
				f.Message += before.String()
				break
			}
		}
		return f
	}
	return nil
}

// String says where a value was before.
func (o origin) String() string { return fmt.Sprintf(", as in %s, call %d", o.method, o.call) }

// remember keeps what the used part of an info holds.
func (z *zeroing) remember(info *pipe.StreamOutputInfo, at origin) {
	if info.NumOutputs == 0 {
		return
	}
	if z.strides == nil {
		z.strides, z.outputs = make(map[strideKey]origin), make(map[outputKey]origin)
	}
	for b, stride := range info.Stride {
		if stride != 0 {
			z.strides[strideKey{b, stride}] = at
		}
	}
	for i, o := range info.Outputs() {
		for member, value := range members(o) {
			if value != 0 {
				z.outputs[outputKey{i, member, value}] = at
			}
		}
	}
}
