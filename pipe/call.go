package pipe

// Classes that calls belong to, as traces print them. Only pipe_screen_create
// has none.
const (
	ClassScreen  = "pipe_screen"
	ClassContext = "pipe_context"
)

// Call is one method of Gallium's interface with its arguments. The dynamic
// type is a pointer to one of the structs of this package; a method without a
// struct of its own is an *Other.
type Call interface {
	// Name returns the class and the method as traces print them.
	Name() (class, method string)
}

// Other is a call that has no struct of its own. Values holds its arguments
// and may be nil.
type Other struct {
	Class, Method string
	Values        *Values
}

// Screen, context and capabilities.
type (
	// ScreenCreate makes a screen. Ret: the screen.
	ScreenCreate struct{}
	// ScreenDestroy ends the screen and all that was made of it.
	ScreenDestroy struct{}
	// GetName asks for the driver's name. Ret.Text.
	GetName struct{}
	// GetParam asks for a capability by name, "PIPE_CAP_X", or by the digits of
	// its number in traces before Mesa 22. Ret.Value holds it, negative values
	// in two's complement.
	GetParam struct{ Param string }
	// ContextCreate makes a context of the screen. Ret: the context, which below
	// a threaded context is not the one that later calls name.
	ContextCreate struct {
		Priv  Handle
		Flags uint32
	}
	// ContextDestroy ends the context with its targets, states and queries.
	ContextDestroy struct{}
)

// Resources.
type (
	// ResourceCreate makes a resource. Variant is what follows resource_create
	// in the method: "", "_drawable", "_unbacked", "_with_modifiers" and others;
	// "_from_handle" and "_from_memobj" follow resource. Ret: the resource.
	ResourceCreate struct {
		Variant    string
		Template   ResourceTemplate
		LoaderData Handle // of _drawable
	}
	// ResourceDestroy ends a resource. It has not been traced since Mesa 17.2.
	ResourceDestroy struct{ Resource Handle }
	// ResourceRelease drops a reference of the state tracker; the resource may
	// live on.
	ResourceRelease struct{ Resource Handle }
	// ReplaceBufferStorage gives Dst the storage of Src.
	ReplaceBufferStorage struct{ Dst, Src Handle }
	// InvalidateResource makes the contents undefined.
	InvalidateResource struct{ Resource Handle }
	// ResourceCopyRegion copies SrcBox of one resource into another; for buffers
	// the coordinates are bytes.
	ResourceCopyRegion struct {
		Dst                        Handle
		DstLevel, DstX, DstY, DstZ uint32
		Src                        Handle
		SrcLevel                   uint32
		SrcBox                     Box
	}
	// ClearBuffer fills Size bytes at Offset with a value that traces do not record.
	ClearBuffer struct {
		Resource     Handle
		Offset, Size uint32 // bytes
		Value        Handle
		ValueSize    int32 // bytes
	}
	// BufferSubdata writes Data to a buffer at Offset. A Synthetic one was never
	// called: the trace's writer adds it at an unmap to record what was mapped.
	BufferSubdata struct {
		Resource            Handle
		Usage               MapFlags
		Offset, Size        uint32 // bytes
		Data                Blob
		Synthetic           bool
		Stride, LayerStride uint32 // of a synthetic one
	}
	// TextureSubdata writes Data to a box of a texture.
	TextureSubdata struct {
		Resource            Handle
		Level               uint32
		Usage               MapFlags
		Box                 Box
		Data                Blob
		Stride, LayerStride uint32 // bytes
	}
	// Map is buffer_map or texture_map. Ret: the mapped address. The object that
	// Unmap names is Transfer.
	Map struct {
		Texture  bool
		Resource Handle
		Level    uint32
		Usage    MapFlags
		Box      Box
		Transfer Handle
	}
	// FlushRegion is transfer_flush_region.
	FlushRegion struct {
		Transfer Handle
		Box      Box
	}
	// Unmap is transfer_unmap, of buffers and textures.
	Unmap struct{ Transfer Handle }
)

// State objects.
type (
	// CreateShader makes a shader of a graphics stage. Ret: the shader.
	CreateShader struct {
		Stage Stage
		State ShaderState
	}
	// CreateCompute makes a compute shader. Ret: the shader.
	CreateCompute struct{ State ComputeState }
	// CreateRasterizer makes a rasterizer state. Ret: the state.
	CreateRasterizer struct{ State RasterizerState }
	// CreateDepthStencilAlpha makes a depth/stencil/alpha state. Ret: the state.
	CreateDepthStencilAlpha struct{ State DepthStencilAlphaState }
	// CreateBlend makes a blend state. Ret: the state.
	CreateBlend struct{ State BlendState }
	// CreateSampler makes a sampler state. Ret: the state.
	CreateSampler struct{ State SamplerState }
	// CreateVertexElements makes a vertex elements state. Ret: the state.
	CreateVertexElements struct{ Elements []VertexElement }
	// BindState makes a state object current; NULL unbinds. Samplers are bound
	// by BindSamplers. A trace that began late may hold the state itself instead
	// of its handle: then Inline is it, as a pointer to its struct.
	BindState struct {
		Kind   Kind
		State  Handle
		Inline any
	}
	// DeleteState ends a state object.
	DeleteState struct {
		Kind  Kind
		State Handle
	}
	// BindSamplers binds sampler states of a stage from slot Start on.
	BindSamplers struct {
		Stage  Stage
		Start  uint32
		States []Handle
	}
)

// Stream output.
type (
	// CreateStreamOutputTarget makes a target of a range of a buffer. Ret: the target.
	CreateStreamOutputTarget struct {
		Resource                 Handle
		BufferOffset, BufferSize uint32 // bytes
	}
	// DestroyStreamOutputTarget ends a target. Few drivers' traces show it.
	DestroyStreamOutputTarget struct{ Target Handle }
	// SetStreamOutputTargets binds targets to all slots: those from NumTargets
	// on are unbound. An offset of AppendOffset goes on where the target
	// stopped, any other sets its fill position in bytes from the target's
	// start. Targets and Offsets are nil for NULL.
	SetStreamOutputTargets struct {
		NumTargets uint32
		Targets    []Handle
		Offsets    []uint32
		// OutputPrim is given since Mesa 25, else PrimitiveUnknown.
		OutputPrim PrimitiveType
	}
)

// Filled returns the targets of the slots that the call fills, from slot 0 on, NULL
// ones among them: as many as it says, but no more than there are slots or than it
// names.
func (c *SetStreamOutputTargets) Filled() []Handle {
	return c.Targets[:min(c.NumTargets, uint32(len(c.Targets)), MaxStreamOutputBuffers)]
}

// Draws.
type (
	// Draw is draw_vbo.
	Draw struct {
		Info         DrawInfo
		DrawIDOffset uint32
		Indirect     *DrawIndirect // nil for NULL
		Draws        []DrawRange
		NumDraws     uint32
	}
	// DrawVertexState is draw_vertex_state: always indexed, one instance.
	DrawVertexState struct {
		State         Handle
		PartialMask   uint32
		Mode          PrimitiveType
		TakeOwnership bool
		Draws         []DrawRange
		NumDraws      uint32
	}
	// LaunchGrid runs a compute shader.
	LaunchGrid struct{ Info GridInfo }
	// Clear clears attachments of the framebuffer.
	Clear struct {
		Buffers          uint32 // PIPE_CLEAR_*
		ColorClearMask   uint32 // since Mesa 26
		StencilClearMask uint8  // since Mesa 26
		Scissor          *Scissor
		Color            *[4]uint32 // bits of the colour, nil for NULL
		Depth            float64
		Stencil          uint32
	}
	// Flush submits what was recorded. Ret: a fence, NULL when none was asked for.
	Flush struct{ Flags uint32 }
)

// Queries.
type (
	// CreateQuery makes a query; Index is the vertex stream of those that have
	// one. Ret: the query.
	CreateQuery struct {
		Type  QueryType
		Index uint32
	}
	// DestroyQuery ends a query.
	DestroyQuery struct{ Query Handle }
	// BeginQuery starts counting.
	BeginQuery struct{ Query Handle }
	// EndQuery stops counting.
	EndQuery struct{ Query Handle }
	// GetQueryResult reads a result: Ret.Value is 1 when it was there, Ret.Query it.
	GetQueryResult struct {
		Query Handle
		Wait  bool
	}
	// GetQueryResultResource writes a result into a buffer. Index -1 asks for
	// availability.
	GetQueryResultResource struct {
		Query      Handle
		Flags      uint32 // PIPE_QUERY_WAIT 1, PIPE_QUERY_PARTIAL 2
		ResultType uint32
		Index      int32
		Resource   Handle
		Offset     uint32 // bytes
	}
	// RenderCondition makes drawing depend on a query; NULL ends that.
	RenderCondition struct {
		Query     Handle
		Condition bool
		Mode      uint32
	}
	// SetActiveQueryState pauses and resumes all queries.
	SetActiveQueryState struct{ Enable bool }
)

// Bindings.
type (
	// SetVertexBuffers binds vertex buffers from slot Start on. With All (Mesa
	// 24 and later) every slot behind is unbound; before, only Count slots and
	// UnbindTrailing more change. Buffers is nil for NULL.
	SetVertexBuffers struct {
		All            bool
		Start          uint32
		Count          uint32
		UnbindTrailing uint32
		TakeOwnership  bool
		Buffers        []VertexBuffer
	}
	// SetConstantBuffer binds a constant buffer; nil unbinds.
	SetConstantBuffer struct {
		Stage         Stage
		Index         uint32
		TakeOwnership bool
		Buffer        *ConstantBuffer
	}
	// SetShaderBuffers binds storage buffers; nil unbinds an unknown number.
	SetShaderBuffers struct {
		Stage        Stage
		Start        uint32
		Buffers      []ShaderBuffer
		WritableMask uint32
	}
	// SetShaderImages binds shader images; nil unbinds an unknown number.
	SetShaderImages struct {
		Stage          Stage
		Start          uint32
		Images         []ImageView
		UnbindTrailing uint32
	}
	// CreateSamplerView makes a view of a resource. Ret: the view.
	CreateSamplerView struct {
		Resource Handle
		View     SamplerView
	}
	// DestroySamplerView is sampler_view_destroy, or sampler_view_release.
	DestroySamplerView struct {
		View    Handle
		Release bool
	}
	// SetSamplerViews binds views; Count is the number of slots set, Views nil for NULL.
	SetSamplerViews struct {
		Stage          Stage
		Start          uint32
		Count          uint32
		UnbindTrailing uint32
		TakeOwnership  bool
		Views          []Handle
	}
	// CreateSurface makes a surface object. Ret: the surface.
	CreateSurface struct {
		Resource Handle
		Surface  Surface
	}
	// DestroySurface ends a surface object.
	DestroySurface struct{ Surface Handle }
	// SetFramebuffer binds the framebuffer.
	SetFramebuffer struct{ State FramebufferState }
	// SetTessState sets the tessellation levels used without a TCS.
	SetTessState struct {
		Outer [4]float32
		Inner [2]float32
	}
	// SetPatchVertices sets the control points of an input patch.
	SetPatchVertices struct{ Vertices uint32 }
	// SetViewports sets viewports; traces record the first of Count only.
	SetViewports struct {
		Start, Count uint32
		Viewports    []Viewport
	}
	// SetScissors sets scissors; traces record the first of Count only.
	SetScissors struct {
		Start, Count uint32
		Scissors     []Scissor
	}
	// SetBlendColor sets the constant blend colour.
	SetBlendColor struct{ Color [4]float32 }
	// SetStencilRef sets the stencil references of the front and the back.
	SetStencilRef struct{ Ref [2]uint8 }
	// SetSampleMask sets which samples are written.
	SetSampleMask struct{ Mask uint32 }
	// SetMinSamples sets the least number of shaded samples.
	SetMinSamples struct{ Samples uint32 }
	// MemoryBarrier orders memory accesses (PIPE_BARRIER_*).
	MemoryBarrier struct{ Flags uint32 }
)

// NewWorld is not a call of Gallium: a replay sends it where a trace begins
// anew, so that nothing before it is taken for alive. Drivers ignore it.
type NewWorld struct{}
