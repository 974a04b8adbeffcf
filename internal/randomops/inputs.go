package randomops

import "github.com/outflow-gpu/outflow/pipe"

// newStates makes state objects and binds some of them.
func (x *context) newStates() {
	f := func() float32 { return float32(x.r.IntN(3)) }
	if len(x.states[pipe.KindBlend]) > maxShaders {
		return
	}
	add := func(k pipe.Kind, h pipe.Handle) {
		x.states[k] = append(x.states[k], h)
		x.current[k] = h
		x.note(x.Bind(k, h))
	}
	add(pipe.KindRasterizer, x.made(x.CreateRasterizer(&pipe.RasterizerState{HalfPixelCenter: true, LineWidth: 1 + f(), PointSize: 1,
		CullFace: uint8(x.r.IntN(3)), DepthClipNear: true, DepthClipFar: true})))
	add(pipe.KindDepthStencilAlpha, x.made(x.CreateDepthStencilAlpha(&pipe.DepthStencilAlphaState{DepthEnabled: x.r.IntN(2) == 0, DepthFunc: pipe.CompareFunc(x.r.IntN(8))})))
	add(pipe.KindBlend, x.made(x.CreateBlend(&pipe.BlendState{RT: [8]pipe.RTBlendState{{ColorMask: uint8(x.r.IntN(16))}}})))
	x.samplers = append(x.samplers, x.made(x.CreateSampler(&pipe.SamplerState{MaxLod: f(), MaxAnisotropy: uint8(x.r.IntN(2))})))
	if x.r.IntN(4) == 0 {
		s := x.call(&pipe.CreateCompute{State: pipe.ComputeState{IRType: "PIPE_SHADER_IR_TGSI", Program: []byte("COMP\n  0: END\n"), StaticSharedMem: uint32(x.r.IntN(3))}}).Handle
		add(pipe.ShaderKind(pipe.Compute), s)
	}
}

// dropState deletes a state object that is not bound.
func (x *context) dropState() {
	k := oneOf(x.r, pipe.KindRasterizer, pipe.KindDepthStencilAlpha, pipe.KindBlend, pipe.ShaderKind(pipe.Compute))
	list := x.states[k]
	if len(list) < 2 || list[0] == x.current[k] {
		return
	}
	x.note(x.Delete(k, list[0]))
	x.states[k] = list[1:]
}

// harmless does one thing that stream output does not depend on.
func (x *context) harmless() {
	r := x.r
	calls := []func() pipe.Call{
		func() pipe.Call { return &pipe.SetBlendColor{Color: [4]float32{r.Float32(), 0, 0, 1}} },
		func() pipe.Call { return &pipe.SetStencilRef{Ref: [2]uint8{uint8(r.IntN(256)), 1}} },
		func() pipe.Call { return &pipe.SetSampleMask{Mask: r.Uint32()} },
		func() pipe.Call { return &pipe.SetMinSamples{Samples: 1} },
		func() pipe.Call { return &pipe.SetTessState{Outer: [4]float32{1, 1, 1, 1}, Inner: [2]float32{1, 1}} },
		func() pipe.Call {
			return &pipe.SetViewports{Count: 1, Viewports: []pipe.Viewport{{Scale: [3]float32{32, 32, 1}, Translate: [3]float32{32, 32, r.Float32()}}}}
		},
		func() pipe.Call {
			return &pipe.SetScissors{Count: 1, Scissors: []pipe.Scissor{{MaxX: uint16(r.IntN(64)), MaxY: 64}}}
		},
		func() pipe.Call { return &pipe.Flush{} },
		func() pipe.Call { return &pipe.MemoryBarrier{Flags: 1} },
		func() pipe.Call {
			return &pipe.Clear{Buffers: 4, Color: &[4]uint32{r.Uint32(), 0, 0, 0}, Depth: r.Float64()}
		},
		func() pipe.Call {
			return &pipe.SetFramebuffer{State: pipe.FramebufferState{Width: 64, Height: 64, Cbufs: []pipe.SurfaceRef{{Embedded: true,
				Surface: pipe.Surface{Format: "PIPE_FORMAT_R8G8B8A8_UNORM", Texture: x.picture}}}}}
		},
		func() pipe.Call {
			return &pipe.Other{Class: pipe.ClassContext, Method: "set_polygon_stipple"}
		},
		func() pipe.Call {
			return &pipe.ResourceCopyRegion{Dst: x.picture, Src: x.texture, SrcBox: pipe.Box{Width: 16, Height: 16, Depth: 1}}
		},
		func() pipe.Call {
			return &pipe.TextureSubdata{Resource: x.texture, Usage: pipe.MapWrite, Box: pipe.Box{Width: 1, Height: 1, Depth: 1},
				Data: pipe.BytesBlob([]byte{1, 2, 3, byte(r.IntN(256))}), Stride: 4, LayerStride: 4}
		},
		func() pipe.Call {
			return &pipe.BufferSubdata{Resource: x.vertices, Usage: pipe.MapWrite, Offset: uint32(r.IntN(64)) * 4, Size: 4, Data: pipe.BytesBlob([]byte{0, 0, 0, byte(r.IntN(256))})}
		},
	}
	x.call(calls[r.IntN(len(calls))]())
}

// bindInputs binds what shaders read.
func (x *context) bindInputs() {
	stage := oneOf(x.r, pipe.Vertex, pipe.Fragment)
	switch x.r.IntN(4) {
	case 0:
		var b *pipe.ConstantBuffer
		if x.r.IntN(3) != 0 {
			b = &pipe.ConstantBuffer{Resource: x.constants, Size: 256}
		}
		x.note(x.SetConstantBuffer(stage, uint32(x.r.IntN(2)), b))
	case 1:
		x.call(&pipe.SetShaderBuffers{Stage: pipe.Fragment, Buffers: []pipe.ShaderBuffer{{Resource: x.storage, Size: 64}}, WritableMask: uint32(x.r.IntN(2))})
	case 2:
		if len(x.samplers) > 0 {
			x.call(&pipe.BindSamplers{Stage: stage, Start: uint32(x.r.IntN(2)), States: []pipe.Handle{oneOf(x.r, x.samplers...)}})
		}
	case 3:
		x.call(&pipe.SetShaderImages{Stage: pipe.Fragment, Images: []pipe.ImageView{{Resource: x.texture, Format: "PIPE_FORMAT_R8G8B8A8_UNORM", Access: 1}}})
	}
}

func (x *context) compute() {
	if x.current[pipe.ShaderKind(pipe.Compute)] == 0 {
		return
	}
	x.call(&pipe.LaunchGrid{Info: pipe.GridInfo{Block: [3]uint32{1, 1, 1}, Grid: [3]uint32{uint32(1 + x.r.IntN(4)), 1, 1}}})
}

// sampled makes views and surfaces, binds the views, and destroys what it made.
func (x *context) sampled() {
	if x.r.IntN(2) == 0 {
		s := x.call(&pipe.CreateSurface{Resource: x.picture, Surface: pipe.Surface{Format: "PIPE_FORMAT_R8G8B8A8_UNORM", Width: 64, Height: 64}}).Handle
		x.call(&pipe.DestroySurface{Surface: s})
		return
	}
	v := x.call(&pipe.CreateSamplerView{Resource: x.texture, View: pipe.SamplerView{Format: "PIPE_FORMAT_R8G8B8A8_UNORM", Target: pipe.Texture2D}}).Handle
	x.call(&pipe.SetSamplerViews{Stage: pipe.Fragment, Count: 1, Views: []pipe.Handle{v}})
	x.drawSomething()
	x.call(&pipe.SetSamplerViews{Stage: pipe.Fragment, Count: 1, Views: []pipe.Handle{0}})
	x.call(&pipe.DestroySamplerView{View: v})
}

// resources makes, maps, fills, invalidates and destroys buffers that nothing
// else uses.
func (x *context) resources() {
	if len(x.spare) < 2 {
		x.spare = append(x.spare, x.buffer(1024, pipe.BindVertexBuffer))
		return
	}
	b := x.spare[0]
	switch x.r.IntN(6) {
	case 0:
		box := pipe.Box{X: int32(x.r.IntN(8)), Width: 16, Height: 1, Depth: 1}
		transfer := pipe.Handle(0x7f0000000000) + x.Handle<<4 + pipe.Handle(x.r.IntN(8))
		x.call(&pipe.Map{Resource: b, Usage: pipe.MapWrite, Box: box, Transfer: transfer})
		if x.r.IntN(2) == 0 {
			x.call(&pipe.FlushRegion{Transfer: transfer, Box: pipe.Box{Width: 8, Height: 1, Depth: 1}})
		}
		x.call(&pipe.Unmap{Transfer: transfer})
	case 1:
		x.call(&pipe.ClearBuffer{Resource: b, Offset: 16, Size: 64, ValueSize: 4})
	case 2:
		x.call(&pipe.InvalidateResource{Resource: b})
	case 3:
		x.call(&pipe.ResourceCopyRegion{Dst: b, Src: x.spare[1], SrcBox: pipe.Box{Width: 64, Height: 1, Depth: 1}})
	case 4:
		x.call(&pipe.ReplaceBufferStorage{Dst: b, Src: x.spare[1]})
	case 5:
		x.spare = x.spare[1:]
		op := pipe.Op{Call: &pipe.ResourceDestroy{Resource: b}, Screen: x.Screen}
		x.note(x.Driver.Do(&op))
	}
}

// changeTargets destroys a target, its buffer with it, and makes another.
func (x *context) changeTargets() {
	t := x.targets[0]
	x.targets = x.targets[1:]
	x.note(x.DestroyStreamOutputTarget(t.handle))
	op := pipe.Op{Call: &pipe.ResourceDestroy{Resource: t.buffer}, Screen: x.Screen}
	x.note(x.Driver.Do(&op))
	x.newTarget()
}
