package dump

import (
	"fmt"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// CaptureText writes what a draw captured: the counts of each stream that has
// any, then every target with a map of its bytes.
func CaptureText(w io.Writer, traceName string, d *streamout.CapturedDraw, p Palette) error {
	var b strings.Builder
	_, method := d.Op.Call.Name()
	fmt.Fprintf(&b, "%s:%d: call %d: %s %s", traceName, d.Op.Pos.Line, d.Op.No, p.Strong(method), d.Mode)
	if d.Auto != nil {
		fmt.Fprintf(&b, " of %s vertices filled into target %s (%s B each)", countText(d.Auto.Vertices), d.Auto.Target, countText(d.Auto.StrideBytes))
	}
	b.WriteByte('\n')
	for s := range d.Generated {
		if s > 0 && d.Generated[s] == (streamout.Count{}) {
			continue
		}
		fmt.Fprintf(&b, "  stream %d: generated %s, written %s", s, countText(d.Generated[s]), countText(d.Written[s]))
		if dropped := d.Dropped[s]; d.Capturing && dropped.Low > 0 {
			fmt.Fprintf(&b, ", %s: %s found no room", p.Severity(streamout.Warning), countText(dropped))
		}
		b.WriteByte('\n')
	}
	for i := range d.Targets {
		targetText(&b, &d.Targets[i], p)
	}
	if d.Why != "" {
		fmt.Fprintf(&b, "  %s\n", p.Dim("not all is known: "+d.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// countText spells a count, or what is known of it.
func countText(c streamout.Count) string {
	switch {
	case c.Known():
		return fmt.Sprint(c.Low)
	case !c.Bounded() && c.Low == 0:
		return "?"
	case !c.Bounded():
		return fmt.Sprintf("at least %d", c.Low)
	case c.Low == 0:
		return fmt.Sprintf("at most %d", c.High)
	}
	return fmt.Sprintf("%d to %d", c.Low, c.High)
}

func targetText(b *strings.Builder, t *streamout.CapturedTarget, p Palette) {
	if t.Target == nil {
		what := "no target"
		if t.Handle != 0 {
			what = fmt.Sprintf("target %s of unknown size", t.Handle)
		}
		fmt.Fprintf(b, "  slot %d: %s\n", t.Slot, what)
		return
	}
	fmt.Fprintf(b, "  slot %d: ", t.Slot)
	switch {
	case t.First >= t.End:
		b.WriteString("nothing")
	case t.Known:
		fmt.Fprintf(b, "bytes %d..%d", t.First, t.End-1)
	default:
		fmt.Fprintf(b, "within bytes %d..%d", t.First, t.End-1)
	}
	fmt.Fprintf(b, " of resource %s, filled %s of %d B\n", t.Target.Resource, countText(t.Filled), t.Target.Size)
	if t.Target.Size > 0 {
		fmt.Fprintf(b, "    %d |%s| %d\n", t.Target.Offset, byteMap(t, p), uint64(t.Target.Offset)+uint64(t.Target.Size))
	}
}

// mapCells is how many characters a map of bytes has.
const mapCells = 48

// byteMap draws the target's range: # was written, ? may have been, = was filled
// before, . is free. A cell shows the most that any of its bytes is.
func byteMap(t *streamout.CapturedTarget, p Palette) string {
	base, size := uint64(t.Target.Offset), uint64(t.Target.Size)
	cells := min(mapCells, size)
	mark := []byte(strings.Repeat(".", int(cells)))
	fill := func(first, end uint64, c byte) {
		if first >= end || end > size {
			end = min(end, size)
		}
		for ; first < end; first++ {
			cell := first * cells / size
			mark[cell] = c
			// On to the first byte of the next cell.
			first = max(first, ((cell+1)*size+cells-1)/cells-1)
		}
	}
	fill(0, t.Before.Low, '=')
	written := byte('#')
	if !t.Known {
		written = '?'
	}
	fill(t.First-min(base, t.First), t.End-min(base, t.End), written)
	return p.Name(string(mark))
}

// ResumeText writes how far resumed targets are filled.
func ResumeText(w io.Writer, traceName string, r *streamout.Resume, p Palette) error {
	var b strings.Builder
	_, method := r.Op.Call.Name()
	fmt.Fprintf(&b, "%s:%d: call %d: %s goes on\n", traceName, r.Op.Pos.Line, r.Op.No, p.Strong(method))
	for _, t := range r.Targets {
		fmt.Fprintf(&b, "  slot %d: filled %s of %d B\n", t.Slot, countText(t.Filled), t.Target.Size)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// QueryText writes a query's result and what was predicted.
func QueryText(w io.Writer, traceName string, q *streamout.QueryPrediction, p Palette) error {
	recorded, predicted := "nothing", countText(q.Value)
	if q.Recorded.Known {
		recorded = fmt.Sprint(q.Recorded.Value)
	}
	if q.Query.Type == pipe.QueryStreamOutputStatistics {
		recorded += fmt.Sprintf(" written of %d", q.Recorded.Needed)
		predicted += " written of " + countText(q.Needed)
	}
	verdict := ""
	if q.Differs() {
		verdict = " " + p.Severity(streamout.Error) + ": they differ"
	}
	_, err := fmt.Fprintf(w, "%s:%d: call %d: %s %s of stream %d: recorded %s, predicted %s%s\n", traceName, q.Op.Pos.Line, q.Op.No,
		p.Strong("get_query_result"), q.Query.Type, q.Query.Index, recorded, predicted, verdict)
	return err
}

// ReadbackText writes a read of a captured buffer.
func ReadbackText(w io.Writer, traceName string, r *streamout.Readback, p Palette) error {
	var b strings.Builder
	_, method := r.Op.Call.Name()
	fmt.Fprintf(&b, "%s:%d: call %d: %s of resource %s reads bytes %d..%d:", traceName, r.Op.Pos.Line, r.Op.No,
		p.Strong(method), r.Resource.Handle, r.Offset, r.Offset+r.Size-1)
	if r.Unknown != "" {
		fmt.Fprintf(&b, " %s\n", r.Unknown)
	} else {
		b.WriteByte('\n')
		hexDump(&b, r.Bytes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hexDump writes bytes sixteen to a line, as hexdump -C does, but in capitals, as a
// trace has them.
func hexDump(b *strings.Builder, data []byte) {
	for at := 0; at < len(data); at += 16 {
		row := data[at:min(at+16, len(data))]
		fmt.Fprintf(b, "%08X  %-23s  %-23s  |", at, fmt.Sprintf("% X", row[:min(8, len(row))]), fmt.Sprintf("% X", row[min(8, len(row)):]))
		for _, c := range row {
			if c < ' ' || c > '~' {
				c = '.'
			}
			b.WriteByte(c)
		}
		b.WriteString("|\n")
	}
}
