package levels

import "fmt"

// Kind is what became of something on the way down.
type Kind uint8

// The kinds.
const (
	Changed Kind = iota
	Lost         // it is above only
	Added        // it is below only
)

// String returns changed, lost or added.
func (k Kind) String() string {
	switch k {
	case Lost:
		return "lost"
	case Added:
		return "added"
	}
	return "changed"
}

// Difference is one thing that did not survive.
type Difference struct {
	Kind Kind
	// Path is what differs: "draw", or a field such as
	// "stream_output.output[2].dst_offset", "targets[0].buffer_size",
	// "offsets[1]", "info.instance_count". Outputs are counted as below, where
	// there is one.
	Path string
	// AboveValue and BelowValue are the two values in words, with units; empty for
	// what is not there.
	AboveValue, BelowValue string
	// Above and Below are the calls that say so; one without a number stands for
	// none.
	Above, Below Place
	// AboveDraw and BelowDraw are the draws that it was first seen at.
	AboveDraw, BelowDraw Place
	// Repeats counts further draws that differ in the same.
	Repeats int
}

// Report is what a comparison found.
type Report struct {
	Above, Below *Level
	// Matched counts the captured draws above that have their like below, those
	// that were split or merged included; a draw of several ranges counts them.
	Matched int
	// Regrouped counts those of them that were split or merged.
	Regrouped int
	// Changed counts the matched ones that differ in something.
	Changed int
	// LostDraws and AddedDraws have no partner.
	LostDraws, AddedDraws int
	// Beyond counts the draws behind the end of the other trace, which was cut
	// before them: there is nothing to hold them against. One of the two is 0.
	BeyondAbove, BeyondBelow int
	// Unsure counts the targets that go on by append above and at a number of
	// bytes below, where it is not known how far they were filled.
	Unsure      int
	Differences []Difference
}

// Survived says whether everything that was compared is below as it was above.
func (r *Report) Survived() bool { return len(r.Differences) == 0 }

// String says in a line what was matched.
func (r *Report) String() string {
	return fmt.Sprintf("%d of %d captured draws above matched with %d below, %d differences",
		r.Matched, r.Above.Captured, r.Below.Captured, len(r.Differences))
}
