package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// patches are about draws that the tessellator takes part in.
func patches() []*streamout.Rule {
	return []*streamout.Rule{
		soTessMode(),
		soPatchVertices(),
		soTCSWithoutTES(),
	}
}

// maxPatchVertices is how many control points a patch may have
// (PIPE_MAX_PATCH_VERTICES, GL_MAX_PATCH_VERTICES).
const maxPatchVertices = 32

func soTessMode() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-tess-mode",
		Title:     "tessellation of something other than patches",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "a tessellation evaluation shader is bound at a draw whose mode is not patches",
		Why:       "the tessellator takes patches alone: what is captured, if anything, is up to the driver",
		Fix:       "draw patches, or unbind the tessellation shaders",
		Sources:   []string{"OpenGL 4.6 11.2", "src/gallium/auxiliary/draw/draw_tess.c"},
		On:        streamout.OnDraw,
		If:        streamout.IfLaterStage,
		Check: func(v *streamout.View) {
			mode, tes := drawMode(v), &v.Context.Shaders[pipe.TessEval]
			if tes.Object == nil || tes.Object.Dead || mode == pipe.Patches || mode == pipe.PrimitiveUnknown {
				return
			}
			v.Report("info.mode", "the draw is of %v, but %s is bound, which takes patches", mode, called(&tes.Object.Object)).
				With(tes.Set, "the tessellation evaluation shader was bound here")
		},
		Bad: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.TessEval, info(strides{}))
			s.draw(pipe.Triangles, 3)
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.TessEval, info(strides{}))
			s.do(&pipe.SetPatchVertices{Vertices: 3})
			s.draw(pipe.Patches, 3)
		}),
	}
}

func soPatchVertices() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-patch-vertices",
		Title:     "patches of more control points than there can be",
		Severity:  streamout.Error,
		Order:     true,
		Condition: "patches are drawn while patch_vertices is above 32",
		Why:       "the field has 8 bits and the limit of the interface is 32: drivers size their inputs by it",
		Fix:       "set 1 to 32 patch vertices",
		Sources:   []string{"OpenGL 4.6 11.2.2: MAX_PATCH_VERTICES", "src/gallium/include/pipe/p_context.h: set_patch_vertices"},
		On:        streamout.OnDraw,
		If:        streamout.IfPatches,
		Check: func(v *streamout.View) {
			if hugePatches(v) {
				v.Report("info.mode", "the draw is of patches of %d vertices, at most %d", v.Context.PatchVertices, maxPatchVertices)
			}
		},
		Bad: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.TessEval, info(strides{}))
			s.do(&pipe.SetPatchVertices{Vertices: 33})
			s.draw(pipe.Patches, 33)
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.TessEval, info(strides{}))
			s.do(&pipe.SetPatchVertices{Vertices: 32})
			s.draw(pipe.Patches, 32)
		}),
	}
}

func hugePatches(v *streamout.View) bool {
	return v.Context.PatchVertices > maxPatchVertices && drawMode(v) == pipe.Patches
}

func soTCSWithoutTES() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-tcs-without-tes",
		Title:     "a tessellation control shader alone",
		Severity:  streamout.Warning,
		Order:     true,
		Condition: "a tessellation control shader is bound at a draw without a tessellation evaluation shader",
		Why:       "the patches that it makes go nowhere, so the vertex shader's outputs are captured or nothing is",
		Fix:       "bind the evaluation shader too, or unbind the control shader",
		Sources:   []string{"OpenGL 4.6 11.2", "src/gallium/auxiliary/draw/draw_pt.c"},
		On:        streamout.OnDrawState,
		If:        streamout.IfLaterStage,
		Check: func(v *streamout.View) {
			tcs := &v.Context.Shaders[pipe.TessCtrl]
			if tcs.Object == nil || tcs.Object.Dead || !unbound(v.Context, pipe.TessEval) || v.Reported("so-draw-patches") {
				return
			}
			v.Report("", "%s is bound without a tessellation evaluation shader", called(&tcs.Object.Object)).
				With(tcs.Set, "the tessellation control shader was bound here")
		},
		Bad: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.TessCtrl, info(strides{}))
			s.draw(pipe.Triangles, 3)
		}),
		Good: play(func(s *scene) {
			s.shader(pipe.Vertex, info(strides{}))
			s.shader(pipe.TessCtrl, info(strides{}))
			s.shader(pipe.TessEval, info(strides{}))
			s.do(&pipe.SetPatchVertices{Vertices: 3})
			s.draw(pipe.Patches, 3)
		}),
	}
}
