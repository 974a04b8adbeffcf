package dump

import (
	"strings"
	"unicode/utf8"

	"github.com/outflow-gpu/outflow/trace"
)

// sides prints a difference in two columns: the first trace left, the second
// right.
func (p *DiffText) sides(d *trace.Difference) {
	switch d.Kind {
	case trace.Removed:
		p.row("", string(appendNumbered(nil, d.A)), "", "", "<", paintRemoved)
		return
	case trace.Added:
		p.row("", "", "", string(appendNumbered(nil, d.B)), ">", paintAdded)
		return
	}
	title := " " + callTitle(d.A)
	p.row("", string(appendPlace(nil, d.A))+title, "", string(appendPlace(nil, d.B))+title, "", paintHunk)
	for i := range d.Values {
		v := &d.Values[i]
		if lines := v.Lines(textAround); lines != nil {
			p.sideTexts(v.Path, lines)
			continue
		}
		from := v.Path + " = " + string(appendDiffSide(nil, v.From, d.A, v.FromName, v.ToName))
		to := v.Path + " = " + string(appendDiffSide(nil, v.To, d.B, v.ToName, v.FromName))
		p.row("", from, "", to, "|", "")
	}
}

// sideTexts prints what differs in a text, removed lines beside the added ones
// that stand in their place.
func (p *DiffText) sideTexts(path string, lines []trace.LineDifference) {
	p.row("", path+":", "", path+":", "", paintHunk)
	for i := 0; i < len(lines); {
		if i > 0 && !follows(&lines[i-1], &lines[i]) {
			p.row("", "...", "", "...", "", paintHunk)
		}
		if lines[i].Kind == trace.KeptLine {
			p.row("", lines[i].Text, "", lines[i].Text, "", "")
			i++
			continue
		}
		removed := i
		for i < len(lines) && lines[i].Kind == trace.RemovedLine {
			i++
		}
		added := i
		for i < len(lines) && lines[i].Kind == trace.AddedLine {
			i++
		}
		for j := range max(added-removed, i-added) {
			p.pairLines(lines[removed:added], lines[added:i], j)
		}
	}
}

func (p *DiffText) pairLines(removed, added []trace.LineDifference, j int) {
	switch {
	case j >= len(removed):
		p.row("", "", "", added[j].Text, ">", paintAdded)
	case j >= len(added):
		p.row("", removed[j].Text, "", "", "<", paintRemoved)
	default:
		p.row("", removed[j].Text, "", added[j].Text, "|", "")
	}
}

// row prints two cells with a sign between, on as many lines as the longer one
// needs.
func (p *DiffText) row(markA, a, markB, b, sign, code string) {
	width := max((p.Width-3)/2, 10)
	cellsA, cellsB := wrap(mark(markA, a), width), wrap(mark(markB, b), width)
	for i := range max(len(cellsA), len(cellsB)) {
		left, right := cellAt(cellsA, i), cellAt(cellsB, i)
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(left))
		codeA, codeB := code, code
		if sign == "|" {
			codeA, codeB = paintRemoved, paintAdded
		}
		line := p.side(codeA, left) + pad + " " + (sign + " ")[:1] + " " + p.side(codeB, right)
		p.out = append(append(p.out, strings.TrimRight(line, " ")...), '\n')
	}
}

func mark(mark, text string) string {
	text = string(appendPrintable(nil, []byte(strings.ReplaceAll(text, "\t", "    "))))
	if mark == "" {
		return text
	}
	return mark + " " + text
}

func (p *DiffText) side(code, text string) string {
	if code == "" || text == "" {
		return text
	}
	return p.Palette.paint(code, text)
}

func cellAt(cells []string, i int) string {
	if i < len(cells) {
		return cells[i]
	}
	return ""
}

// wrap cuts a text into lines of at most width characters.
func wrap(s string, width int) []string {
	var lines []string
	for utf8.RuneCountInString(s) > width {
		end := 0
		for range width {
			_, size := utf8.DecodeRuneInString(s[end:])
			end += size
		}
		if space := strings.LastIndexByte(s[:end], ' '); space > width/2 {
			end = space + 1
		}
		lines = append(lines, strings.TrimRight(s[:end], " "))
		s = "    " + s[end:]
	}
	return append(lines, s)
}
