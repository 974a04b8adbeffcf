package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

func soSetOffsetAlign() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-set-offset-align",
		Title:     "an offset that is no multiple of 4",
		Severity:  streamout.Error,
		Condition: "an offset is neither a multiple of 4 bytes nor the one that appends",
		Why:       "stream output writes dwords: the writes are misaligned, or land up to 3 bytes before; D3D refuses the call",
		Fix:       "give a multiple of 4 bytes, 0, or 4294967295 to append",
		Sources:   []string{srcContext, "D3D debug layer: DEVICE_SOSETTARGETS_OFFSET_UNALIGNED"},
		On:        streamout.OnSetTargets,
		If:        streamout.IfSeeks,
		Check: func(v *streamout.View) {
			for _, b := range v.Binds {
				if b.HasOffset && !b.Appends() && b.Offset%4 != 0 {
					v.Report(offsetPath(b.Slot), "offset %d B of slot %d is no multiple of 4 B", b.Offset, b.Slot).InBuffer(b.Slot)
				}
			}
		},
		Bad:  play(func(s *scene) { s.set(6, s.fresh(64)) }),
		Good: play(func(s *scene) { s.set(8, s.fresh(64)) }),
	}
}

// longestVertex is what most drivers let a vertex of a buffer take, in bytes:
// 128 components.
const longestVertex = 512

func soSetOffsetRange() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-set-offset-range",
		Title:    "an offset behind the end of the target",
		Severity: streamout.Warning,
		Condition: "an offset is above the target's buffer_size, and is not where stream output has stopped; an error when " +
			"the end of a vertex there is 2^32 or above, which for offsets near that the draw tells",
		Why: "every draw overflows at once and nothing is captured; the draw module adds offset and vertex in 32 bits, so one " +
			"near 2^32 wraps, passes its check, and writes outside of the buffer",
		Fix:     "give an offset in bytes from the target's start, below its size",
		Sources: []string{srcEmit},
		On:      streamout.OnSetTargets | streamout.OnCaptureState,
		If:      streamout.IfSeeks | streamout.IfExact | streamout.IfFirst,
		Check: func(v *streamout.View) {
			if _, ok := v.Op.Call.(*pipe.SetStreamOutputTargets); !ok {
				offsetsAtDraw(v)
				return
			}
			for _, b := range v.SaneBinds {
				t := b.Target
				if !b.HasOffset || b.Appends() || b.Offset <= t.Size || v.ReportedAt(offsetPath(b.Slot), "so-set-offset-align") ||
					ignoresBytes(v) || stoppedAt(t, b.Offset) {
					continue
				}
				if vertex := uint64(4); uint64(b.Offset)+vertex >= 1<<32 {
					reportWrap(v, b.Slot, b.Offset, vertex, t)
				} else if uint64(b.Offset)+longestVertex < 1<<32 {
					reportBehind(v, b.Slot, b.Offset, t)
				}
			}
		},
		Bad:  play(func(s *scene) { s.set(68, s.fresh(64)) }),
		Good: play(func(s *scene) { s.set(pipe.AppendOffset, s.started(64)) }),
	}
}

// offsetsAtDraw looks at the offsets that only wrap with some vertices.
func offsetsAtDraw(v *streamout.View) {
	s := v.Capturing
	if ignoresBytes(v) {
		return
	}
	for b := range buffers {
		slot := &v.Context.Targets[b]
		t, offset := slot.Object, uint64(slot.Offset)
		if !v.Sane(t) || offset%4 != 0 || offset <= uint64(t.Size) || offset+longestVertex < 1<<32 || offset+4 >= 1<<32 {
			continue
		}
		if vertex := uint64(s.Extents[b]) * 4; offset+vertex >= 1<<32 {
			reportWrap(v, b, slot.Offset, vertex, t)
		} else {
			reportBehind(v, b, slot.Offset, t)
		}
	}
}

func reportBehind(v *streamout.View, slot int, offset uint32, t *state.Target) {
	v.Report(offsetPath(slot), "offset %s of slot %d is behind the end of %s at %s", inBytes(uint64(offset)), slot, called(&t.Object), inBytes(uint64(t.Size))).
		InBuffer(slot).With(t.Created, "created here")
}

func reportWrap(v *streamout.View, slot int, offset uint32, vertex uint64, t *state.Target) {
	v.ReportAs(streamout.Error, offsetPath(slot), "offset %s of slot %d and a vertex of %s reach 2^32 B, behind the end of %s at %s",
		inBytes(uint64(offset)), slot, inBytes(vertex), called(&t.Object), inBytes(uint64(t.Size))).
		InBuffer(slot).With(t.Created, "created here")
}

// started makes a target that was bound from its start and unbound again.
func (s *scene) started(size uint32) pipe.Handle {
	t := s.fresh(size)
	s.set(0, t)
	s.unbind()
	return t
}

// ignoresBytes says whether the driver that is checked for does not take an
// offset as bytes, so that it cannot be out of range: so-set-offset-value tells.
func ignoresBytes(v *streamout.View) bool {
	if v.Profile == nil {
		return false
	}
	switch v.Profile.Offsets.Other {
	case pipe.OffsetUnknown, pipe.OffsetSeeksBytes:
		return false
	}
	return true
}

// stoppedAt says whether stream output may have stopped there: a front end that
// keeps the position itself gives it back, and the last vertex of a target may
// end up to a stride behind its end.
func stoppedAt(t *state.Target, offset uint32) bool {
	if t.Fill.Known {
		return t.Fill.Bytes == uint64(offset)
	}
	return uint64(offset) < uint64(t.Size)+uint64(t.CapturedStride)*4
}

func soSetOffsetValue() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-set-offset-value",
		Title:    "an offset that few drivers take",
		Severity: streamout.Warning,
		Drivers: append(on(streamout.Error, "iris", "freedreno", "v3d", "panfrost", "asahi"),
			on(streamout.Note, "llvmpipe", "svga", "d3d12", "d3d")...),
		Condition: "an offset is neither 0 nor the one that appends; a note when the driver of the run takes it as bytes, as " +
			"llvmpipe, svga and d3d12 do",
		Why: "iris and freedreno assert; r600, radeonsi, nv50 and nvc0 begin at the start; v3d, panfrost and asahi take it for a " +
			"number of vertices; crocus goes on where the target stopped; softpipe and virgl lose it",
		Fix: "give 0 to begin and 4294967295 to append",
		Sources: []string{"src/gallium/drivers/iris/iris_state.c: iris_set_stream_output_targets", "src/gallium/drivers/freedreno/freedreno_state.c: fd_set_stream_output_targets",
			"src/gallium/drivers/softpipe/sp_state_so.c", "src/gallium/drivers/llvmpipe/lp_state_so.c"},
		On: streamout.OnSetTargets,
		If: streamout.IfSeeks,
		Check: func(v *streamout.View) {
			for _, b := range v.Binds {
				if !b.HasOffset || b.Offset == 0 || b.Appends() || b.Target != nil && !b.Sane ||
					v.ReportedAt(offsetPath(b.Slot), "so-set-offset-align", "so-set-offset-range") ||
					nearWrap(v, b) {
					continue
				}
				effect := offsetEffect(v)
				const words = "offset %s of slot %d is neither 0 nor 4294967295"
				switch {
				case effect == pipe.OffsetSeeksBytes:
					v.ReportAs(streamout.Note, offsetPath(b.Slot), words+": only some drivers take it as bytes", inBytes(uint64(b.Offset)), b.Slot).InBuffer(b.Slot)
				case effect != pipe.OffsetUnknown && v.Profile != nil:
					v.Report(offsetPath(b.Slot), words+": %s %s", inBytes(uint64(b.Offset)), b.Slot, v.Profile.Name, effect).InBuffer(b.Slot)
				default:
					v.Report(offsetPath(b.Slot), words, inBytes(uint64(b.Offset)), b.Slot).InBuffer(b.Slot)
				}
			}
		},
		Bad:  play(func(s *scene) { s.set(16, s.fresh(64)) }),
		Good: play(func(s *scene) { s.set(0, s.fresh(64)) }),
	}
}

// nearWrap says whether so-set-offset-range waits for the draw with the offset.
func nearWrap(v *streamout.View, b *streamout.Bind) bool {
	return b.Target != nil && !ignoresBytes(v) && uint64(b.Offset)+longestVertex >= 1<<32
}

// offsetEffect is what becomes of an offset other than 0 and append: in the
// driver that is checked for, else in the one that the trace was recorded on.
func offsetEffect(v *streamout.View) pipe.OffsetEffect {
	if v.Profile != nil {
		return v.Profile.Offsets.Other
	}
	p, _ := pipe.ProfileFromScreenName(v.State.DriverName)
	return p.Offsets.Other
}

func soSetOffsetMixed() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-set-offset-mixed",
		Title:    "some targets append and some do not",
		Severity: streamout.Warning,
		Drivers:  on(streamout.Error, "zink"),
		Condition: "of the targets that are not NULL, one has the offset that appends and another has not; one that has no position to " +
			"append at is so-append-never-written's",
		Why:     "zink looks at the first offset only and takes it for all targets, freedreno resets them together",
		Fix:     "begin all targets, or resume all",
		Sources: []string{"src/gallium/drivers/zink/zink_context.c: zink_set_stream_output_targets"},
		On:      streamout.OnSetTargets,
		If:      streamout.IfAppends | streamout.IfSeveral,
		Check: func(v *streamout.View) {
			appends, begins := -1, -1
			for _, b := range v.Binds {
				switch {
				case !b.HasOffset, neverBegun(v, b):
				case b.Appends():
					appends = b.Slot
				default:
					begins = b.Slot
				}
			}
			if appends >= 0 && begins >= 0 {
				v.Report(offsetPath(max(appends, begins)), "slot %d appends and slot %d does not", appends, begins).InBuffer(max(appends, begins))
			}
		},
		Bad: play(func(s *scene) {
			a, b := s.started(64), s.started(64)
			s.setEach([]pipe.Handle{a, b}, []uint32{0, pipe.AppendOffset})
		}),
		Good: play(func(s *scene) {
			a, b := s.started(64), s.started(64)
			s.setEach([]pipe.Handle{a, 0, b}, []uint32{pipe.AppendOffset, 0, pipe.AppendOffset})
		}),
	}
}
