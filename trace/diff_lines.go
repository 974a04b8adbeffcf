package trace

import (
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/internal/seqdiff"
	"github.com/outflow-gpu/outflow/pipe"
)

// LineKind tells what happened to a line of a text.
type LineKind uint8

// The kinds of lines.
const (
	KeptLine    LineKind = iota // in both texts
	RemovedLine                 // only in the first
	AddedLine                   // only in the second
)

// LineDifference is a line of two texts that are compared.
type LineDifference struct {
	Kind LineKind
	Text string
	A, B int // its number in either text, from 1, or that of the next line there
}

// Lines compares texts of several lines, such as shaders, line by line: what
// was removed and added in order, with so many kept lines around. It is nil
// unless From and To are both strings, one of which has several lines.
func (v *ValueDifference) Lines(around int) []LineDifference {
	if v.From.Kind() != pipe.StringValue || v.To.Kind() != pipe.StringValue {
		return nil
	}
	a, b := textLines(v.From.String()), textLines(v.To.String())
	if len(a) < 2 && len(b) < 2 {
		return nil
	}
	all := compareLines(a, b)
	near := func(i int) bool {
		return slices.ContainsFunc(all[max(0, i-around):min(len(all), i+around+1)], func(l LineDifference) bool { return l.Kind != KeptLine })
	}
	var list []LineDifference
	for i, l := range all {
		if near(i) {
			list = append(list, l)
		}
	}
	return list
}

func textLines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func compareLines(a, b []string) []LineDifference {
	hashes := func(lines []string) []uint64 {
		list := make([]uint64, len(lines))
		for i, l := range lines {
			list[i] = hashString(l)
		}
		return list
	}
	var list []LineDifference
	atA, atB := 0, 0
	for _, r := range append(seqdiff.Align(hashes(a), hashes(b), seqdiff.Options{}), seqdiff.Run{A: len(a), B: len(b)}) {
		for ; atA < r.A; atA++ {
			list = append(list, LineDifference{RemovedLine, a[atA], atA + 1, atB + 1})
		}
		for ; atB < r.B; atB++ {
			list = append(list, LineDifference{AddedLine, b[atB], atA + 1, atB + 1})
		}
		for range r.Len {
			list = append(list, LineDifference{KeptLine, a[atA], atA + 1, atB + 1})
			atA, atB = atA+1, atB+1
		}
	}
	return list
}
