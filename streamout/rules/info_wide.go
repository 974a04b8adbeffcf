package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

// infoWide are about values of 64 bits, which only the shader's text tells.
func infoWide() []*streamout.Rule {
	return []*streamout.Rule{
		soSplit64bit(),
		soUnaligned64bit(),
		soStrideMult864bit(),
	}
}

// wide is the components of an output that are halves of 64-bit values; 0 when
// the text does not tell.
func wide(v *streamout.View, o *streamout.InfoOutput) uint8 {
	text, register := v.Info.Text, int(min(o.RegisterIndex, pipe.MaxShaderOutputs))
	if o.Flaws != 0 || text.Declares(register, o.Mask()) != shader.Yes {
		return 0
	}
	var halves uint8
	for i := range text.At(register) {
		if out := &text.At(register)[i]; out.Width == 64 {
			halves |= out.Declared & o.Mask()
		}
	}
	return halves
}

// wideText is a vertex shader with a float in register 0 and a dvec2 in
// register 1.
const wideText = `shader: MESA_SHADER_VERTEX
name: GLSL1
inputs: 0
outputs: 2
uniforms: 0
shared: 0
decl_var shader_out INTERP_MODE_NONE float a (VARYING_SLOT_VAR0.x, 0, 0)
decl_var shader_out INTERP_MODE_FLAT dvec2 d (VARYING_SLOT_VAR1.xy, 1, 0)
decl_function main (0 params)

impl main {
	block block_0:
	/* preds: */
	vec1 32 ssa_0 = load_const (0x3f800000 = 1.000000)
	vec2 64 ssa_1 = load_const (0x3ff0000000000000, 0x3ff0000000000000) = (1.000000, 1.000000)
	vec1 32 ssa_2 = deref_var &a (shader_out float)
	intrinsic store_deref (ssa_2, ssa_0) (wrmask=x /*1*/, access=0)
	vec1 32 ssa_3 = deref_var &d (shader_out dvec2)
	intrinsic store_deref (ssa_3, ssa_1) (wrmask=xy /*3*/, access=0)
	/* succs: block_1 */
	block block_1:
}
`

// nirVS makes a vertex shader with a NIR text.
func (s *scene) nirVS(text string, stride strides, outputs ...pipe.OutputNumbers) {
	create := &pipe.CreateShader{Stage: pipe.Vertex}
	create.State.NIR = []byte(text)
	n := info(stride, outputs...)
	if problems := n.Pack(&create.State.StreamOutput); problems != nil {
		s.fault(problems[0])
	}
	s.do(create)
}

func soSplit64bit() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-split-64bit",
		Title:     "half of a 64-bit value",
		Severity:  streamout.Warning,
		Condition: "an output reads one half of a 64-bit component, and no output puts the other half beside it",
		Why:       "half a double means nothing to who reads the buffer",
		Fix:       "capture x and y, or z and w, of the register together",
		Sources:   []string{"src/compiler/nir/nir_gather_xfb_info.c", "OpenGL 4.6 core, 11.1.2.1"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for k := range v.Info.Outputs {
				o := &v.Info.Outputs[k]
				halves := wide(v, o)
				// A value has its halves in an even component and the next.
				alone := (halves ^ (halves&0b0101)<<1 ^ (halves&0b1010)>>1) & halves
				for ; alone != 0; alone &= alone - 1 {
					if c := bits.TrailingZeros8(alone); !otherHalf(v.Info, o, uint64(c)) {
						v.Report(outputPath(k, "start_component"), "output %d reads %s of register %d, one half of a 64-bit value",
							k, lettersOf(1<<c), o.RegisterIndex).AtOutput(k).InBuffer(int(o.OutputBuffer))
						break
					}
				}
			}
		},
		Bad:  play(func(s *scene) { s.nirVS(wideText, strides{4}, out(1, 0, 3, 0, 0, 0)) }),
		Good: play(func(s *scene) { s.nirVS(wideText, strides{4}, out(1, 0, 3, 0, 0, 0), out(1, 3, 1, 0, 3, 0)) }),
	}
}

// otherHalf says whether an output puts the other half of component c of o's
// register where it belongs.
func otherHalf(i *streamout.Info, o *streamout.InfoOutput, c uint64) bool {
	other := c ^ 1
	at := o.DstOffset + c - o.StartComponent + other - c // wraps back: other-c is 1 or -1
	for k := range i.Outputs {
		p := &i.Outputs[k]
		if p.RegisterIndex == o.RegisterIndex && p.OutputBuffer == o.OutputBuffer && p.Stream == o.Stream &&
			p.Mask()&(1<<other) != 0 && p.DstOffset+other-p.StartComponent == at {
			return true
		}
	}
	return false
}

func soUnaligned64bit() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-unaligned-64bit",
		Title:     "a 64-bit value that is not aligned to 8 bytes",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "vulkan"),
		Condition: "a 64-bit component is captured to an odd dword of the vertex",
		Why: "GL leaves undefined what is captured then, and refuses such an xfb_offset; Vulkan forbids it, and hardware that " +
			"writes whole values moves it",
		Fix:     "put it at an even dst_offset",
		Sources: []string{"OpenGL 4.6 core, 11.1.2.1", "VUID-StandaloneSpirv-Offset-04687"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for k := range v.Info.Outputs {
				o := &v.Info.Outputs[k]
				if at, ok := firstWide(v, o); ok && at&1 != 0 {
					v.Report(outputPath(k, "dst_offset"), "output %d puts a 64-bit value at %s of buffer %d, which is not a multiple of %s", k, dw(at), o.OutputBuffer, dw(2)).
						AtOutput(k).InBuffer(int(o.OutputBuffer))
				}
			}
		},
		Bad:  play(func(s *scene) { s.nirVS(wideText, strides{6}, out(0, 0, 1, 0, 0, 0), out(1, 0, 4, 0, 1, 0)) }),
		Good: play(func(s *scene) { s.nirVS(wideText, strides{6}, out(1, 0, 4, 0, 0, 0), out(0, 0, 1, 0, 4, 0)) }),
	}
}

// firstWide is the dword of the vertex at which the first whole 64-bit component
// of an output lands.
func firstWide(v *streamout.View, o *streamout.InfoOutput) (dword uint64, ok bool) {
	halves := wide(v, o)
	low := halves & (halves >> 1) & 0b0101
	if low == 0 {
		return 0, false
	}
	return o.DstOffset + uint64(bits.TrailingZeros8(low)) - o.StartComponent, true
}

func soStrideMult864bit() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-stride-mult8-64bit",
		Title:     "a stride that misaligns every other 64-bit value",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "vulkan"),
		Condition: "a buffer holds a 64-bit value and its stride is an odd number of dwords",
		Why:       "every second vertex has the value at an odd dword: GL leaves undefined what is captured, Vulkan and xfb_stride forbid it",
		Fix:       "make the stride a multiple of 2 dwords",
		Sources:   []string{"src/compiler/glsl/gl_nir_link_varyings.c: xfb_decl_store", "VUID-StandaloneSpirv-XfbStride-04689"},
		On:        streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for b, stride := range v.Info.Stride {
				if stride&1 == 0 || misfit(v, b) {
					continue
				}
				for o := range v.Info.In(b) {
					if toldOf(v, o.Index, "dst_offset", "so-unaligned-64bit") {
						break
					}
					if _, ok := firstWide(v, o); ok {
						v.Report(stridePath(b), "stride[%d] is %s, output %d is a 64-bit value", b, dw(stride), o.Index).InBuffer(b).AtOutput(o.Index)
						break
					}
				}
			}
		},
		Bad:  play(func(s *scene) { s.nirVS(wideText, strides{5}, out(1, 0, 4, 0, 0, 0), out(0, 0, 1, 0, 4, 0)) }),
		Good: play(func(s *scene) { s.nirVS(wideText, strides{6}, out(1, 0, 4, 0, 0, 0), out(0, 0, 1, 0, 4, 0)) }),
	}
}
