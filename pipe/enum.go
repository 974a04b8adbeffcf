package pipe

import "strconv"

// enumNames spells the values of an enumeration, the index being the value.
// An empty name is a value without one.
type enumNames []string

// spell returns the name of v, or its decimal number when it has none.
func (names enumNames) spell(v uint32) string {
	if uint64(v) < uint64(len(names)) && names[v] != "" {
		return names[v]
	}
	return strconv.FormatUint(uint64(v), 10)
}

// value returns the number of a name, or of a decimal number below 1<<32.
func (names enumNames) value(s string) (uint32, bool) {
	for v, name := range names {
		if name == s && name != "" {
			return uint32(v), true
		}
	}
	v, err := strconv.ParseUint(s, 10, 32)
	return uint32(v), err == nil
}

// Stage is a shader stage, numbered as gl_shader_stage
// (src/compiler/shader_enums.h).
type Stage uint8

// The stages that Gallium has state for.
const (
	Vertex Stage = iota
	TessCtrl
	TessEval
	Geometry
	Fragment
	Compute
	Task
	Mesh
	// NumStages is how many stages there are.
	NumStages = 8
)

var stageNames = enumNames{"MESA_SHADER_VERTEX", "MESA_SHADER_TESS_CTRL", "MESA_SHADER_TESS_EVAL", "MESA_SHADER_GEOMETRY",
	"MESA_SHADER_FRAGMENT", "MESA_SHADER_COMPUTE", "MESA_SHADER_TASK", "MESA_SHADER_MESH",
	"MESA_SHADER_RAYGEN", "MESA_SHADER_ANY_HIT", "MESA_SHADER_CLOSEST_HIT", "MESA_SHADER_MISS", "MESA_SHADER_INTERSECTION", "MESA_SHADER_CALLABLE"}

// pipeStageNames is the spelling of traces before Mesa 22.3.
var pipeStageNames = enumNames{"PIPE_SHADER_VERTEX", "PIPE_SHADER_TESS_CTRL", "PIPE_SHADER_TESS_EVAL", "PIPE_SHADER_GEOMETRY",
	"PIPE_SHADER_FRAGMENT", "PIPE_SHADER_COMPUTE", "PIPE_SHADER_TASK", "PIPE_SHADER_MESH"}

var stageWords = enumNames{"vertex", "tess_ctrl", "tess_eval", "geometry", "fragment", "compute", "task", "mesh"}

// stageMethods is the infix of the stage's methods: create_vs_state.
var stageMethods = enumNames{"vs", "tcs", "tes", "gs", "fs", "compute", "ts", "ms"}

// Name returns Mesa's spelling, "MESA_SHADER_VERTEX".
func (s Stage) Name() string { return stageNames.spell(uint32(s)) }

// String returns a word for people: "vertex", "tess_eval".
func (s Stage) String() string { return stageWords.spell(uint32(s)) }

// Infix returns how methods name the stage: "vs" in create_vs_state.
func (s Stage) Infix() string { return stageMethods.spell(uint32(s)) }

// CanStreamOut says whether the stage can be the last one before stream output.
func (s Stage) CanStreamOut() bool { return s == Vertex || s == TessEval || s == Geometry }

// ParseStage reads any of the spellings MESA_SHADER_X, PIPE_SHADER_X, the word
// of String, or the number of Mesa 22.3 and later.
func ParseStage(s string) (Stage, bool) {
	for _, names := range []enumNames{stageNames, pipeStageNames, stageWords} {
		if v, ok := names.value(s); ok && v < 1<<8 {
			return Stage(v), true
		}
	}
	return 0, false
}

// PrimitiveType is the kind of primitive of a draw (enum mesa_prim).
type PrimitiveType uint8

// Primitive types.
const (
	Points PrimitiveType = iota
	Lines
	LineLoop
	LineStrip
	Triangles
	TriangleStrip
	TriangleFan
	Quads
	QuadStrip
	Polygon
	LinesAdjacency
	LineStripAdjacency
	TrianglesAdjacency
	TriangleStripAdjacency
	Patches
	// PrimitiveUnknown is what set_stream_output_targets gives for output_prim
	// when the state tracker does not know it (MESA_PRIM_UNKNOWN), and "not
	// recorded" in general.
	PrimitiveUnknown PrimitiveType = 28
)

var primitiveNames = enumNames{"points", "lines", "line_loop", "line_strip", "triangles", "triangle_strip", "triangle_fan",
	"quads", "quad_strip", "polygon", "lines_adjacency", "line_strip_adjacency", "triangles_adjacency", "triangle_strip_adjacency", "patches"}

// String returns a word for people: "triangle_strip".
func (p PrimitiveType) String() string { return primitiveNames.spell(uint32(p)) }

// ParsePrimitiveType reads the word of String or a number.
func ParsePrimitiveType(s string) (PrimitiveType, bool) {
	v, ok := primitiveNames.value(s)
	return PrimitiveType(v), ok && v < 1<<8
}

// Adjacency says whether the type carries neighbours for a geometry shader.
func (p PrimitiveType) Adjacency() bool { return p >= LinesAdjacency && p <= TriangleStripAdjacency }

// Vertices returns how many vertices one decomposed primitive has as stream
// output writes it: 1, 2 or 3, and 0 for patches and unknown types.
func (p PrimitiveType) Vertices() int {
	switch p {
	case Points:
		return 1
	case Lines, LineLoop, LineStrip, LinesAdjacency, LineStripAdjacency:
		return 2
	case Triangles, TriangleStrip, TriangleFan, Quads, QuadStrip, Polygon, TrianglesAdjacency, TriangleStripAdjacency:
		return 3
	}
	return 0
}

// TextureTarget is the shape of a resource (enum pipe_texture_target).
type TextureTarget uint8

// Texture targets.
const (
	Buffer TextureTarget = iota
	Texture1D
	Texture2D
	Texture3D
	TextureCube
	TextureRect
	Texture1DArray
	Texture2DArray
	TextureCubeArray
)

var targetNames = enumNames{"PIPE_BUFFER", "PIPE_TEXTURE_1D", "PIPE_TEXTURE_2D", "PIPE_TEXTURE_3D", "PIPE_TEXTURE_CUBE",
	"PIPE_TEXTURE_RECT", "PIPE_TEXTURE_1D_ARRAY", "PIPE_TEXTURE_2D_ARRAY", "PIPE_TEXTURE_CUBE_ARRAY"}

// String returns Mesa's spelling.
func (t TextureTarget) String() string { return targetNames.spell(uint32(t)) }

// ParseTextureTarget reads Mesa's spelling or a number.
func ParseTextureTarget(s string) (TextureTarget, bool) {
	v, ok := targetNames.value(s)
	return TextureTarget(v), ok && v < 1<<8
}

// QueryType is the kind of a query (enum pipe_query_type).
type QueryType uint32

// Query types.
const (
	QueryOcclusionCounter QueryType = iota
	QueryOcclusionPredicate
	QueryOcclusionPredicateConservative
	QueryTimestamp
	QueryTimestampDisjoint
	QueryTimeElapsed
	QueryPrimitivesGenerated
	QueryPrimitivesEmitted
	QueryStreamOutputStatistics
	QueryStreamOutputOverflow
	QueryStreamOutputOverflowAny
	QueryGPUFinished
	QueryPipelineStatistics
	QueryPipelineStatisticsSingle
	// QueryInvalid is what a trace prints as <invalid>: a query type that its
	// writer has no name for, driver-specific ones among them.
	QueryInvalid QueryType = 1<<32 - 1
)

var queryNames = enumNames{"PIPE_QUERY_OCCLUSION_COUNTER", "PIPE_QUERY_OCCLUSION_PREDICATE", "PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE",
	"PIPE_QUERY_TIMESTAMP", "PIPE_QUERY_TIMESTAMP_DISJOINT", "PIPE_QUERY_TIME_ELAPSED", "PIPE_QUERY_PRIMITIVES_GENERATED",
	"PIPE_QUERY_PRIMITIVES_EMITTED", "PIPE_QUERY_SO_STATISTICS", "PIPE_QUERY_SO_OVERFLOW_PREDICATE", "PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE",
	"PIPE_QUERY_GPU_FINISHED", "PIPE_QUERY_PIPELINE_STATISTICS", "PIPE_QUERY_PIPELINE_STATISTICS_SINGLE"}

// String returns Mesa's spelling, "<invalid>" for QueryInvalid.
func (t QueryType) String() string {
	if t == QueryInvalid {
		return "<invalid>"
	}
	return queryNames.spell(uint32(t))
}

// ParseQueryType reads Mesa's spelling, "<invalid>" or a number.
func ParseQueryType(s string) (QueryType, bool) {
	if s == "<invalid>" {
		return QueryInvalid, true
	}
	v, ok := queryNames.value(s)
	return QueryType(v), ok
}

// PerStream says whether the query's index chooses a vertex stream.
func (t QueryType) PerStream() bool {
	return t >= QueryPrimitivesGenerated && t <= QueryStreamOutputOverflow
}

// Format is a pixel or vertex format by Mesa's name, "PIPE_FORMAT_R8_UNORM".
// The numbers of formats change with nearly every release, their names do not,
// and traces hold names; a number found in an old trace is kept as its digits.
type Format string

// FormatNone is PIPE_FORMAT_NONE.
const FormatNone Format = "PIPE_FORMAT_NONE"

// CompareFunc is a comparison (enum pipe_compare_func).
type CompareFunc uint8

// Comparisons.
const (
	CompareNever CompareFunc = iota
	CompareLess
	CompareEqual
	CompareLEqual
	CompareGreater
	CompareNotEqual
	CompareGEqual
	CompareAlways
)

var compareNames = enumNames{"PIPE_FUNC_NEVER", "PIPE_FUNC_LESS", "PIPE_FUNC_EQUAL", "PIPE_FUNC_LEQUAL",
	"PIPE_FUNC_GREATER", "PIPE_FUNC_NOTEQUAL", "PIPE_FUNC_GEQUAL", "PIPE_FUNC_ALWAYS"}

// String returns Mesa's spelling.
func (f CompareFunc) String() string { return compareNames.spell(uint32(f)) }

// ParseCompareFunc reads Mesa's spelling or a number.
func ParseCompareFunc(s string) (CompareFunc, bool) {
	v, ok := compareNames.value(s)
	return CompareFunc(v), ok && v < 1<<8
}

// StencilOp is what a stencil test does to the stored value (enum pipe_stencil_op).
type StencilOp uint8

// Stencil operations.
const (
	StencilKeep StencilOp = iota
	StencilZero
	StencilReplace
	StencilIncr
	StencilDecr
	StencilIncrWrap
	StencilDecrWrap
	StencilInvert
)

var stencilOpNames = enumNames{"PIPE_STENCIL_OP_KEEP", "PIPE_STENCIL_OP_ZERO", "PIPE_STENCIL_OP_REPLACE", "PIPE_STENCIL_OP_INCR",
	"PIPE_STENCIL_OP_DECR", "PIPE_STENCIL_OP_INCR_WRAP", "PIPE_STENCIL_OP_DECR_WRAP", "PIPE_STENCIL_OP_INVERT"}

// String returns Mesa's spelling.
func (o StencilOp) String() string { return stencilOpNames.spell(uint32(o)) }

// ParseStencilOp reads Mesa's spelling or a number.
func ParseStencilOp(s string) (StencilOp, bool) {
	v, ok := stencilOpNames.value(s)
	return StencilOp(v), ok && v < 1<<8
}
