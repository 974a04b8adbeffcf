package state

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// TestTableIsAMap puts, drops and looks up at random, with more handles than are
// kept at hand.
func TestTableIsAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var got table[int]
	want := map[pipe.Handle]*int{}
	for i := range 20000 {
		h := pipe.Handle(1 + random.IntN(600))
		switch random.IntN(4) {
		case 0:
			got.put(h, &i)
			want[h] = &i
		case 1:
			got.drop(h)
			delete(want, h)
		}
		h = pipe.Handle(random.IntN(601))
		require.Same(t, want[h], got.get(h), "%v", h)
	}
}

// TestShaderKnowsItsBuffers holds that what is noted of a shader's outputs is what
// its info says, whatever their order.
func TestShaderKnowsItsBuffers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var s Shader
		s.Info.NumOutputs = uint32(random.IntN(6))
		for i := range s.Info.NumOutputs {
			o, err := pipe.PackMask(0, 1+random.Uint64N(15), random.Uint64N(4), random.Uint64N(20), random.Uint64N(4))
			require.NoError(t, err)
			s.Info.Output[i] = o
		}
		s.noteOutputs()
		require.Equal(t, s.Info.Buffers(), s.Buffers)
		require.Equal(t, s.Buffers, s.writes[0]|s.writes[1]|s.writes[2]|s.writes[3])
		for b := range s.Extents {
			require.Equal(t, s.Info.Extent(b), s.Extents[b])
		}
		for _, o := range s.Info.Outputs() {
			require.NotZero(t, s.writes[o.Stream()]&(1<<o.Buffer()))
		}
	}
}
