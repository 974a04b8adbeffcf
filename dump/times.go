package dump

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/trace"
)

// Times finds the calls that took longest, and sums up how long those of each
// method took, by the times that the trace tells. Its zero value is ready; it
// keeps the ten slowest.
type Times struct {
	// Most is how many of the slowest calls are kept, 10 when 0.
	Most int

	slowest []SlowCall
	methods map[methodOf]*MethodTime
	untimed uint64
}

// SlowCall is one of the slowest calls. Time is in microseconds.
type SlowCall struct {
	No            uint64
	Line          int
	Class, Method string
	Time          int64
}

// MethodTime is how often a method was called and how long that took. Times are
// in microseconds.
type MethodTime struct {
	Class, Method string
	Calls         uint64
	Total, Most   int64
}

// See takes a call into account.
func (t *Times) See(rec *trace.Record) {
	if rec.Kind != trace.CallRecord || rec.Skipped {
		return
	}
	us, ok := rec.Values.Time()
	if !ok {
		t.untimed++
		return
	}
	if t.methods == nil {
		t.methods = map[methodOf]*MethodTime{}
	}
	key := methodOf{rec.Class, rec.Method}
	m := t.methods[key]
	if m == nil {
		m = &MethodTime{Class: rec.Class, Method: rec.Method}
		t.methods[key] = m
	}
	m.Calls++
	m.Total += us
	m.Most = max(m.Most, us)
	t.keep(SlowCall{rec.No, rec.Pos.Line, rec.Class, rec.Method, us})
}

// keep puts a call in its place among the slowest; of equals the first stays
// ahead.
func (t *Times) keep(c SlowCall) {
	most := t.Most
	if most <= 0 {
		most = 10
	}
	n := len(t.slowest)
	if n >= most && t.slowest[n-1].Time >= c.Time {
		return
	}
	at, _ := slices.BinarySearchFunc(t.slowest, c, func(a, b SlowCall) int {
		if a.Time >= b.Time {
			return -1
		}
		return 1
	})
	t.slowest = slices.Insert(t.slowest, at, c)
	t.slowest = t.slowest[:min(len(t.slowest), most)]
}

// Slowest returns the slowest calls, the slowest first.
func (t *Times) Slowest() []SlowCall { return t.slowest }

// Methods returns the methods, the one that took longest in all first.
func (t *Times) Methods() []MethodTime {
	var list []MethodTime
	for _, m := range t.methods {
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b MethodTime) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), strings.Compare(a.Class, b.Class), strings.Compare(a.Method, b.Method))
	})
	return list
}

// WriteText writes two tables: the slowest calls, and the methods.
func (t *Times) WriteText(w io.Writer, p Palette) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", p.Strong(fmt.Sprintf("%10s  %10s  %s", "us", "call", "slowest")))
	for _, c := range t.slowest {
		fmt.Fprintf(&b, "%10d  %10d  %s\n", c.Time, c.No, fullName(c.Class, c.Method))
	}
	fmt.Fprintf(&b, "\n%s\n", p.Strong(fmt.Sprintf("%10s  %10s  %10s  %s", "us in all", "calls", "us at most", "method")))
	for _, m := range t.Methods() {
		fmt.Fprintf(&b, "%10d  %10d  %10d  %s\n", m.Total, m.Calls, m.Most, fullName(m.Class, m.Method))
	}
	if t.untimed > 0 {
		fmt.Fprintf(&b, "\nwithout a time: %s\n", plural(t.untimed, "call"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func fullName(class, method string) string {
	if class == "" {
		return printable(method)
	}
	return printable(class + "::" + method)
}

// WriteJSON writes an object of type "slow-call" for each of the slowest calls
// and one of type "method-time" for each method.
func (t *Times) WriteJSON(w io.Writer, traceName string) error {
	for _, c := range t.slowest {
		if err := WriteJSON(w, struct {
			Schema string `json:"schema"`
			Type   string `json:"type"`
			Trace  string `json:"trace"`
			Call   Uint   `json:"call"`
			Line   int    `json:"line"`
			Class  string `json:"class"`
			Method string `json:"method"`
			Time   int64  `json:"time"`
		}{Schema, "slow-call", traceName, Uint(c.No), c.Line, c.Class, c.Method, c.Time}); err != nil {
			return err
		}
	}
	for _, m := range t.Methods() {
		if err := WriteJSON(w, struct {
			Schema string `json:"schema"`
			Type   string `json:"type"`
			Trace  string `json:"trace"`
			Class  string `json:"class"`
			Method string `json:"method"`
			Calls  Uint   `json:"calls"`
			Total  int64  `json:"time"`
			Most   int64  `json:"longest"`
		}{Schema, "method-time", traceName, m.Class, m.Method, Uint(m.Calls), m.Total, m.Most}); err != nil {
			return err
		}
	}
	return nil
}
