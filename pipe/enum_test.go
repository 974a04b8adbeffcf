package pipe

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnumNames reads back every name and every number of each enumeration.
func TestEnumNames(t *testing.T) {
	for _, e := range []struct {
		name  string
		names enumNames
		spell func(uint32) string
		parse func(string) (uint32, bool)
	}{
		{"stage", stageNames, func(v uint32) string { return Stage(v).Name() }, func(s string) (uint32, bool) { v, ok := ParseStage(s); return uint32(v), ok }},
		{"stage word", stageWords, func(v uint32) string { return Stage(v).String() }, func(s string) (uint32, bool) { v, ok := ParseStage(s); return uint32(v), ok }},
		{"primitive", primitiveNames, func(v uint32) string { return PrimitiveType(v).String() }, func(s string) (uint32, bool) { v, ok := ParsePrimitiveType(s); return uint32(v), ok }},
		{"target", targetNames, func(v uint32) string { return TextureTarget(v).String() }, func(s string) (uint32, bool) { v, ok := ParseTextureTarget(s); return uint32(v), ok }},
		{"query", queryNames, func(v uint32) string { return QueryType(v).String() }, func(s string) (uint32, bool) { v, ok := ParseQueryType(s); return uint32(v), ok }},
		{"compare", compareNames, func(v uint32) string { return CompareFunc(v).String() }, func(s string) (uint32, bool) { v, ok := ParseCompareFunc(s); return uint32(v), ok }},
		{"stencil op", stencilOpNames, func(v uint32) string { return StencilOp(v).String() }, func(s string) (uint32, bool) { v, ok := ParseStencilOp(s); return uint32(v), ok }},
		{"blend func", blendFuncNames, func(v uint32) string { return BlendFunc(v).String() }, func(s string) (uint32, bool) { v, ok := ParseBlendFunc(s); return uint32(v), ok }},
		{"blend factor", blendFactorNames, func(v uint32) string { return BlendFactor(v).String() }, func(s string) (uint32, bool) { v, ok := ParseBlendFactor(s); return uint32(v), ok }},
		{"logic op", logicOpNames, func(v uint32) string { return LogicOp(v).String() }, func(s string) (uint32, bool) { v, ok := ParseLogicOp(s); return uint32(v), ok }},
	} {
		t.Run(e.name, func(t *testing.T) {
			for v := range uint32(256) {
				spelled := e.spell(v)
				if v < uint32(len(e.names)) && e.names[v] != "" {
					require.Equal(t, e.names[v], spelled)
				} else {
					require.Equal(t, strconv.Itoa(int(v)), spelled)
				}
				for _, s := range []string{spelled, strconv.Itoa(int(v))} {
					got, ok := e.parse(s)
					require.True(t, ok, s)
					require.Equal(t, v, got, s)
				}
			}
			for _, s := range []string{"", "-1", "4294967296", "NO_SUCH_NAME", " 1", "0x1", "1e2"} {
				_, ok := e.parse(s)
				require.False(t, ok, s)
			}
			if _, ok := e.parse("256"); e.name != "query" {
				require.False(t, ok, "256 is wider than the field")
			}
			sorted := slices.Sorted(slices.Values(e.names))
			sorted = slices.DeleteFunc(sorted, func(s string) bool { return s == "" })
			require.Len(t, slices.Compact(slices.Clone(sorted)), len(sorted), "a name is there twice")
		})
	}
}

func TestStages(t *testing.T) {
	for v, old := range pipeStageNames {
		s, ok := ParseStage(old)
		require.True(t, ok)
		require.Equal(t, Stage(v), s)
	}
	for s := range Stage(NumStages) {
		require.Equal(t, s == Vertex || s == TessEval || s == Geometry, s.CanStreamOut(), s)
	}
}

func TestPrimitiveVertices(t *testing.T) {
	want := map[PrimitiveType]int{Points: 1, Lines: 2, LineLoop: 2, LineStrip: 2, Triangles: 3, TriangleStrip: 3, TriangleFan: 3,
		Quads: 3, QuadStrip: 3, Polygon: 3, LinesAdjacency: 2, LineStripAdjacency: 2, TrianglesAdjacency: 3, TriangleStripAdjacency: 3}
	for p := range PrimitiveType(255) {
		require.Equal(t, want[p], p.Vertices(), p)
		require.Equal(t, p >= 10 && p <= 13, p.Adjacency(), p)
	}
	require.Zero(t, PrimitiveUnknown.Vertices())
}

func TestQueryTypes(t *testing.T) {
	q, ok := ParseQueryType("<invalid>")
	require.True(t, ok)
	require.Equal(t, QueryInvalid, q)
	require.Equal(t, "<invalid>", q.String())
	perStream := []QueryType{QueryPrimitivesGenerated, QueryPrimitivesEmitted, QueryStreamOutputStatistics, QueryStreamOutputOverflow}
	for v := range QueryType(32) {
		require.Equal(t, slices.Contains(perStream, v), v.PerStream(), v)
	}
	require.False(t, QueryInvalid.PerStream())
}

func TestMapFlags(t *testing.T) {
	for f, name := range mapFlagNames {
		require.Equal(t, name, f.String())
		got, ok := ParseMapFlags(name)
		require.True(t, ok)
		require.Equal(t, f, got)
	}
	require.Equal(t, "PIPE_MAP_FLAGS_UNKNOWN", (MapWrite | MapUnsynchronized).String(), "a combination has no name")
	got, ok := ParseMapFlags("3")
	require.True(t, ok)
	require.Equal(t, MapRead|MapWrite, got)
	_, ok = ParseMapFlags("PIPE_MAP_READ|PIPE_MAP_WRITE")
	require.False(t, ok)
}
