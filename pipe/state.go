package pipe

// ShaderState is what a shader is made from: pipe_shader_state, for every
// graphics stage. The zero value has no text and no stream output.
type ShaderState struct {
	// Type is enum pipe_shader_ir as the Mesa that is spoken to numbers it:
	// NIR is 2 up to Mesa 25 and 1 in 26.
	Type uint32
	// Tokens is the TGSI text, nil for NULL.
	Tokens []byte
	// NIR is the NIR text, nil for NULL. A trace may hold a sentence or "..."
	// instead of a shader, see package shader.
	NIR []byte
	// StreamOutput is what the shader captures when it is the last vertex stage.
	StreamOutput StreamOutputInfo
}

// Text returns the shader's text, NIR or TGSI, nil when there is none.
func (s *ShaderState) Text() []byte {
	if s.NIR != nil {
		return s.NIR
	}
	return s.Tokens
}

// ComputeState is what a compute shader is made from (pipe_compute_state).
type ComputeState struct {
	IRType          string // enum pipe_shader_ir by name, or its digits
	Program         []byte // text, nil for NULL
	StaticSharedMem uint32 // bytes
	ReqInputMem     uint32 // bytes
}

// RasterizerState is pipe_rasterizer_state.
type RasterizerState struct {
	Flatshade, LightTwoside                                       bool
	ClampVertexColor, ClampFragmentColor                          bool
	FrontCCW                                                      bool
	CullFace                                                      uint8 // PIPE_FACE_*: bit 0 front, bit 1 back
	FillFront, FillBack                                           uint8 // PIPE_POLYGON_MODE_*
	OffsetPoint, OffsetLine, OffsetTri                            bool
	Scissor, PolySmooth, PolyStippleEnable                        bool
	PointSmooth                                                   bool
	SpriteCoordMode                                               uint8
	PointQuadRasterization, PointSizePerVertex                    bool
	Multisample, NoMSSampleMaskOut, ForcePersampleInterp          bool
	LineSmooth, LineRectangular, LineStippleEnable, LineLastPixel bool
	FlatshadeFirst                                                bool // the first vertex provokes, else the last
	HalfPixelCenter, BottomEdgeRule                               bool
	RasterizerDiscard                                             bool // nothing is drawn, stream output goes on
	DepthClamp, DepthClipNear, DepthClipFar, ClipHalfZ            bool
	ClipPlaneEnable                                               uint8
	LineStippleFactor                                             uint8
	LineStipplePattern                                            uint16
	SpriteCoordEnable                                             uint32
	LineWidth, PointSize, OffsetUnits, OffsetScale, OffsetClamp   float32
}

// StencilState is the stencil test of one facing (pipe_stencil_state).
type StencilState struct {
	Enabled   bool
	Func      CompareFunc
	FailOp    StencilOp // the stencil test fails
	ZPassOp   StencilOp // both tests pass
	ZFailOp   StencilOp // the stencil test passes, the depth test fails
	ValueMask uint8
	WriteMask uint8
}

// DepthStencilAlphaState is pipe_depth_stencil_alpha_state. Stencil[1] is the
// back facing; when it is disabled, Stencil[0] holds for both.
type DepthStencilAlphaState struct {
	DepthEnabled   bool
	DepthWriteMask bool
	DepthFunc      CompareFunc
	Stencil        [2]StencilState
	AlphaEnabled   bool
	AlphaFunc      CompareFunc
	AlphaRef       float32
}

// RTBlendState is the blending of one render target (pipe_rt_blend_state).
type RTBlendState struct {
	Enable             bool
	RGBFunc            BlendFunc
	RGBSrc, RGBDst     BlendFactor
	AlphaFunc          BlendFunc
	AlphaSrc, AlphaDst BlendFactor
	ColorMask          uint8
}

// BlendState is pipe_blend_state. Only RT[0] counts without IndependentBlend.
type BlendState struct {
	IndependentBlend                                   bool
	LogicOpEnable                                      bool
	LogicOp                                            LogicOp
	Dither                                             bool
	AlphaToCoverage, AlphaToCoverageDither, AlphaToOne bool
	MaxRT                                              uint8 // index of the last render target
	AdvancedBlendFunc                                  uint8
	RT                                                 [8]RTBlendState
}

// SamplerState is pipe_sampler_state.
type SamplerState struct {
	WrapS, WrapT, WrapR                      uint8
	MinImgFilter, MinMipFilter, MagImgFilter uint8
	CompareMode                              uint8
	CompareFunc                              CompareFunc
	UnnormalizedCoords                       bool
	MaxAnisotropy                            uint8
	SeamlessCubeMap                          bool
	LodBias, MinLod, MaxLod                  float32
	BorderColor                              [4]float32
	BorderColorFormat                        Format
}

// VertexElement is one vertex input (pipe_vertex_element). SrcStride, in bytes,
// lives here since Mesa 23.3 and in VertexBuffer before; the other is zero.
type VertexElement struct {
	SrcOffset         uint32 // bytes
	VertexBufferIndex uint8
	InstanceDivisor   uint32
	DualSlot          bool
	SrcFormat         Format
	SrcStride         uint32 // bytes
	HasSrcStride      bool   // the writer keeps strides in elements
}

// VertexBuffer is one vertex buffer binding (pipe_vertex_buffer).
type VertexBuffer struct {
	Stride       uint32 // bytes, before Mesa 23.3
	HasStride    bool   // the writer keeps strides in bindings
	IsUserBuffer bool   // Resource is application memory, not a resource
	Offset       uint32 // bytes
	Resource     Handle
}

// ConstantBuffer is a constant buffer binding (pipe_constant_buffer). Resource
// is NULL with a size when user memory was given.
type ConstantBuffer struct {
	Resource     Handle
	Offset, Size uint32 // bytes
}

// ShaderBuffer is a storage buffer binding (pipe_shader_buffer).
type ShaderBuffer struct {
	Resource     Handle
	Offset, Size uint32 // bytes
}

// ImageView is a shader image binding (pipe_image_view).
type ImageView struct {
	Resource     Handle
	Format       Format
	Access       uint16
	IsBuffer     bool   // which of the two ranges below counts
	Offset, Size uint32 // bytes, of a buffer
	Level        uint8
	FirstLayer   uint32
	LastLayer    uint32
}

// SamplerView is what shaders sample (pipe_sampler_view). Texture is what the
// template held; the resource viewed is an argument of its own.
type SamplerView struct {
	Format                                 Format
	Target                                 TextureTarget
	Texture                                Handle
	IsBuffer                               bool
	Offset, Size                           uint32 // bytes, of a buffer
	FirstLayer, LastLayer                  uint32
	FirstLevel, LastLevel                  uint8
	SwizzleR, SwizzleG, SwizzleB, SwizzleA uint8
}

// Surface is a view that is drawn to (pipe_surface). It is an object of its own
// up to Mesa 25.1, and a value inside the framebuffer since.
type Surface struct {
	Format                Format
	Texture               Handle
	Width, Height         uint16
	Target                TextureTarget
	IsBuffer              bool
	FirstElement          uint32 // of a buffer surface
	LastElement           uint32
	Level                 uint8
	FirstLayer, LastLayer uint32
}

// SurfaceRef is one attachment of a framebuffer: the handle of a surface object
// or, when Embedded, the surface itself.
type SurfaceRef struct {
	Handle   Handle
	Embedded bool
	Surface  Surface
}

// FramebufferState is pipe_framebuffer_state.
type FramebufferState struct {
	Width, Height uint16
	Samples       uint8
	Layers        uint16
	PLSEnabled    bool
	Cbufs         []SurfaceRef
	Zsbuf         SurfaceRef
}

// Viewport is pipe_viewport_state.
type Viewport struct {
	Scale, Translate [3]float32
}

// Scissor is pipe_scissor_state, in pixels.
type Scissor struct {
	MinX, MinY, MaxX, MaxY uint16
}

// Box is pipe_box. For buffers X and Width are bytes.
type Box struct {
	X, Y, Z, Width, Height, Depth int32
}

// ResourceTemplate is what a resource is made from (pipe_resource). Of a buffer
// Width is its size in bytes.
type ResourceTemplate struct {
	Target                        TextureTarget
	Format                        Format
	Width                         uint32
	Height, Depth, ArraySize      uint16
	LastLevel                     uint8
	NumSamples, NumStorageSamples uint8
	Usage                         uint32
	Bind                          BindFlags
	Flags                         uint32
}

// BindFlags say what a resource may be bound as (PIPE_BIND_*).
type BindFlags uint32

// Bind flags that stream output is concerned with.
const (
	BindRenderTarget   BindFlags = 1 << 1
	BindSamplerView    BindFlags = 1 << 3
	BindVertexBuffer   BindFlags = 1 << 4
	BindIndexBuffer    BindFlags = 1 << 5
	BindConstantBuffer BindFlags = 1 << 6
	// BindStreamOutput is PIPE_BIND_STREAM_OUTPUT since Mesa 10.6; it was bit 11 before.
	BindStreamOutput BindFlags = 1 << 10
	BindShaderBuffer BindFlags = 1 << 14
	BindShaderImage  BindFlags = 1 << 15
)

// DrawInfo is pipe_draw_info. Index fields mean nothing without IndexSize.
type DrawInfo struct {
	IndexSize        uint8 // bytes of an index, 0 when not indexed
	HasUserIndices   bool  // Index is application memory
	Mode             PrimitiveType
	StartInstance    uint32
	InstanceCount    uint32
	MinIndex         uint32
	MaxIndex         uint32
	PrimitiveRestart bool
	RestartIndex     uint32
	Index            Handle
	// VerticesPerPatch is the size of a patch where the draw says it, as Mesa
	// 10.6 to 21.2 do; 0 where set_patch_vertices does.
	VerticesPerPatch uint8
}

// DrawIndirect is pipe_draw_indirect_info. A draw-auto has only
// CountFromStreamOutput; an indirect draw has Buffer.
type DrawIndirect struct {
	Offset, Stride        uint32 // bytes
	DrawCount             uint32
	CountOffset           uint32 // bytes into Count
	Buffer                Handle
	Count                 Handle // buffer with the number of draws
	CountFromStreamOutput Handle // target whose filled bytes give the vertices
}

// DrawRange is pipe_draw_start_count_bias.
type DrawRange struct {
	Start, Count uint32
	IndexBias    int32
	HasIndexBias bool // the writer recorded it: Mesa 26 leaves it out when not indexed
}

// GridInfo is pipe_grid_info, as far as it is kept.
type GridInfo struct {
	VariableSharedMem uint32 // bytes
	Block, Grid       [3]uint32
	Indirect          Handle
	IndirectOffset    uint32 // bytes
}
