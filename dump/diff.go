package dump

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/outflow-gpu/outflow/trace"
)

// DiffText prints the differences of two traces for people: below each other
// with - and + or, when Width is set, side by side.
type DiffText struct {
	Palette Palette
	A, B    string // names of the traces
	// Width is how many columns the two sides share; 0 prints unified.
	Width int

	begun bool
	last  [2]int // lines of the draws whose state was printed last
	out   []byte
}

// textAround is how many kept lines of a text are shown around those that differ.
const textAround = 3

// Difference prints one difference to w.
func (p *DiffText) Difference(w io.Writer, d *trace.Difference) error {
	p.out = p.out[:0]
	if !p.begun {
		p.begun = true
		p.begin()
	}
	if p.Width > 0 {
		p.sides(d)
	} else {
		p.unified(d)
	}
	_, err := w.Write(p.out)
	return err
}

func (p *DiffText) begin() {
	if p.Width > 0 {
		p.row("---", p.A, "+++", p.B, "  ", paintStrong)
		return
	}
	p.line("--- ", p.A, paintStrong)
	p.line("+++ ", p.B, paintStrong)
}

// line appends one line; all of it is painted.
func (p *DiffText) line(mark, text, code string) {
	p.out = append(p.out, p.Palette.paint(code, mark+text)...)
	p.out = append(p.out, '\n')
}

// What sides are painted with.
const (
	paintRemoved = "31"
	paintAdded   = "32"
	paintHunk    = "36"
)

// unified prints a difference as lines that were removed and added.
func (p *DiffText) unified(d *trace.Difference) {
	switch d.Kind {
	case trace.Removed:
		p.line("-", string(appendNumbered(nil, d.A)), paintRemoved)
		return
	case trace.Added:
		p.line("+", string(appendNumbered(nil, d.B)), paintAdded)
		return
	}
	head := appendPlace([]byte("-"), d.A)
	head = appendPlace(append(head, " +"...), d.B)
	p.line("@@ ", string(head)+" @@ "+callTitle(d.A), paintHunk)
	for i := range d.Values {
		v := &d.Values[i]
		if lines := v.Lines(textAround); lines != nil {
			p.texts(v.Path, lines)
			continue
		}
		from := appendDiffSide(nil, v.From, d.A, v.FromName, v.ToName)
		to := appendDiffSide(nil, v.To, d.B, v.ToName, v.FromName)
		p.line("-", v.Path+" = "+string(from), paintRemoved)
		p.line("+", v.Path+" = "+string(to), paintAdded)
	}
}

func callTitle(c *trace.DiffCall) string {
	if c.Method == "" {
		return c.Kind.String()
	}
	return string(appendPrintable(nil, []byte(c.Method)))
}

// texts prints what differs in a text.
func (p *DiffText) texts(path string, lines []trace.LineDifference) {
	marks := [...]struct{ mark, code string }{{" ", "0"}, {"-", paintRemoved}, {"+", paintAdded}}
	var last *trace.LineDifference
	for i := range lines {
		l := &lines[i]
		if last == nil || !follows(last, l) {
			p.line("@@ ", fmt.Sprintf("-%d +%d @@ %s", l.A, l.B, path), paintHunk)
		}
		last = l
		m := marks[l.Kind]
		text := string(appendPrintable(nil, []byte(l.Text)))
		if l.Kind == trace.KeptLine {
			p.out = append(append(append(p.out, m.mark...), text...), '\n')
			continue
		}
		p.line(m.mark, text, m.code)
	}
}

// follows says whether nothing was left out between two lines.
func follows(last, next *trace.LineDifference) bool {
	a, b := last.A, last.B
	if last.Kind != trace.AddedLine {
		a++
	}
	if last.Kind != trace.RemovedLine {
		b++
	}
	return a == next.A && b == next.B
}

// Summary prints how many calls differ, by method. It prints nothing when none
// does.
func (p *DiffText) Summary(w io.Writer, s *trace.DiffSummary) error {
	if s.Same() {
		return nil
	}
	var b strings.Builder
	if p.begun {
		b.WriteByte('\n')
	}
	fmt.Fprintln(&b, p.Palette.Strong(fmt.Sprintf("%d changed, %d removed, %d added; %d equal", s.Changed, s.Removed, s.Added, s.Equal)))
	for _, side := range [...]struct {
		name    string
		ending  *trace.Ending
		another *trace.Ending
	}{{p.A, &s.EndingA, &s.EndingB}, {p.B, &s.EndingB, &s.EndingA}} {
		if side.ending.Kind != side.another.Kind {
			fmt.Fprintf(&b, "%s ends %s after %d calls\n", side.name, side.ending.Kind, side.ending.Calls)
		}
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "changed\tremoved\tadded\tequal\t  method")
	for _, m := range s.Methods {
		name := m.Method
		if name == "" {
			name = "(between calls)"
		}
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t  %s\n", m.Changed, m.Removed, m.Added, m.Equal, appendPrintable(nil, []byte(name)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}
