package dump

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// State prints what differs in the state of two draws.
func (p *DiffText) State(w io.Writer, d *StateDifference) error {
	p.out = p.out[:0]
	if !p.begun {
		p.begun = true
		p.begin()
	}
	if p.last != [2]int{d.A.Pos.Line, d.B.Pos.Line} {
		p.last = [2]int{d.A.Pos.Line, d.B.Pos.Line}
		p.stateHead(d)
	}
	from, to := d.Path+" = "+stateValue(d.From), d.Path+" = "+stateValue(d.To)
	if p.Width > 0 {
		p.row("", from, "", to, "|", "")
	} else {
		p.line("-", from, paintRemoved)
		p.line("+", to, paintAdded)
	}
	_, err := w.Write(p.out)
	return err
}

func (p *DiffText) stateHead(d *StateDifference) {
	title := " state at " + callTitle(d.A)
	if p.Width > 0 {
		p.row("", string(appendPlace(nil, d.A))+title, "", string(appendPlace(nil, d.B))+title, "", paintHunk)
		return
	}
	head := appendPlace([]byte("-"), d.A)
	head = appendPlace(append(head, " +"...), d.B)
	p.line("@@ ", string(head)+" @@"+title, paintHunk)
}

// stateValue spells a value of a state; what is not told is -.
func stateValue(x any) string {
	if x == nil {
		return "-"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(x) != nil {
		return fmt.Sprint(x)
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

// StateSummary prints how many draws see another state, and nothing when none does.
func (p *DiffText) StateSummary(w io.Writer, d *StateDiff) error {
	if d.Differing == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%s\n", p.Palette.Strong(fmt.Sprintf("%d of %d draws see another state", d.Differing, d.Draws)))
	return err
}

// stateLine is an object of type "difference" about the state that a draw sees.
type stateLine struct {
	Schema string     `json:"schema"`
	Type   string     `json:"type"`
	Kind   string     `json:"kind"`
	A      statePlace `json:"a"`
	B      statePlace `json:"b"`
	Class  string     `json:"class"`
	Method string     `json:"method"`
	Path   string     `json:"path"`
	From   any        `json:"from"`
	To     any        `json:"to"`
}

type statePlace struct {
	Trace string `json:"trace"`
	Call  Uint   `json:"call"`
	Line  int    `json:"line"`
}

// State prints the line of what differs in the state of two draws; its path
// begins with "bound.".
func (p *DiffJSON) State(w io.Writer, d *StateDifference) error {
	return WriteJSON(w, stateLine{
		Schema: Schema, Type: "difference", Kind: "changed",
		A: statePlace{p.A, Uint(d.A.No), d.A.Pos.Line}, B: statePlace{p.B, Uint(d.B.No), d.B.Pos.Line},
		Class: d.A.Class, Method: d.A.Method, Path: "bound." + d.Path, From: d.From, To: d.To,
	})
}

// StateSummary prints nothing: each line says what there is.
func (p *DiffJSON) StateSummary(io.Writer, *StateDiff) error { return nil }
