package seqdiff_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/seqdiff"
)

// apply makes b of a with the edits that lie between the runs.
func apply(t testing.TB, a, b []uint64, runs []seqdiff.Run) (made []uint64, edits int) {
	atA, atB := 0, 0
	for _, r := range append(slices.Clone(runs), seqdiff.Run{A: len(a), B: len(b)}) {
		require.GreaterOrEqual(t, r.A, atA)
		require.GreaterOrEqual(t, r.B, atB)
		edits += r.A - atA + r.B - atB
		made = append(made, b[atB:r.B]...)       // added
		made = append(made, a[r.A:r.A+r.Len]...) // kept
		atA, atB = r.A+r.Len, r.B+r.Len
	}
	return made, edits
}

// shortest counts the fewest edits by dynamic programming.
func shortest(a, b []uint64) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			above := row[j+1]
			row[j+1] = 1 + min(above, row[j])
			if x == y {
				row[j+1] = diagonal
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func random(r *rand.Rand, n, values int) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = r.Uint64N(uint64(values))
	}
	return s
}

// edited returns s with about that many elements removed, added and replaced.
func edited(r *rand.Rand, s []uint64, edits, values int) []uint64 {
	s = slices.Clone(s)
	for range edits {
		at := r.IntN(len(s) + 1)
		switch r.IntN(3) {
		case 0:
			s = slices.Insert(s, at, r.Uint64N(uint64(values)))
		case 1:
			s = slices.Delete(s, min(at, len(s)), min(at+1, len(s)))
		default:
			if at < len(s) {
				s[at] = r.Uint64N(uint64(values))
			}
		}
	}
	return s
}

// TestShortest holds that few edits are found exactly, whatever repeats.
func TestShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		values := 1 + r.IntN(6)
		a := random(r, r.IntN(40), values)
		b := random(r, r.IntN(40), values)
		if r.IntN(2) == 0 {
			b = edited(r, a, r.IntN(10), values)
		}
		runs := seqdiff.Align(a, b, seqdiff.Options{})
		made, edits := apply(t, a, b, runs)
		require.True(t, slices.Equal(b, made))
		require.Equal(t, shortest(a, b), edits, "%v %v", a, b)
	}
}

// TestEditsApply holds that the edits are right where they are not the fewest:
// sequences that differ more than the search may look for.
func TestEditsApply(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		why            string
		n, values, off int
	}{
		{"nothing in common occurs once", 5000, 3, 2000},
		{"most occurs once", 5000, 1 << 30, 2000},
		{"frames that repeat", 20000, 40, 900},
		{"nothing in common", 3000, 1 << 30, 20000},
	} {
		t.Run(c.why, func(t *testing.T) {
			for _, most := range []int{0, 1, 2, 16} {
				a := random(r, c.n, c.values)
				b := edited(r, a, c.off, c.values)
				runs := seqdiff.Align(a, b, seqdiff.Options{MaxEdits: most})
				made, _ := apply(t, a, b, runs)
				require.True(t, slices.Equal(b, made))
				for i := 1; i < len(runs); i++ {
					p := runs[i-1]
					require.False(t, p.A+p.Len == runs[i].A && p.B+p.Len == runs[i].B, "runs that touch are one")
				}
			}
		})
	}
}

// TestNearShortest wants anchors not to cost much.
func TestNearShortest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, values := range []int{30, 1000, 1 << 30} {
		a := random(r, 4000, values)
		b := edited(r, a, 600, values)
		made, edits := apply(t, a, b, seqdiff.Align(a, b, seqdiff.Options{}))
		require.True(t, slices.Equal(b, made))
		require.LessOrEqual(t, edits, shortest(a, b)*11/10, "%d values", values)
	}
}

func TestMovedBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a := random(r, 10000, 1<<30)
	b := slices.Concat(a[:2000], a[5000:9000], a[2000:5000], a[9000:])
	made, edits := apply(t, a, b, seqdiff.Align(a, b, seqdiff.Options{}))
	require.True(t, slices.Equal(b, made))
	require.Equal(t, 6000, edits, "the shorter block is the one that moved")
}

func FuzzAlign(f *testing.F) {
	f.Add([]byte("abcabba"), []byte("cbabac"), uint8(0))
	f.Fuzz(func(t *testing.T, x, y []byte, most uint8) {
		a, b := make([]uint64, len(x)), make([]uint64, len(y))
		for i, c := range x {
			a[i] = uint64(c)
		}
		for i, c := range y {
			b[i] = uint64(c)
		}
		made, edits := apply(t, a, b, seqdiff.Align(a, b, seqdiff.Options{MaxEdits: int(most)}))
		require.True(t, slices.Equal(b, made))
		require.GreaterOrEqual(t, edits, shortest(a, b))
	})
}

func BenchmarkAlignFewEdits(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	x := random(r, 1_000_000, 300)
	y := edited(r, x, 20, 300)
	b.ReportAllocs()
	for b.Loop() {
		seqdiff.Align(x, y, seqdiff.Options{})
	}
}

func BenchmarkAlignManyEdits(b *testing.B) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct {
		name   string
		values int
	}{{"repeating", 30}, {"unique", 1 << 30}} {
		b.Run(c.name, func(b *testing.B) {
			x := random(r, 200_000, c.values)
			y := edited(r, x, 20_000, c.values)
			for b.Loop() {
				seqdiff.Align(x, y, seqdiff.Options{})
			}
		})
	}
}
