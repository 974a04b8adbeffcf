package rules

import (
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// infoCaps hold an info against the limits of the driver: those that the trace
// states, then those of the profile. A limit that is not known is none.
func infoCaps() []*streamout.Rule {
	return []*streamout.Rule{
		soCapBuffers(),
		soCapStreams(),
		soCapSeparate(),
		soCapInterleaved(),
		soCapInterleaveBuffers(),
	}
}

// srcScreen is where the capabilities are described.
const srcScreen = "docs/gallium/screen.rst"

func soCapBuffers() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-cap-buffers",
		Title:     "more buffers than the driver has",
		Severity:  streamout.Error,
		Condition: "an output goes to a buffer at or above PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS",
		Why:       "the driver has no such target: nothing is captured, as with the empty stub of etnaviv, or its tables are overrun",
		Fix:       "use fewer buffers; with 0, no stream output",
		Sources:   []string{srcScreen, "src/gallium/auxiliary/util/u_screen.c"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			limit := v.Caps().Buffers
			for k := range v.Info.Outputs {
				o := &v.Info.Outputs[k]
				if o.Flaws&streamout.BadBuffer == 0 && limit.Below(o.OutputBuffer+1) {
					v.Report(outputPath(k, "output_buffer"), "output %d goes to buffer %d, the driver has %s", k, o.OutputBuffer, plural(uint64(limit.Value), "buffer")).
						AtOutput(k).InBuffer(int(o.OutputBuffer))
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", 1)
			s.vs(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0))
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS", 2)
			s.vs(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 0))
		}),
	}
}

func soCapStreams() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-cap-streams",
		Title:     "more vertex streams than the driver has",
		Severity:  streamout.Error,
		Condition: "an output belongs to a stream at or above PIPE_CAP_MAX_VERTEX_STREAMS, 0 counting as 1",
		Why:       "the driver captures stream 0 alone, or takes the outputs for those of stream 0 (v3d, panfrost, asahi, nv50)",
		Fix:       "use one stream",
		Sources:   []string{srcScreen},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			limit := v.Caps().VertexStreams
			if limit.IsFalse() {
				limit = pipe.KnownCap(1)
			}
			for k := range v.Info.Outputs {
				o := &v.Info.Outputs[k]
				if o.Flaws&streamout.BadStream == 0 && limit.Below(o.Stream+1) {
					v.Report(outputPath(k, "stream"), "output %d belongs to stream %d, the driver has %s", k, o.Stream, plural(uint64(limit.Value), "stream")).
						AtOutput(k).OnStream(int(o.Stream))
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_VERTEX_STREAMS", 0)
			s.shader(pipe.Geometry, info(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 1)))
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_VERTEX_STREAMS", 2)
			s.shader(pipe.Geometry, info(strides{4, 4}, out(0, 0, 4, 0, 0, 0), out(1, 0, 4, 1, 0, 1)))
		}),
	}
}

// several says whether an info uses more than one buffer.
func several(i *streamout.Info) bool {
	used := 0
	for b := range buffers {
		if i.Used(b) {
			used++
		}
	}
	return used > 1
}

// oneVarying says whether the outputs of a buffer are parts of one varying, as
// far as the shader's text tells.
func oneVarying(i *streamout.Info, buffer int) shader.Answer {
	name, outputs := "", 0
	for o := range i.In(buffer) {
		v := variable(i, o)
		switch outputs++; {
		case outputs == 1:
			name = v
		case v == "" || name == "":
			return shader.Unknown
		case v != name:
			return shader.No
		}
	}
	return shader.Yes
}

// variable is the name of the variable that an output reads, "" when the text
// does not tell, or tells several that were packed into one. An array that was
// split has variables of one name, which NIR numbers: "v", "v@1" or "v#1".
func variable(i *streamout.Info, o *streamout.InfoOutput) string {
	register := int(min(o.RegisterIndex, pipe.MaxShaderOutputs))
	if o.Flaws != 0 || i.Text.Declares(register, o.Mask()) != shader.Yes {
		return ""
	}
	if v := i.Text.Find(register, o.Mask()); v != nil && !strings.ContainsAny(v.Name, ":,") {
		if i := strings.IndexAny(v.Name, "@#"); i >= 0 {
			return v.Name[:i]
		}
		return v.Name
	}
	return ""
}

// separate says whether the info can only have come from a declaration of one
// varying for each buffer: the driver cannot mix the two.
func separate(v *streamout.View) bool {
	return v.Caps().InterleaveBuffers.IsFalse() && several(v.Info)
}

func soCapSeparate() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-cap-separate",
		Title:     "a varying too large for a buffer of its own",
		Severity:  streamout.Error,
		Condition: "there are several buffers, the driver allows one varying in each of them, and one has more components than PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS",
		Why:       "the linker of GL refuses it: nv50, v3d and svga promise 4 components, so no matrix and no array",
		Fix:       "capture to one buffer, or capture parts of the varying",
		Sources:   []string{srcScreen, "src/compiler/glsl/gl_nir_link_varyings.c: xfb_decl_assign_location"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			limit := v.Caps().SeparateComponents
			if !limit.Known || !separate(v) || v.Reported("so-cap-buffers") {
				return
			}
			for b := range buffers {
				n := uint64(0)
				for o := range v.Info.In(b) {
					n += o.NumComponents
				}
				if limit.Below(n) && oneVarying(v.Info, b) == shader.Yes {
					v.Report(infoPath, "the varying of buffer %d has %s, at most %s", b, dw(n), dw(uint64(limit.Value))).InBuffer(b)
				}
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS", 0)
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", 4)
			s.nirVS(arrayText, strides{1, 8}, out(0, 0, 1, 0, 0, 0), out(1, 0, 4, 1, 0, 0), out(2, 0, 4, 1, 4, 0))
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS", 0)
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", 4)
			s.nirVS(arrayText, strides{1, 4}, out(0, 0, 1, 0, 0, 0), out(2, 0, 4, 1, 0, 0))
		}),
	}
}

// arrayText is a vertex shader with a float in register 0, an array of two
// vectors in 1 and 2, and a float in 3.
const arrayText = `shader: MESA_SHADER_VERTEX
name: GLSL1
inputs: 0
outputs: 4
uniforms: 0
shared: 0
decl_var shader_out INTERP_MODE_NONE float a (VARYING_SLOT_VAR0.x, 0, 0)
decl_var shader_out INTERP_MODE_NONE vec4[2] m (VARYING_SLOT_VAR1.xyzw, 1, 0)
decl_var shader_out INTERP_MODE_NONE float c (VARYING_SLOT_VAR3.x, 3, 0)
decl_function main (0 params)

impl main {
	block block_0:
	/* preds: */
	vec1 32 ssa_0 = load_const (0x3f800000 = 1.000000)
	vec4 32 ssa_1 = load_const (0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000) = (1.000000, 1.000000, 1.000000, 1.000000)
	vec1 32 ssa_2 = load_const (0x00000000 = 0.000000)
	vec1 32 ssa_3 = load_const (0x00000001 = 0.000000)
	vec1 32 ssa_4 = deref_var &a (shader_out float)
	intrinsic store_deref (ssa_4, ssa_0) (wrmask=x /*1*/, access=0)
	vec1 32 ssa_5 = deref_var &m (shader_out vec4[2])
	vec1 32 ssa_6 = deref_array &(*ssa_5)[0] (shader_out vec4) /* &m[0] */
	intrinsic store_deref (ssa_6, ssa_1) (wrmask=xyzw /*15*/, access=0)
	vec1 32 ssa_7 = deref_array &(*ssa_5)[1] (shader_out vec4) /* &m[1] */
	intrinsic store_deref (ssa_7, ssa_1) (wrmask=xyzw /*15*/, access=0)
	vec1 32 ssa_8 = deref_var &c (shader_out float)
	intrinsic store_deref (ssa_8, ssa_0) (wrmask=x /*1*/, access=0)
	/* succs: block_1 */
	block block_1:
}
`

func soCapInterleaved() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-cap-interleaved",
		Title:     "a vertex too large for a buffer of the driver",
		Severity:  streamout.Error,
		Condition: "an output ends behind PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS, and behind the limit of a single varying where the buffer may hold just one",
		Why:       "the linker of GL refuses it, so no driver is prepared for it",
		Fix:       "spread the outputs over several buffers",
		Sources:   []string{srcScreen, "src/compiler/glsl/gl_nir_link_varyings.c: xfb_decl_store"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if v.Reported("so-cap-buffers") || v.Profile != nil && v.Reported("so-dst-offset-limit", "so-write-window", "so-nv50-map", "so-v3d-slots", "so-gap-byte", "so-gap-budget") {
				return // what the profile's driver does with it
			}
			for b := range buffers {
				if limit := interleavedLimit(v, b); limit > 0 {
					end, last := v.Info.Extent(b)
					v.Report(outputPath(last, "dst_offset"), "output %d ends at %s of buffer %d, the driver takes %s", last, dw(end), b, dw(limit)).
						AtOutput(last).InBuffer(b)
				}
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS", 64)
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", 4)
			s.vs(strides{68}, vectors(17, 0)...)
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS", 64)
			s.states("PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS", 4)
			s.vs(strides{64}, vectors(16, 0)...)
		}),
	}
}

// interleavedLimit is the limit in dwords that the outputs of a buffer break, 0
// if they break none. One varying may have a buffer of its own, under another
// limit.
func interleavedLimit(v *streamout.View, buffer int) uint64 {
	caps := v.Caps()
	end, _ := v.Info.Extent(buffer)
	// svga counts entries (so-gap-budget), D3D from the first dword on (so-write-window).
	if !caps.InterleavedComponents.Below(end) || misfit(v, buffer) || chosen(v, "svga") || v.Profile != nil && v.Profile.Name == "d3d" {
		return 0
	}
	limit := uint64(caps.InterleavedComponents.Value)
	if oneVarying(v.Info, buffer) != shader.No {
		if separate(v) || !caps.SeparateComponents.Below(end) {
			return 0
		}
		limit = max(limit, uint64(caps.SeparateComponents.Value))
	}
	return limit
}

// overStated says whether the vertex of a buffer is too large for the limit that
// the trace itself states: then that is said, and not what other drivers do.
func overStated(v *streamout.View) bool {
	if v.Profile != nil {
		return false
	}
	for b := range buffers {
		if interleavedLimit(v, b) > 0 {
			return true
		}
	}
	return false
}

func soCapInterleaveBuffers() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-cap-interleave-buffers",
		Title:     "several buffers, one with several varyings",
		Severity:  streamout.Warning,
		Condition: "there are several buffers, one holds outputs of several variables, and PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS is 0",
		Why:       "the driver knows one buffer with all varyings or a buffer for each: GL has no way to ask for more there, so it was never tried",
		Fix:       "capture to one buffer, or one variable to each",
		Sources:   []string{srcScreen, "ARB_transform_feedback3"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			if !separate(v) || v.Reported("so-cap-buffers") {
				return
			}
			for b := range buffers {
				if oneVarying(v.Info, b) == shader.No {
					v.Report(infoPath, "buffer %d holds several varyings, and there are other buffers", b).InBuffer(b)
					return
				}
			}
		},
		Bad: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS", 0)
			s.nirVS(arrayText, strides{2, 4}, out(0, 0, 1, 0, 0, 0), out(3, 0, 1, 0, 1, 0), out(1, 0, 4, 1, 0, 0))
		}),
		Good: play(func(s *scene) {
			s.states("PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS", 0)
			s.nirVS(arrayText, strides{1, 8}, out(0, 0, 1, 0, 0, 0), out(1, 0, 4, 1, 0, 0), out(2, 0, 4, 1, 4, 0))
		}),
	}
}
