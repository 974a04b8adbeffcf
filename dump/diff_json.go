package dump

import (
	"io"
	"strconv"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// DiffJSON prints differences as objects of type "difference", one on each line:
// one for each call that was removed or added, one for each value of a changed
// call. A summary of type "summary" follows when anything differs.
type DiffJSON struct {
	A, B string // names of the traces

	values *CallJSON
	out    []byte
}

// Difference prints the lines of one difference to w.
func (p *DiffJSON) Difference(w io.Writer, d *trace.Difference) error {
	if p.values == nil {
		p.values = NewCallJSON("", CallOptions{})
	}
	p.out = p.out[:0]
	switch d.Kind {
	case trace.Changed:
		for i := range d.Values {
			v := &d.Values[i]
			p.begin(d, v.Path)
			p.value("from", v.From, v.FromName)
			p.value("to", v.To, v.ToName)
			p.out = append(p.out, "}\n"...)
		}
	case trace.Removed:
		p.begin(d, "")
		p.call("from", d.A)
		p.out = append(p.out, "}\n"...)
	case trace.Added:
		p.begin(d, "")
		p.call("to", d.B)
		p.out = append(p.out, "}\n"...)
	}
	_, err := w.Write(p.out)
	return err
}

// begin opens an object and says where the difference is.
func (p *DiffJSON) begin(d *trace.Difference, path string) {
	b := append(p.out, `{"schema":"`+Schema+`","type":"difference","kind":"`...)
	b = append(append(b, d.Kind.String()...), `","a":`...)
	b = appendJSONPlace(b, p.A, d.A)
	b = appendJSONPlace(append(b, `,"b":`...), p.B, d.B)
	b = appendJSONText(append(b, `,"class":`...), []byte(d.Call().Class))
	b = appendJSONText(append(b, `,"method":`...), []byte(d.Call().Method))
	p.out = appendJSONText(append(b, `,"path":`...), []byte(path))
}

// appendJSONPlace says which call of which trace; call is null for one that is not there.
func appendJSONPlace(b []byte, name string, c *trace.DiffCall) []byte {
	b = appendJSONString(append(b, `{"trace":`...), []byte(name))
	b = append(b, `,"call":`...)
	if c == nil || !c.HasNo {
		b = append(b, "null"...)
	} else {
		b = appendJSONUint(b, c.No)
	}
	if c != nil {
		b = strconv.AppendInt(append(b, `,"line":`...), int64(c.Pos.Line), 10)
	}
	return append(b, '}')
}

// value appends a value under a key, left out when it is not recorded, and the
// name of its object.
func (p *DiffJSON) value(key string, x pipe.Value, name string) {
	if !x.Exists() {
		return
	}
	p.out = append(append(append(p.out, `,"`...), key...), `":`...)
	p.out = p.values.value(p.out, x, "")
	if name != "" {
		p.out = append(append(append(p.out, `,"`...), key...), `Name":`...)
		p.out = appendJSONString(p.out, []byte(name))
	}
}

// call appends a whole call under a key.
func (p *DiffJSON) call(key string, c *trace.DiffCall) {
	p.out = append(append(append(p.out, `,"`...), key...), `":`...)
	if c.Kind == trace.NoiseRecord || c.Kind == trace.StrayRecord {
		p.out = appendJSONText(p.out, c.Raw)
		return
	}
	p.out = append(p.out, `{"args":`...)
	p.out = p.values.object(p.out, c.Values.First(), pipe.ArgRole)
	p.out = p.values.rets(p.out, c.Record)
	p.out = append(p.values.bare(p.out, c.Record), '}')
}

// diffTotals is the object of type "summary" of a comparison.
type diffTotals struct {
	Schema  string       `json:"schema"`
	Type    string       `json:"type"`
	A       diffEnding   `json:"a"`
	B       diffEnding   `json:"b"`
	Equal   Uint         `json:"equal"`
	Changed Uint         `json:"changed"`
	Removed Uint         `json:"removed"`
	Added   Uint         `json:"added"`
	Methods []diffMethod `json:"methods"`
}

type diffEnding struct {
	Trace   string `json:"trace"`
	Calls   Uint   `json:"calls"`
	Ignored Uint   `json:"ignored"`
	Ending  string `json:"ending"`
}

type diffMethod struct {
	Class   string `json:"class"`
	Method  string `json:"method"`
	Equal   Uint   `json:"equal"`
	Changed Uint   `json:"changed"`
	Removed Uint   `json:"removed"`
	Added   Uint   `json:"added"`
}

// Summary prints the totals, and nothing when nothing differs.
func (p *DiffJSON) Summary(w io.Writer, s *trace.DiffSummary) error {
	if s.Same() {
		return nil
	}
	t := diffTotals{
		Schema: Schema, Type: "summary",
		A:     diffEnding{p.A, Uint(s.EndingA.Calls), Uint(s.NoiseA), s.EndingA.Kind.String()},
		B:     diffEnding{p.B, Uint(s.EndingB.Calls), Uint(s.NoiseB), s.EndingB.Kind.String()},
		Equal: Uint(s.Equal), Changed: Uint(s.Changed), Removed: Uint(s.Removed), Added: Uint(s.Added),
	}
	for _, m := range s.Methods {
		t.Methods = append(t.Methods, diffMethod{m.Class, m.Method, Uint(m.Equal), Uint(m.Changed), Uint(m.Removed), Uint(m.Added)})
	}
	return WriteJSON(w, t)
}
