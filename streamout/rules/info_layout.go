package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

func infoLayout() []*streamout.Rule {
	return []*streamout.Rule{
		soOverlapMultiStream(),
		soOverlap(),
		soBufferMultiStream(),
		soStrideZeroWithOutputs(),
		soStrideSmallerThanExtent(),
		soNotAscending(),
		soDuplicateSource(),
	}
}

func soOverlapMultiStream() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-overlap-multi-stream",
		Title:     "outputs of two streams in one place",
		Severity:  streamout.Error,
		Condition: "two outputs of one buffer share a dword and belong to different streams",
		Why:       "both streams write the place, and both move the buffer on: what is left depends on the order of their vertices",
		Fix:       "give each stream a buffer of its own",
		Sources:   []string{srcEmit, "GLSL 4.60 4.4.2"},
		On:        streamout.OnCreateShader,
		Check:     func(v *streamout.View) { overlaps(v, true) },
		Bad: play(func(s *scene) {
			s.shader(pipe.Geometry, info(strides{6}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 2, 1)))
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Geometry, info(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 1)))
		}),
	}
}

func soOverlap() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-overlap",
		Title:     "two outputs in one place",
		Severity:  streamout.Error,
		Condition: "two outputs of one buffer and stream share a dword",
		Why: "what is left depends on the order of writing; v3d asserts, d3d12 and iris compute a negative gap, " +
			"svga and virgl drop the offset and put the second behind the first",
		Fix:     "move one of them, and enlarge the stride",
		Sources: []string{"GLSL 4.60 4.4.2", "VUID-StandaloneSpirv-XfbBuffer-04696", "src/gallium/drivers/v3d/v3d_program.c"},
		On:      streamout.OnCreateShader,
		Check:   func(v *streamout.View) { overlaps(v, false) },
		Bad:     play(func(s *scene) { s.vs(strides{7}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 3, 0)) }),
		Good:    play(func(s *scene) { s.vs(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 0)) }),
	}
}

// overlaps reports every output that collides with an earlier one, of another
// stream or of the same. An output is reported once, against the first it hits,
// and not when that one is in the way of several that get along.
func overlaps(v *streamout.View, otherStream bool) {
	for b := range buffers {
		for o := range v.Info.In(b) {
			for p := range v.Info.In(b) {
				if p.Index >= o.Index {
					break
				}
				if !o.Overlaps(p) || (o.Stream != p.Stream) != otherStream {
					continue
				}
				if inTheWay(v.Info, p, o, otherStream) {
					break
				}
				f := v.Report(outputPath(o.Index, "dst_offset"), "output %d writes %s of buffer %d, output %d writes %s", o.Index, span(o), b, p.Index, span(p))
				f.AtOutput(o.Index).InBuffer(b)
				break
			}
		}
	}
}

// inTheWay says whether p collides with an output listed between it and o, which
// does not collide with o.
func inTheWay(i *streamout.Info, p, o *streamout.InfoOutput, otherStream bool) bool {
	for q := range i.In(int(o.OutputBuffer)) {
		if p.Index < q.Index && q.Index < o.Index && q.Overlaps(p) && !q.Overlaps(o) && (q.Stream != p.Stream) == otherStream {
			return true
		}
	}
	return false
}

func soNotAscending() *streamout.Rule {
	return &streamout.Rule{
		ID:       "so-not-ascending",
		Title:    "outputs of a buffer that are not in the order of their places",
		Severity: streamout.Warning,
		Drivers:  on(streamout.Error, "v3d", "svga", "iris", "crocus", "d3d12", "virgl"),
		Condition: "an output lies before one that is listed earlier for the same buffer, without sharing a dword with it; told " +
			"once for a buffer",
		Why: "v3d asserts; svga, virgl, d3d12 and iris only skip forwards from one output to the next, so this one lands " +
			"in a wrong place",
		Fix: "list the outputs of a buffer by dst_offset",
		Sources: []string{"src/gallium/drivers/v3d/v3d_program.c: v3d_set_transform_feedback_outputs",
			"src/gallium/drivers/iris/iris_state.c: iris_create_so_decl_list", "src/gallium/drivers/d3d12/d3d12_pipeline_state.cpp: fill_so_declaration"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b := range buffers {
				var furthest *streamout.InfoOutput
				for o := range v.Info.In(b) {
					if contested(v, o) || tooFar(v, o) {
						continue
					}
					if furthest != nil && o.DstOffset < furthest.DstOffset {
						v.Report(outputPath(o.Index, "dst_offset"), "output %d writes %s of buffer %d, behind output %d at %s in the list",
							o.Index, span(o), b, furthest.Index, span(furthest)).AtOutput(o.Index).InBuffer(b)
						break
					}
					if furthest == nil || o.End() > furthest.End() {
						furthest = o
					}
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{8}, out(0, 0, 4, 0, 4, 0), out(1, 0, 4, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4, 4}, out(0, 0, 4, 1, 0, 0), out(1, 0, 4, 0, 0, 0)) }),
	}
}

func soStrideZeroWithOutputs() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stride-zero-with-outputs",
		Title:     "outputs in a buffer whose stride is 0",
		Severity:  streamout.Error,
		Condition: "an output writes a buffer whose stride is 0",
		Why: "all vertices are written to one place, the target never fills, and a draw-auto draws nothing; nv50 and freedreno " +
			"divide by the stride, nvc0 takes the target for disabled, asahi asserts",
		Fix: "set the stride to the size of a vertex in the buffer",
		Sources: []string{"src/gallium/drivers/nouveau/nv50/nv50_shader_state.c", "src/gallium/drivers/freedreno/ir3/ir3_gallium.c: ir3_update_max_tf_vtx",
			"src/gallium/drivers/asahi/agx_streamout.c"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b := range buffers {
				if extent, last := v.Info.Extent(b); extent > 0 && v.Info.Stride[b] == 0 {
					v.Report(stridePath(b), "stride[%d] is 0 dw, but output %d ends at %s", b, last, dw(extent)).InBuffer(b).AtOutput(last)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{4, 0}, out(0, 0, 4, 0, 0, 0), out(1, 0, 2, 1, 0, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4, 2}, out(0, 0, 4, 0, 0, 0), out(1, 0, 2, 1, 0, 0)) }),
	}
}

func soStrideSmallerThanExtent() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stride-smaller-than-extent",
		Title:     "a stride that ends inside the vertex",
		Severity:  streamout.Error,
		Condition: "a stride other than 0 is below the end of the last output of its buffer",
		Why: "each vertex overwrites the end of the one before, and on hardware that checks by the stride the last one is " +
			"written past the end of the buffer; GL refuses to link, D3D to create",
		Fix: "raise the stride to the end of the last output, or mend the offset",
		Sources: []string{"src/compiler/glsl/gl_nir_link_varyings.c: xfb_decl_store", "D3D11.3 functional specification, 14.3",
			"Mesa 422882e78f2: stride check of the linker"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b, stride := range v.Info.Stride {
				var last *streamout.InfoOutput
				for o := range v.Info.In(b) {
					if (last == nil || o.End() > last.End()) && !contested(v, o) {
						last = o
					}
				}
				if last != nil && stride != 0 && stride < last.End() {
					v.Report(stridePath(b), "stride[%d] is %s, output %d ends at %s", b, dw(stride), last.Index, dw(last.End())).InBuffer(b).AtOutput(last.Index)
				}
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{3}, out(0, 0, 3, 0, 0, 0), out(1, 0, 3, 0, 3, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{6}, out(0, 0, 3, 0, 0, 0), out(1, 0, 3, 0, 3, 0)) }),
	}
}

func soBufferMultiStream() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-buffer-multi-stream",
		Title:     "a buffer that two streams write",
		Severity:  streamout.Error,
		Condition: "outputs of one buffer belong to different streams and share no dword",
		Why: "a vertex of either stream moves the whole buffer on, so each leaves holes for the other; nvc0 keeps the last " +
			"stream only, svga mixes the numbers; GL, D3D and Vulkan forbid it",
		Fix: "give each stream a buffer of its own",
		Sources: []string{"src/compiler/glsl/gl_nir_link_varyings.c: store_tfeedback_info", "VUID-StandaloneSpirv-XfbBuffer-04694",
			"src/gallium/drivers/nouveau/nvc0/nvc0_program.c"},
		On: streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Info.Stage != pipe.Geometry && v.Info.Stage.CanStreamOut() {
				return // so-stream-without-gs
			}
			for b := range buffers {
				if bits.OnesCount8(v.Info.Streams(b)) < 2 || collides(v, b) {
					continue
				}
				first, other := firstOfStreams(v.Info, b)
				v.Report(outputPath(other.Index, "stream"), "output %d writes buffer %d from stream %d, output %d from stream %d",
					other.Index, b, other.Stream, first.Index, first.Stream).InBuffer(b).AtOutput(other.Index).OnStream(int(other.Stream))
			}
		},
		Bad: play(func(s *scene) {
			s.shader(pipe.Geometry, info(strides{8}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 0, 4, 1)))
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Geometry, info(strides{8}, out(0, 0, 4, 0, 0, 1), out(1, 0, 4, 0, 4, 1)))
		}),
	}
}

// firstOfStreams returns the first output of a buffer and the first of another
// stream.
func firstOfStreams(i *streamout.Info, buffer int) (first, other *streamout.InfoOutput) {
	for o := range i.In(buffer) {
		switch {
		case first == nil:
			first = o
		case o.Stream != first.Stream:
			return first, o
		}
	}
	return first, first
}
