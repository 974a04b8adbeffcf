package dump

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/trace/audit/levels"
)

// PreserveText writes what two levels of one run differ in, each with both calls
// side by side, then what was matched and what could not be.
func PreserveText(w io.Writer, r *levels.Report, p Palette) error {
	var b strings.Builder
	for i := range r.Differences {
		lostText(&b, r, &r.Differences[i], p)
	}
	fmt.Fprintf(&b, "%s: %s above, %d below; %d matched", preserveVerdict(r, p), plural(r.Above.Captured, "captured draw"), r.Below.Captured, r.Matched)
	for _, n := range []struct {
		count int
		what  string
	}{{r.Regrouped, "split or merged"}, {r.Changed, "changed"}, {r.LostDraws, "lost"}, {r.AddedDraws, "added"}} {
		if n.count > 0 {
			fmt.Fprintf(&b, ", %d %s", n.count, n.what)
		}
	}
	b.WriteByte('\n')
	for _, s := range preserveRemarks(r) {
		fmt.Fprintf(&b, "  %s\n", s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func preserveVerdict(r *levels.Report, p Palette) string {
	switch {
	case !r.Survived():
		return plural(len(r.Differences), "difference")
	case r.Matched == 0:
		return "nothing to compare"
	}
	return p.Clean("preserved")
}

func lostText(b *strings.Builder, r *levels.Report, d *levels.Difference, p Palette) {
	fmt.Fprintf(b, "%s: %s", p.Strong(d.Kind.String()), d.Path)
	if d.Repeats > 0 {
		fmt.Fprintf(b, ", in %d draws", d.Repeats+1)
	}
	b.WriteByte('\n')
	above, below := orElse(d.AboveValue, "nothing"), orElse(d.BelowValue, "nothing")
	width := max(len(above), len(below))
	sideText(b, "above", above, width, r.Above.Trace, d.Above, d.AboveDraw)
	sideText(b, "below", below, width, r.Below.Trace, d.Below, d.BelowDraw)
}

func sideText(b *strings.Builder, side, value string, width int, traceName string, at, draw levels.Place) {
	line := fmt.Sprintf("  %s  %-*s", side, width, printable(value))
	if at.Call != 0 {
		line += fmt.Sprintf("  %s:%d: call %d %s", traceName, at.Line, at.Call, at.Method)
	}
	if draw.Call != 0 && draw != at {
		line += fmt.Sprintf(", for call %d %s", draw.Call, draw.Method)
	}
	fmt.Fprintf(b, "%s\n", strings.TrimRight(line, " "))
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// preserveRemarks are sentences on what could not be compared.
func preserveRemarks(r *levels.Report) []string {
	var all []string
	for _, side := range []struct {
		level  *levels.Level
		beyond int // draws of the other side behind its end
		name   string
		other  string
	}{{r.Above, r.BeyondBelow, "above", "below"}, {r.Below, r.BeyondAbove, "below", "above"}} {
		switch l := side.level; {
		case l.Captured == 0 && l.Shaders > 0:
			all = append(all, fmt.Sprintf("%s makes %s with outputs %s, but no draw captures there", l.Trace, plural(l.Shaders, "shader"), side.name))
		case l.Captured == 0:
			all = append(all, fmt.Sprintf("%s captures nothing %s: it has no shader with outputs", l.Trace, side.name))
		}
		if side.beyond > 0 {
			all = append(all, fmt.Sprintf("%s was cut: there is nothing to hold the last %s %s against", side.level.Trace, plural(side.beyond, "captured draw"), side.other))
		}
	}
	if r.Unsure > 0 {
		all = append(all, fmt.Sprintf("append became a number of bytes at %s, where it is not known how far the targets were filled", plural(r.Unsure, "place")))
	}
	return all
}

type sideCallJSON struct {
	Trace string `json:"trace"`
	Call  *Uint  `json:"call"`
	Line  int    `json:"line,omitempty"`
	Name  string `json:"method,omitempty"`
	Draw  *Uint  `json:"draw"`
}

func sideCallOf(traceName string, at, draw levels.Place) sideCallJSON {
	c := sideCallJSON{Trace: traceName, Line: at.Line, Name: at.Method}
	if at.Call != 0 {
		c.Call = (*Uint)(&at.Call)
	}
	if draw.Call != 0 {
		c.Draw = (*Uint)(&draw.Call)
	}
	return c
}

type lostJSON struct {
	Schema  string       `json:"schema"`
	Type    string       `json:"type"`
	Above   sideCallJSON `json:"above"`
	Below   sideCallJSON `json:"below"`
	Kind    string       `json:"kind"`
	Path    string       `json:"path"`
	From    *string      `json:"from"`
	To      *string      `json:"to"`
	Repeats int          `json:"repeats"`
}

type preservedJSON struct {
	Schema    string    `json:"schema"`
	Type      string    `json:"type"`
	Above     levelJSON `json:"above"`
	Below     levelJSON `json:"below"`
	Matched   int       `json:"matched"`
	Regrouped int       `json:"regrouped"`
	Changed   int       `json:"changed"`
	Lost      int       `json:"lost"`
	Added     int       `json:"added"`
	Unsure    int       `json:"unsure"`
}

type levelJSON struct {
	Trace       string `json:"trace"`
	Complete    bool   `json:"complete"`
	Ending      string `json:"ending"`
	Draws       int    `json:"draws"`
	Captured    int    `json:"capturedDraws"`
	Shaders     int    `json:"streamOutputShaders"`
	Beyond      int    `json:"beyond"`
	UsedShaders int    `json:"usedShaders"`
}

func levelJSONOf(l *levels.Level, beyond int) levelJSON {
	return levelJSON{l.Trace, l.Ending.Complete, l.Ending.Kind.String(), l.Draws, l.Captured, l.Shaders, beyond, l.Used}
}

// PreserveJSON writes each difference as an object of type "preserve", and what
// was matched as one of type "preserve-summary".
func PreserveJSON(w io.Writer, r *levels.Report) error {
	for i := range r.Differences {
		d := &r.Differences[i]
		err := WriteJSON(w, lostJSON{Schema, "preserve", sideCallOf(r.Above.Trace, d.Above, d.AboveDraw), sideCallOf(r.Below.Trace, d.Below, d.BelowDraw),
			d.Kind.String(), d.Path, textOrNull(d.AboveValue), textOrNull(d.BelowValue), d.Repeats})
		if err != nil {
			return err
		}
	}
	return WriteJSON(w, preservedJSON{Schema, "preserve-summary", levelJSONOf(r.Above, r.BeyondAbove), levelJSONOf(r.Below, r.BeyondBelow),
		r.Matched, r.Regrouped, r.Changed, r.LostDraws, r.AddedDraws, r.Unsure})
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
