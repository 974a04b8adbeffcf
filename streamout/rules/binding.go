package rules

import (
	"fmt"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// binding are the rules over set_stream_output_targets: the call itself, then
// the targets it names, then what its offsets ask of them.
func binding() []*streamout.Rule {
	return []*streamout.Rule{
		soSetNumTargets(),
		soSetNullArrays(),
		soBindCapNone(),
		soTargetDead(),
		soTargetContextDestroyed(),
		soTargetOtherContext(),
		soTargetDuplicate(),
		soTargetResourceOverlap(),
		soTargetResourceShared(),
		soNullTargetHole(),
		soSetOffsetAlign(),
		soSetOffsetRange(),
		soSetOffsetValue(),
		soSetOffsetMixed(),
		soAppendNeverWritten(),
		soRestartReusedTarget(),
		soPauseCap(),
		soRebindRedundant(),
		soResumeWithoutPause(),
		soBindDuringQuery(),
	}
}

// cut says whether the operation is the open last call of a cut trace, whose
// arguments may be missing.
func cut(v *streamout.View) bool { return v.Op.Raw != nil && v.Op.Raw.Cut }

// targetPath and offsetPath are the paths of a slot in the call.
func targetPath(slot int) string { return indexed("targets[0]targets[1]targets[2]targets[3]", slot) }
func offsetPath(slot int) string { return indexed("offsets[0]offsets[1]offsets[2]offsets[3]", slot) }

// indexed cuts the path of a slot out of the row of them all: rules ask for one
// at nearly every call.
func indexed(row string, slot int) string {
	size := len(row) / buffers
	if slot >= buffers {
		return fmt.Sprintf("%s[%d]", row[:size-len("[0]")], slot)
	}
	return row[slot*size : (slot+1)*size]
}

// called is what people call an object, "target#3", once somebody asks. It is not for
// transfers, whose memory the next one takes.
func called(o *state.Object) fmt.Stringer { return name{o} }

type name struct{ of *state.Object }

// Fixed marks name: an object keeps its kind and ordinal.
func (name) Fixed() {}

func (n name) String() string { return n.of.Kind.String() + "#" + strconv.Itoa(n.of.Ordinal) }

// inBytes spells bytes with the dwords that they are: "64 B (16 dw)".
func inBytes(n uint64) string {
	if n%4 != 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%d B (%d dw)", n, n/4)
}

func soSetNumTargets() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-set-num-targets",
		Title:     "more targets than there are slots",
		Severity:  streamout.Error,
		Condition: "num_targets is above 4, above the slots of the driver, or above the number of targets or offsets that are there",
		Why: "the threaded context copies the arrays unchecked, softpipe and llvmpipe write past their four slots, nvc0 and " +
			"freedreno assert, and virglrenderer read past the end of the host's list",
		Fix: "bind at most 4 targets, and give an offset for each",
		Sources: []string{"src/gallium/include/pipe/p_state.h: PIPE_MAX_SO_BUFFERS", "src/gallium/auxiliary/util/u_threaded_context.c: tc_set_stream_output_targets",
			"virglrenderer 64c94695: count of stream output targets"},
		On: streamout.OnSetTargets,
		If: streamout.IfMiscounted,
		Check: func(v *streamout.View) {
			call := v.Op.Call.(*pipe.SetStreamOutputTargets)
			const path = "num_targets"
			slots := v.Caps().Buffers
			switch n := uint64(call.NumTargets); {
			case n > buffers:
				v.Report(path, "num_targets is %d, at most %d", n, buffers)
			case slots.Known && slots.Value > 0 && slots.Below(n):
				v.Report(path, "num_targets is %d, the driver has %d slots", n, slots.Value)
			case cut(v):
			case call.Targets != nil && uint64(len(call.Targets)) < n:
				v.Report(path, "num_targets is %d, but only %d targets are there", n, len(call.Targets))
			case call.Offsets != nil && uint64(len(call.Offsets)) < n:
				v.Report(path, "num_targets is %d, but only %d offsets are there", n, len(call.Offsets))
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.set(0, t, s.fresh(64), s.fresh(64), s.fresh(64), s.fresh(64))
		}),
		Good: play(func(s *scene) { s.set(0, s.fresh(64), s.fresh(64), s.fresh(64), s.fresh(64)) }),
	}
}

func soSetNullArrays() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-set-null-arrays",
		Title:     "targets or offsets are NULL",
		Severity:  streamout.Error,
		Condition: "num_targets is not 0 and the array of targets or of offsets is NULL",
		Why:       "every driver reads one entry of both for each target",
		Fix:       "give both arrays, or 0 for num_targets",
		Sources:   []string{srcContext, "src/gallium/auxiliary/util/u_threaded_context.c: tc_set_stream_output_targets"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfMiscounted,
		Check: func(v *streamout.View) {
			call := v.Op.Call.(*pipe.SetStreamOutputTargets)
			if call.NumTargets == 0 || cut(v) {
				return
			}
			if call.Targets == nil && isNull(v, "tgs", "targets") {
				v.Report("targets", "num_targets is %d, but the targets are NULL", call.NumTargets)
			}
			if call.Offsets == nil && isNull(v, "offsets") {
				v.Report("offsets", "num_targets is %d, but the offsets are NULL", call.NumTargets)
			}
		},
		Bad: play(func(s *scene) {
			s.do(&pipe.SetStreamOutputTargets{NumTargets: 1, Targets: []pipe.Handle{s.fresh(64)}, OutputPrim: pipe.PrimitiveUnknown})
		}),
		Good: play(func(s *scene) { s.unbind() }),
	}
}

// isNull says whether an argument that was read as nothing is NULL, which one
// that a trace does not have is not.
func isNull(v *streamout.View, names ...string) bool {
	if v.Op.Raw == nil || v.Op.Raw.Values == nil {
		return true
	}
	for _, name := range names {
		if x := v.Op.Raw.Values.Arg(name); x.Exists() {
			return x.IsNull()
		}
	}
	return false
}

func soBindCapNone() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-bind-cap-none",
		Title:     "targets for a driver without stream output",
		Severity:  streamout.Error,
		Condition: "num_targets is not 0 and the driver has no slots for targets",
		Why:       "the CSO context asserts, and a driver without stream output leaves the method NULL or empty: nothing is captured",
		Fix:       "ask for PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS before",
		Sources:   []string{"src/gallium/auxiliary/cso_cache/cso_context.c: cso_set_stream_outputs", "docs/gallium/screen.rst: MAX_STREAM_OUTPUT_BUFFERS"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfMiscounted,
		Check: func(v *streamout.View) {
			call := v.Op.Call.(*pipe.SetStreamOutputTargets)
			if call.NumTargets > 0 && v.Caps().Buffers.IsFalse() && !v.Reported("so-set-num-targets") {
				v.Report("num_targets", "num_targets is %d, but the driver has no slots for targets", call.NumTargets)
			}
		},
		Bad: play(func(s *scene) {
			t := s.fresh(64)
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", 0)
			s.set(0, t)
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", 0)
			s.unbind()
		}),
	}
}

// states answers a get_param as the driver of a case.
func (s *scene) states(param string, value uint64) {
	op := &pipe.Op{Call: &pipe.GetParam{Param: param}, Screen: s.c.Screen, Ret: pipe.Result{Value: value, Known: true}}
	s.fault(s.c.Driver.Do(op))
}
