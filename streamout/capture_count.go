package streamout

import (
	"math"
	"math/bits"
)

// Count is how many of something there are, as far as it is known: at least
// Low and at most High. The zero Count is a known nothing.
type Count struct{ Low, High uint64 }

// Exactly returns the Count of n that is known.
func Exactly(n uint64) Count { return Count{n, n} }

// AtMost returns the Count of something that is known to be no more than n.
func AtMost(n uint64) Count { return Count{0, n} }

// unbounded is the Count that nothing is known of.
var unbounded = Count{0, math.MaxUint64}

// Known says whether the number is known.
func (c Count) Known() bool { return c.Low == c.High }

// Bounded says whether High is a bound.
func (c Count) Bounded() bool { return c.High != math.MaxUint64 }

// Has says whether the number may be n.
func (c Count) Has(n uint64) bool { return c.Low <= n && n <= c.High }

func (c Count) plus(d Count) Count { return Count{add(c.Low, d.Low), add(c.High, d.High)} }

func (c Count) times(n uint64) Count { return Count{multiply(c.Low, n), multiply(c.High, n)} }

// maybe is the Count of something that may also not happen at all.
func (c Count) maybe() Count { return Count{0, c.High} }

// least returns the smaller of two numbers.
func least(c, d Count) Count { return Count{min(c.Low, d.Low), min(c.High, d.High)} }

// less returns by how much c is above d, which are related only so far as their
// bounds say.
func (c Count) less(d Count) Count { return Count{over(c.Low, d.High), over(c.High, d.Low)} }

// add and multiply stop at the largest number, which stands for "no bound".
func add(a, b uint64) uint64 {
	if sum, carry := bits.Add64(a, b, 0); carry == 0 {
		return sum
	}
	return math.MaxUint64
}

func multiply(a, b uint64) uint64 {
	if high, low := bits.Mul64(a, b); high == 0 {
		return low
	}
	return math.MaxUint64
}

func over(a, b uint64) uint64 {
	if a == math.MaxUint64 {
		return a
	}
	return max(a, b) - b
}
