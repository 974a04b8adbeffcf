package pipe

// Kind is a kind of object that has a handle.
type Kind uint8

// Kinds of objects. The state objects come first, the shaders in the order of
// Stage, so that a stage's kind is KindShader plus the stage.
const (
	KindShader     Kind = iota // of the vertex stage; add a Stage for the others
	KindRasterizer Kind = iota + NumStages - 1
	KindDepthStencilAlpha
	KindBlend
	KindSampler
	KindVertexElements
	KindScreen
	KindContext
	KindResource
	KindTarget
	KindQuery
	KindSamplerView
	KindSurface
	KindTransfer
	KindFence
	// NumKinds is how many kinds there are.
	NumKinds = int(KindFence) + 1
)

// ShaderKind returns the kind of a stage's shaders.
func ShaderKind(s Stage) Kind { return KindShader + Kind(s) }

// Stage returns the stage of a shader kind.
func (k Kind) Stage() (Stage, bool) { return Stage(k), k < NumStages }

var kindNames = enumNames{"vs", "tcs", "tes", "gs", "fs", "cs", "ts", "ms", "rasterizer", "dsa", "blend", "sampler",
	"velems", "screen", "context", "resource", "target", "query", "view", "surface", "transfer", "fence"}

// String returns the short name that objects are called by: "vs", "target".
func (k Kind) String() string { return kindNames.spell(uint32(k)) }

// IsState says whether objects of the kind are made by create_X_state, chosen
// by bind_X_state and deleted by delete_X_state.
func (k Kind) IsState() bool { return int(k) < len(stateMethods) }
