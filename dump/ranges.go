package dump

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Ranges is a set of numbers, such as those of calls or frames.
type Ranges []struct{ From, To uint64 }

// ParseRanges reads "3-7,12,40-": ranges and single numbers, with commas. A
// range without end goes on for ever.
func ParseRanges(s string) (Ranges, error) {
	var r Ranges
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.ParseUint(from, 10, 64)
		b := a
		if err == nil && isRange {
			b = math.MaxUint64
			if to != "" {
				b, err = strconv.ParseUint(to, 10, 64)
			}
		}
		if err != nil || b < a {
			return nil, fmt.Errorf("%q is no range of numbers, want A-B, A- or N with commas between", part)
		}
		r = append(r, struct{ From, To uint64 }{a, b})
	}
	return r, nil
}

// Has says whether n is in the set. An empty set has every number.
func (r Ranges) Has(n uint64) bool {
	for _, x := range r {
		if x.From <= n && n <= x.To {
			return true
		}
	}
	return len(r) == 0
}

// Beyond says whether all numbers of the set are below n.
func (r Ranges) Beyond(n uint64) bool {
	for _, x := range r {
		if x.To >= n {
			return false
		}
	}
	return len(r) > 0
}
