package tess

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseFactor reads a factor as a decimal or hexadecimal number, NaN or Inf, rounded once to binary32;
// beyond its range it is an infinity.
func ParseFactor(s string) (float32, error) {
	x, err := strconv.ParseFloat(s, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%.40q is not a number", s)
	}
	return float32(x), nil
}

// ParseFactors reads comma-separated lists of factors. One factor alone is for all edges.
func ParseFactors(d Domain, outer, inner string) (f Factors, err error) {
	nOuter, nInner := d.FactorCounts()
	if err := parseList(f.Outer[:nOuter], "outer", outer); err != nil {
		return f, err
	}
	return f, parseList(f.Inner[:nInner], "inner", inner)
}

func parseList(to []float32, name, list string) error {
	var words []string
	if list != "" {
		words = strings.Split(list, ",")
	}
	if len(words) != len(to) && (len(words) != 1 || len(to) == 0) {
		return fmt.Errorf("%s has %d factors, expected %d", name, len(words), len(to))
	}
	for i := range to {
		word := words[0]
		if len(words) > 1 {
			word = words[i]
		}
		x, err := ParseFactor(strings.TrimSpace(word))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		to[i] = x
	}
	return nil
}
