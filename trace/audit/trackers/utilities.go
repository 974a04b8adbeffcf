package trackers

import (
	"encoding/binary"
	"math"

	"github.com/outflow-gpu/outflow/pipe"
)

// Blitter draws a quad instead of each texture copy, as util_blitter does.
func Blitter() *Utility {
	return &Utility{
		Name: "blitter",
		trigger: func(c pipe.Call) (draws, instead bool) {
			_, copies := c.(*pipe.ResourceCopyRegion)
			return copies, copies
		},
		paint: func(p *painter) error {
			var f first
			f.note(p.SetFramebuffer(&pipe.FramebufferState{Width: 64, Height: 64}))
			f.note(p.upload(-1, -1, 1, 1))
			f.note(p.strip())
			return f.err
		},
	}
}

// PostProcess draws two passes before each flush, the first into a picture of
// its own, as the pp queue of Gallium does.
func PostProcess() *Utility {
	return &Utility{
		Name:    "post-process",
		trigger: atFlush,
		paint: func(p *painter) error {
			var f first
			if p.picture == 0 {
				p.picture = f.handle(p.CreateResource(&pipe.ResourceTemplate{Target: pipe.Texture2D, Format: "PIPE_FORMAT_R8G8B8A8_UNORM",
					Width: 64, Height: 64, Depth: 1, ArraySize: 1, Bind: pipe.BindRenderTarget | pipe.BindSamplerView}))
			}
			f.note(p.upload(-1, -1, 1, 1))
			for _, target := range []pipe.Handle{p.picture, 0} {
				f.note(p.SetFramebuffer(passInto(target)))
				f.note(p.strip())
			}
			return f.err
		},
	}
}

func passInto(picture pipe.Handle) *pipe.FramebufferState {
	s := &pipe.FramebufferState{Width: 64, Height: 64}
	if picture != 0 {
		s.Cbufs = []pipe.SurfaceRef{{Embedded: true, Surface: pipe.Surface{Format: "PIPE_FORMAT_R8G8B8A8_UNORM", Texture: picture}}}
	}
	return s
}

// HUD writes the number of the frame before each flush: a background and a quad
// for each digit, with a shader of its own that it makes anew now and then.
func HUD() *Utility {
	return &Utility{
		Name:    "hud",
		trigger: atFlush,
		paint: func(p *painter) error {
			var f first
			if p.runs%25 == 0 {
				old := p.vs
				p.vs = p.shader(&f, pipe.Vertex, quadVS)
				f.note(p.BindShader(pipe.Vertex, p.vs))
				f.note(p.DeleteShader(pipe.Vertex, old))
			}
			f.note(p.upload(-1, 0.8, 1, 1))
			f.note(p.strip())
			for digit, n := 0, p.runs; n > 0; digit, n = digit+1, n/10 {
				x := 0.9 - 0.1*float32(digit)
				f.note(p.upload(x, 0.85, x+0.08, 0.95))
				f.note(p.strip())
			}
			return f.err
		},
	}
}

func atFlush(c pipe.Call) (draws, instead bool) {
	_, draws = c.(*pipe.Flush)
	return draws, false
}

// upload writes the corners of a rectangle.
func (p *painter) upload(x0, y0, x1, y1 float32) error {
	var data []byte
	for _, v := range [][2]float32{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}} {
		for _, n := range []float32{v[0], v[1], 0, 1} {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(n))
		}
	}
	return p.BufferSubdata(p.quad, 0, data)
}

func (p *painter) strip() error {
	return p.Draw(&pipe.DrawInfo{Mode: pipe.TriangleStrip, InstanceCount: 1}, pipe.DrawRange{Count: 4})
}
