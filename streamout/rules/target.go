package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
	"github.com/outflow-gpu/outflow/streamout"
)

// targetRules are about create_stream_output_target.
func targetRules() []*streamout.Rule {
	return []*streamout.Rule{
		soTargetNullResource(),
		soTargetDeadResource(),
		soTargetNotBuffer(),
		soTargetBindFlag(),
		soTargetOffsetAlign(),
		soTargetRange(),
		soTargetZeroSize(),
		soTargetTiny(),
		soTargetSizeAlign(),
		soTargetCreateCap(),
		soTargetNullReturned(),
	}
}

// Paths of the arguments of create_stream_output_target.
const (
	targetResource = "res"
	targetOffset   = "buffer_offset"
	targetSize     = "buffer_size"
)

// targetArguments is how many arguments the call has, its context included.
const targetArguments = 4

// arguments counts the arguments of a call, whatever they are called.
func arguments(call *pipe.Values) int {
	n := 0
	for x := call.First(); x.Exists(); x = x.Next() {
		if x.Role() == pipe.ArgRole {
			n++
		}
	}
	return n
}

// createdTarget returns the create that a rule looks at, with the buffer that
// it names where that is known. It is nil where an argument was lost: the call
// is cut, or a number did not fit.
func createdTarget(v *streamout.View) (*pipe.CreateStreamOutputTarget, *state.Resource) {
	c := v.Op.Call.(*pipe.CreateStreamOutputTarget)
	raw := v.Op.Raw
	if raw != nil && (raw.Cut || len(raw.Misfits) > 0) {
		return nil, nil
	}
	if raw != nil && raw.Values != nil && arguments(raw.Values) < targetArguments {
		return nil, nil
	}
	return c, v.State.Resource(c.Resource)
}

// aliveBuffer is createdTarget for rules about the size and kind of a buffer,
// which say nothing of one that is gone.
func aliveBuffer(v *streamout.View) (*pipe.CreateStreamOutputTarget, *state.Resource) {
	c, r := createdTarget(v)
	if c == nil || r == nil || r.Dead {
		return nil, nil
	}
	return c, r
}

func soTargetNullResource() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-null-resource",
		Title:     "a target of no resource",
		Severity:  streamout.Error,
		Condition: "the resource of a target is NULL",
		Why:       "every driver takes a reference to the resource and reads its size",
		Fix:       "make the target of a buffer, or bind NULL in the slot",
		Sources:   []string{srcContext, "src/gallium/drivers/llvmpipe/lp_state_so.c: llvmpipe_create_so_target"},
		On:        streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if c, _ := createdTarget(v); c != nil && c.Resource == 0 {
				v.Report(targetResource, "the resource is NULL, for a target of %d B at %d B", c.BufferSize, c.BufferOffset)
			}
		},
		Bad:  play(func(s *scene) { s.target(0, 0, 64) }),
		Good: play(func(s *scene) { s.target(s.buffer(64), 0, 64) }),
	}
}

func soTargetDeadResource() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-dead-resource",
		Title:     "a target of a resource that is gone",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "the resource of a target was destroyed before",
		Why:       "the memory is freed: the driver takes a reference to whatever lies there now",
		Fix:       "keep a reference to the buffer until the target is made; the target then keeps its own",
		Sources:   []string{srcContext, "src/gallium/auxiliary/util/u_inlines.h: pipe_resource_reference"},
		On:        streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if _, r := createdTarget(v); r != nil && r.Dead {
				v.Report(targetResource, "resource %s was destroyed before", r.Handle).With(r.Ended, "destroyed here").With(r.Created, "created here")
			}
		},
		Bad: play(func(s *scene) {
			b := s.buffer(64)
			s.do(&pipe.ResourceDestroy{Resource: b})
			s.target(b, 0, 64)
		}),
		Good: play(func(s *scene) {
			b := s.buffer(64)
			s.target(b, 0, 64)
			s.do(&pipe.ResourceDestroy{Resource: b})
		}),
	}
}

func soTargetNotBuffer() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-not-buffer",
		Title:     "a target of a texture",
		Severity:  streamout.Error,
		Condition: "the resource of a target is not a buffer",
		Why:       "stream output writes bytes in a row, a texture may be tiled; nv50, nvc0 and svga assert",
		Fix:       "make the target of a PIPE_BUFFER",
		Sources: []string{"src/gallium/drivers/nouveau/nvc0/nvc0_state.c: nvc0_so_target_create",
			"src/gallium/drivers/svga/svga_pipe_streamout.c"},
		On: streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if _, r := aliveBuffer(v); r != nil && r.Template.Target != pipe.Buffer {
				v.Report(targetResource, "resource %s is a %s, not a PIPE_BUFFER", r.Handle, r.Template.Target).With(r.Created, "created here")
			}
		},
		Bad: play(func(s *scene) {
			s.target(s.resource(pipe.ResourceTemplate{Target: pipe.Texture2D, Format: "PIPE_FORMAT_R32_FLOAT", Width: 16,
				Height: 1, Depth: 1, ArraySize: 1, Bind: pipe.BindStreamOutput}), 0, 16)
		}),
		Good: play(func(s *scene) { s.target(s.buffer(64), 0, 64) }),
	}
}

// bindStreamOutputOld is what BindStreamOutput was before Mesa 10.6. It has
// stood for cursors since, which no buffer is.
const bindStreamOutputOld pipe.BindFlags = 1 << 11

func soTargetBindFlag() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-bind-flag",
		Title:     "a target of a buffer that was not made to be one",
		Severity:  streamout.Note,
		Drivers:   on(streamout.Error, "svga", "d3d"),
		Condition: "the bind flags of a target's buffer lack PIPE_BIND_STREAM_OUTPUT",
		Why: "svga asserts the flag of its surface, Direct3D refuses the view and Vulkan wants the usage of the buffer; " +
			"drivers for whom all buffers are alike do not look, and GL sets the flag only for a buffer that begins as one for transform feedback",
		Fix: "make the buffer with PIPE_BIND_STREAM_OUTPUT",
		Sources: []string{"src/gallium/drivers/svga/svga_pipe_streamout.c: svga_create_stream_output_target",
			"VUID-vkCmdBindTransformFeedbackBuffersEXT-pBuffers-02360", "src/gallium/include/pipe/p_defines.h: PIPE_BIND_STREAM_OUTPUT"},
		On: streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			_, r := aliveBuffer(v)
			if r == nil || r.Template.Target != pipe.Buffer || r.Template.Bind&(pipe.BindStreamOutput|bindStreamOutputOld) != 0 {
				return
			}
			v.Report(targetResource, "buffer %s has bind flags %#x, without PIPE_BIND_STREAM_OUTPUT (%#x)",
				r.Handle, uint32(r.Template.Bind), uint32(pipe.BindStreamOutput)).With(r.Created, "created here")
		},
		Bad: play(func(s *scene) {
			s.target(s.resource(pipe.ResourceTemplate{Target: pipe.Buffer, Format: "PIPE_FORMAT_R8_UNORM", Width: 64,
				Height: 1, Depth: 1, ArraySize: 1, Bind: pipe.BindVertexBuffer}), 0, 64)
		}),
		Good: play(func(s *scene) { s.target(s.buffer(64), 0, 64) }),
	}
}

func soTargetOffsetAlign() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-offset-align",
		Title:     "a target that begins inside a dword",
		Severity:  streamout.Error,
		Condition: "buffer_offset is no multiple of 4 bytes",
		Why:       "stream output writes dwords: r600 and radeonsi drop the low bits and so shift all data; GL and Vulkan refuse the offset",
		Fix:       "begin at a multiple of 4 bytes",
		Sources: []string{"src/gallium/drivers/r600/r600_streamout.c", "GL 4.6 core, 6.1.1: glBindBufferRange",
			"VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02359"},
		On: streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if c, _ := createdTarget(v); c != nil && c.BufferOffset%4 != 0 {
				v.Report(targetOffset, "buffer_offset is %d B, %d B past a dword", c.BufferOffset, c.BufferOffset%4)
			}
		},
		Bad:  play(func(s *scene) { s.target(s.buffer(64), 6, 32) }),
		Good: play(func(s *scene) { s.target(s.buffer(64), 4, 32) }),
	}
}

func soTargetRange() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-range",
		Title:     "a target that ends behind its buffer",
		Severity:  streamout.Error,
		Condition: "buffer_offset + buffer_size is above the size of the buffer",
		Why:       "only svga cuts the range: elsewhere the GPU, or the CPU in software drivers, writes past the buffer",
		Fix:       "let the target end where the buffer does, at the latest",
		Sources: []string{"src/gallium/drivers/svga/svga_pipe_streamout.c: svga_create_stream_output_target",
			"VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02363"},
		On: streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			c, r := aliveBuffer(v)
			if c == nil || r.Template.Target != pipe.Buffer {
				return
			}
			if v.Reported("so-target-offset-align") && uint64(c.BufferOffset&^3)+uint64(c.BufferSize) <= uint64(r.Template.Width) {
				return
			}
			switch width := r.Template.Width; {
			case c.BufferOffset > width:
				v.Report(targetOffset, "buffer_offset is %d B, but buffer %s has %d B", c.BufferOffset, r.Handle, width).With(r.Created, "created here")
			case c.BufferSize > width-c.BufferOffset:
				v.Report(targetSize, "the target ends at %d B (%d B at %d B), but buffer %s has %d B",
					uint64(c.BufferOffset)+uint64(c.BufferSize), c.BufferSize, c.BufferOffset, r.Handle, width).With(r.Created, "created here")
			}
		},
		Bad:  play(func(s *scene) { s.target(s.buffer(256), 64, 196) }),
		Good: play(func(s *scene) { s.target(s.buffer(256), 64, 192) }),
	}
}

func soTargetZeroSize() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-zero-size",
		Title:     "a target of no bytes",
		Severity:  streamout.Warning,
		Condition: "buffer_size is 0 bytes",
		Why: "nothing fits, so every primitive overflows; iris programs a size of at least one dword and still writes it, " +
			"Direct3D and Vulkan refuse the range",
		Fix:     "bind NULL in the slot, or a target with room for a vertex",
		Sources: []string{"src/gallium/drivers/iris/iris_state.c: iris_set_stream_output_targets", "VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02358"},
		On:      streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if c, _ := createdTarget(v); c != nil && c.Resource != 0 && c.BufferSize == 0 && !v.Reported("so-target-range") {
				v.Report(targetSize, "buffer_size is 0 B, no vertex fits")
			}
		},
		Bad:  play(func(s *scene) { s.target(s.buffer(64), 0, 0) }),
		Good: play(func(s *scene) { s.target(s.buffer(64), 60, 4) }),
	}
}

func soTargetTiny() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-tiny",
		Title:     "a target smaller than a dword",
		Severity:  streamout.Note,
		Condition: "buffer_size is 1 to 3 bytes",
		Why:       "the smallest vertex has 4 bytes, so nothing is captured",
		Fix:       "give the target room for a vertex",
		Sources:   []string{srcEmit},
		On:        streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if c, _ := createdTarget(v); c != nil && c.BufferSize > 0 && c.BufferSize < 4 {
				v.Report(targetSize, "buffer_size is %d B, the smallest vertex has 4 B", c.BufferSize)
			}
		},
		Bad:  play(func(s *scene) { s.target(s.buffer(64), 0, 3) }),
		Good: play(func(s *scene) { s.target(s.buffer(64), 0, 4) }),
	}
}

func soTargetSizeAlign() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-size-align",
		Title:     "a target that ends inside a dword",
		Severity:  streamout.Warning,
		Condition: "buffer_size is no multiple of 4 bytes, and at least 4",
		Why:       "hardware counts the size in dwords: r600 and iris drop the rest, and counts of what fits may differ; GL rounds down before it asks",
		Fix:       "round the size down to a multiple of 4 bytes",
		Sources: []string{"src/mesa/main/transformfeedback.c: _mesa_compute_max_transform_feedback_vertices, compute_transform_feedback_buffer_sizes",
			"src/gallium/drivers/r600/r600_streamout.c", "src/gallium/drivers/iris/iris_state.c"},
		On: streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if c, _ := createdTarget(v); c != nil && c.BufferSize%4 != 0 && !v.Reported("so-target-tiny", "so-target-range") {
				v.Report(targetSize, "buffer_size is %d B, %d B past a dword", c.BufferSize, c.BufferSize%4)
			}
		},
		Bad:  play(func(s *scene) { s.target(s.buffer(64), 0, 30) }),
		Good: play(func(s *scene) { s.target(s.buffer(64), 0, 28) }),
	}
}

func soTargetCreateCap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-create-cap",
		Title:     "a target of a driver without stream output",
		Severity:  streamout.Warning,
		Condition: "a target is made although PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS is 0",
		Why:       "such drivers leave the function NULL or have a stub that captures nothing (etnaviv)",
		Fix:       "ask for the capability first",
		Sources:   []string{"src/gallium/drivers/etnaviv/etnaviv_screen.c", "docs/gallium/screen.rst: PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS"},
		On:        streamout.OnCreateTarget,
		Check: func(v *streamout.View) {
			if v.Caps().Buffers.IsFalse() {
				v.Report("", "the driver has 0 stream output buffers")
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", 0)
			s.fresh(64)
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", 1)
			s.fresh(64)
		}),
	}
}

func soTargetNullReturned() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-target-null-returned",
		Title:     "a target that the driver did not make is bound",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "create_stream_output_target returned NULL, and the next bind of the context has NULL in a slot; the return alone is a note",
		Why:       "the failure was not looked at: what was to be captured there is lost, and primitives are dropped whole",
		Fix:       "report the lack of memory when the create returns NULL",
		Sources:   []string{srcContext, "src/mesa/state_tracker/st_cb_xformfb.c"},
		On:        streamout.OnSetTargets | streamout.OnCreateTarget,
		If:        streamout.IfHole,
		Check: func(v *streamout.View) {
			if _, ok := v.Op.Call.(*pipe.CreateStreamOutputTarget); ok {
				if create, _ := createdTarget(v); create != nil && v.Op.Ret.Known && v.Op.Ret.Handle == 0 {
					v.ReportAs(streamout.Note, "", "the driver returned NULL for a target of %d B at %d B", create.BufferSize, create.BufferOffset)
				}
				return
			}
			c := v.Op.Call.(*pipe.SetStreamOutputTargets)
			if v.Context == nil || !v.Context.TargetRefused {
				return
			}
			for i, t := range c.Targets[:min(uint64(c.NumTargets), uint64(len(c.Targets)))] {
				if t == 0 {
					v.Report(targetPath(i), "slot %d is NULL, after a create that returned NULL", i).InBuffer(i).With(v.Context.TargetRefusedAt, "returned NULL")
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.send(&pipe.Op{Call: &pipe.CreateStreamOutputTarget{Resource: s.buffer(64), BufferSize: 64}, Ret: pipe.Result{Known: true}})
			s.set(0, s.fresh(64), 0)
		}),
		Good: play(func(s *scene) { s.set(0, s.fresh(64), 0) }),
	}
}
