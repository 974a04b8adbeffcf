package cso

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// numbered returns a key of which there is one for each number.
func numbered(n int) Key {
	return keyOf(&pipe.SamplerState{MaxLod: float32(n)})
}

// fill adds the samplers from to to-1, with the number as the object, released.
func fill(c *Cache, from, to int) {
	for n := from; n < to; n++ {
		k := numbered(n)
		e, _ := c.Add(&k, pipe.Handle(n))
		c.Release(e)
	}
}

func cached(c *Cache, n int) bool {
	k := numbered(n)
	e := c.Hold(&k)
	if e != nil {
		c.Release(e)
	}
	return e != nil
}

func TestCacheFindsContent(t *testing.T) {
	c := NewCache(DefaultLimit)
	k := keyOf(&pipe.BlendState{Dither: true})
	require.Nil(t, c.Hold(&k))
	e, evicted := c.Add(&k, 0x40)
	require.Empty(t, evicted)
	require.Equal(t, pipe.Handle(0x40), e.Object())
	require.True(t, e.Key().Equal(&k))
	same := keyOf(&pipe.BlendState{Dither: true, LogicOp: 3})
	require.Same(t, e, c.Hold(&same))
	other := keyOf(&pipe.BlendState{})
	require.Nil(t, c.Hold(&other))
	again, _ := c.Add(&same, 0x50)
	require.Same(t, e, again, "the object that came first stays")
	require.Equal(t, Stats{Objects: 1, Held: 1, Hits: 1, Misses: 2, Added: 1}, c.Stats(pipe.KindBlend))
	require.Equal(t, Stats{}, c.Stats(pipe.KindSampler), "kinds are counted apart")
	require.Equal(t, Stats{}, c.Stats(pipe.KindTarget))
	c.Remove(e)
	c.Remove(e)
	c.Release(e)
	require.Nil(t, c.Hold(&k))
	require.Equal(t, uint64(1), c.Stats(pipe.KindBlend).Removed)
	require.Zero(t, c.Stats(pipe.KindBlend).Held)
}

// TestCacheComparesOnHit is the fault of hits that are trusted: all hashes are
// the same here.
func TestCacheComparesOnHit(t *testing.T) {
	c := NewCache(0)
	collide := func([]byte) uint64 { return 7 }
	keys := make([]Key, 5)
	entries := make([]*Entry, len(keys))
	for n := range keys {
		keys[n].sum = collide
		keys[n].SetSampler(&pipe.SamplerState{MaxLod: float32(n)})
		require.Nil(t, c.Hold(&keys[n]))
		entries[n], _ = c.Add(&keys[n], pipe.Handle(n+1))
	}
	for n := range keys {
		require.Equal(t, uint64(7), keys[n].Hash())
		require.Same(t, entries[n], c.Hold(&keys[n]))
	}
	require.Equal(t, 5, c.Stats(pipe.KindSampler).Objects)
	require.NotZero(t, c.Stats(pipe.KindSampler).Collisions)
	for _, gone := range []int{2, 4, 0} { // the middle, the first and the last of the chain
		c.Remove(entries[gone])
		entries[gone] = nil
		for n := range keys {
			require.Same(t, entries[n], c.Hold(&keys[n]))
		}
	}
	require.ElementsMatch(t, []pipe.Handle{2, 4}, c.Drain(pipe.KindSampler))
}

// TestEvictionAmount: at the limit and above, what is above and a quarter go,
// the least recently used first.
func TestEvictionAmount(t *testing.T) {
	for _, test := range []struct {
		name                       string
		limit, held, idle, evicted int
	}{
		{"below the limit", 8, 0, 7, 0},
		{"at the limit a quarter", 8, 0, 8, 2},
		{"at a small limit one", 1, 0, 1, 1},
		{"Gallium's limit", 4096, 0, 4096, 1024},
		{"held ones are skipped", 8, 7, 1, 1},
		{"above the limit all that is above too", 4, 6, 3, 3},
		{"all held, none", 4, 9, 0, 0},
		{"limit 1, all held, none", 1, 2, 0, 0},
		{"no limit", 0, 0, 9, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewCache(0)
			for n := range test.held {
				k := numbered(n)
				c.Add(&k, pipe.Handle(n))
			}
			fill(c, test.held, test.held+test.idle)
			c.limit = test.limit
			k := numbered(1 << 20)
			_, evicted := c.Add(&k, 1)
			var want []pipe.Handle
			for n := range test.evicted {
				want = append(want, pipe.Handle(test.held+n))
			}
			require.Equal(t, want, evicted)
			s := c.Stats(pipe.KindSampler)
			require.Equal(t, test.held+test.idle+1-test.evicted, s.Objects)
			require.Equal(t, uint64(test.evicted), s.Evicted)
			require.Equal(t, test.held+1, s.Held)
		})
	}
}

func TestEvictionIsLeastRecentlyUsed(t *testing.T) {
	c := NewCache(4)
	fill(c, 0, 4)
	require.True(t, cached(c, 0), "used now")
	fill(c, 4, 5)
	require.False(t, cached(c, 1))
	require.True(t, cached(c, 0))
}

// TestEvictionWhileHeld holds one object through a storm of others.
func TestEvictionWhileHeld(t *testing.T) {
	c := NewCache(2)
	k := numbered(-1)
	e, _ := c.Add(&k, 0x40)
	fill(c, 0, 100)
	require.Same(t, e, c.Hold(&k))
	c.Release(e)
	fill(c, 100, 200)
	require.Same(t, e, c.Hold(&k), "one hold is left")
	c.Release(e)
	c.Release(e)
	fill(c, 200, 300)
	require.Nil(t, c.Hold(&k))
}

// TestCacheAgainstMap compares a cache with a slow one: a slice searched from
// the front, in the order of use.
func TestCacheAgainstMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const limit = 5
	type slot struct{ n, holds int }
	var model []slot
	at := func(n int) int {
		for i := range model {
			if model[i].n == n {
				return i
			}
		}
		return -1
	}
	c := NewCache(limit)
	entries := map[int]*Entry{}
	for range 20000 {
		n := r.IntN(12)
		k := numbered(n)
		switch i := at(n); {
		case i < 0:
			require.Nil(t, c.Hold(&k))
			var gone []pipe.Handle
			if over := len(model) - limit; over >= 0 {
				left := over + 1
				kept := model[:0]
				for _, s := range model {
					if left > 0 && s.holds == 0 {
						left--
						gone = append(gone, pipe.Handle(s.n))
						continue
					}
					kept = append(kept, s)
				}
				model = kept
			}
			e, evicted := c.Add(&k, pipe.Handle(n))
			require.Equal(t, gone, evicted)
			entries[n] = e
			model = append(model, slot{n, 1})
		case r.IntN(2) == 0:
			require.Same(t, entries[n], c.Hold(&k))
			model[i].holds++
		case model[i].holds > 0:
			c.Release(entries[n])
			s := model[i]
			s.holds--
			if s.holds == 0 { // idle ones stand in the order of their release
				model = append(append(model[:i], model[i+1:]...), s)
			} else {
				model[i] = s
			}
		}
		require.Equal(t, len(model), c.Stats(pipe.KindSampler).Objects)
	}
}

func TestCacheInParallel(t *testing.T) {
	c := NewCache(16)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 0))
			for range 3000 {
				n := r.IntN(40)
				k := numbered(n)
				e := c.Hold(&k)
				if e == nil {
					e, _ = c.Add(&k, pipe.Handle(n))
				}
				if e.Object() != pipe.Handle(n) {
					t.Errorf("key %d found object %v", n, e.Object())
				}
				_ = c.Stats(pipe.KindSampler)
				if r.IntN(50) == 0 {
					c.Remove(e)
				}
				c.Release(e)
			}
		})
	}
	wg.Wait()
	s := c.Stats(pipe.KindSampler)
	require.Zero(t, s.Held)
	require.Equal(t, uint64(s.Objects), s.Added-s.Evicted-s.Removed)
}

func TestHitAllocatesNothing(t *testing.T) {
	c := NewCache(0)
	state := &pipe.ShaderState{Tokens: []byte("VERT"), StreamOutput: outputs(4, 16)}
	k := keyOf(state)
	e, _ := c.Add(&k, 1)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		k.SetShader(pipe.Vertex, state)
		if c.Hold(&k) != e {
			t.Fatal("missed")
		}
		c.Release(e)
	}))
	for _, state := range full() {
		switch s := state.(type) {
		case *pipe.RasterizerState:
			require.Zero(t, testing.AllocsPerRun(10, func() { k.SetRasterizer(s) }))
		case *pipe.BlendState:
			require.Zero(t, testing.AllocsPerRun(10, func() { k.SetBlend(s) }))
		case *pipe.SamplerState:
			require.Zero(t, testing.AllocsPerRun(10, func() { k.SetSampler(s) }))
		}
	}
}
