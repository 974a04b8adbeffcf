package dump

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/outflow-gpu/outflow/streamout"
)

// vertexMap draws the vertex of a buffer as a row of cells under a ruler of bytes.
// Columns are as wide as their bytes, as far as labels and the width allow; the
// ruler tells every border. Outputs that overlap stand in lanes below each other.
type vertexMap struct {
	buffer  *streamout.BufferLayout
	palette Palette
	borders []uint64 // bytes, ascending
	columns []int    // where each border stands
	lanes   [][]*streamout.Cell
}

// charsPerDword is how wide four bytes are drawn where there is room, and
// widestColumn where a stretch without a border stops growing.
const (
	charsPerDword = 5
	widestColumn  = 40
	mapIndent     = 2
)

// newVertexMap returns the map of a buffer.
func newVertexMap(buffer *streamout.BufferLayout, p Palette) *vertexMap {
	m := &vertexMap{buffer: buffer, palette: p}
	for i := range buffer.Cells {
		c := &buffer.Cells[i]
		m.borders = append(m.borders, c.Offset, c.Offset+c.Size)
		m.place(c)
	}
	m.borders = append(m.borders, 0, buffer.Stride)
	slices.Sort(m.borders)
	m.borders = slices.Compact(m.borders)
	m.measure()
	return m
}

// place puts a cell into the first lane that is free there.
func (m *vertexMap) place(c *streamout.Cell) {
	if c.Size == 0 {
		return
	}
	for i, lane := range m.lanes {
		if last := lane[len(lane)-1]; last.Offset+last.Size <= c.Offset {
			m.lanes[i] = append(lane, c)
			return
		}
	}
	m.lanes = append(m.lanes, []*streamout.Cell{c})
}

// measure gives each border its column.
func (m *vertexMap) measure() {
	m.columns = make([]int, len(m.borders))
	for i := 1; i < len(m.borders); i++ {
		wide := int(min((m.borders[i]-m.borders[i-1])*charsPerDword/4, widestColumn))
		wide = max(wide, len(fmt.Sprint(m.borders[i-1]))+1, len(fmt.Sprint(m.borders[i]))/2+2, 4)
		m.columns[i] = m.columns[i-1] + wide
	}
	for _, lane := range m.lanes {
		for _, c := range lane {
			m.widen(c)
		}
	}
}

// widen makes room for the label of a cell.
func (m *vertexMap) widen(c *streamout.Cell) {
	from, to := m.borderOf(c.Offset), m.borderOf(c.Offset+c.Size)
	lack := utf8.RuneCountInString(cellText(c)) + 3 - (m.columns[to] - m.columns[from])
	for i := to; lack > 0 && i < len(m.columns); i++ {
		m.columns[i] += lack
	}
}

func (m *vertexMap) borderOf(at uint64) int {
	i, _ := slices.BinarySearch(m.borders, at)
	return i
}

// cellText is the label of a cell as text has it: a gap's stands among dots.
func cellText(c *streamout.Cell) string {
	if c.Gap() {
		return " gap "
	}
	return label(c)
}

// label is what stands in the cell of an output.
func label(c *streamout.Cell) string {
	s := cellName(c)
	if c.Components() != "" {
		s += "." + c.Components()
	}
	if c.Overlaps {
		s += " overlaps"
	}
	if c.BeyondStride {
		s += " !"
	}
	return s
}

// cellName is what an output is called: its variable, slot or register.
func cellName(c *streamout.Cell) string {
	switch {
	case c.Name != "":
		return printable(c.Name)
	case c.Semantic != "":
		return printable(c.Semantic)
	}
	return fmt.Sprintf("register %d", c.Register)
}

// write draws the map in as many parts as the width asks for.
func (m *vertexMap) write(b *strings.Builder, width int) {
	for from := 0; from < len(m.borders)-1; {
		to := from + 1
		for to+1 < len(m.borders) && m.columns[to+1]-m.columns[from]+mapIndent < width {
			to++
		}
		m.part(b, from, to)
		from = to
	}
}

// part draws what lies between two borders.
func (m *vertexMap) part(b *strings.Builder, from, to int) {
	base := m.columns[from]
	size := m.columns[to] - base + 1
	ruler := blank(size + 20)
	line := blank(size)
	for i := from; i <= to; i++ {
		put(ruler, m.columns[i]-base, fmt.Sprint(m.borders[i]))
	}
	for i := range line {
		line[i] = '─'
	}
	for i := from; i <= to; i++ {
		line[m.columns[i]-base] = '┬'
	}
	line[0], line[size-1] = '├', '┤'
	m.row(b, ruler, true)
	m.row(b, line, true)
	for _, lane := range m.lanes {
		m.lane(b, lane, from, to)
	}
	if stride := m.borderOf(m.buffer.Stride); m.buffer.Stride != 0 && stride > from && stride <= to {
		mark := blank(m.columns[stride] - base + 1 + 20)
		put(mark, m.columns[stride]-base, "▲ stride")
		m.row(b, mark, true)
	}
}

// lane draws cells beside each other, nothing when none lies here.
func (m *vertexMap) lane(b *strings.Builder, lane []*streamout.Cell, from, to int) {
	base := m.columns[from]
	row := blank(m.columns[to] - base + 1)
	drawn := false
	for _, c := range lane {
		left, right := max(m.borderOf(c.Offset), from), min(m.borderOf(c.Offset+c.Size), to)
		if left >= right {
			continue
		}
		drawn = true
		start, end := m.columns[left]-base, m.columns[right]-base
		if c.Gap() {
			for i := start + 1; i < end; i++ {
				row[i] = '·'
			}
		}
		row[start], row[end] = '│', '│'
		put(row[:end], start+2, cellText(c))
	}
	if drawn {
		m.row(b, row, false)
	}
}

func (m *vertexMap) row(b *strings.Builder, row []rune, dim bool) {
	s := strings.TrimRight(string(row), " ")
	if dim {
		s = m.palette.Dim(s)
	}
	b.WriteString(strings.Repeat(" ", mapIndent) + s + "\n")
}

func blank(n int) []rune {
	row := make([]rune, n)
	for i := range row {
		row[i] = ' '
	}
	return row
}

// put writes text into a row, as much as there is room for.
func put(row []rune, at int, text string) {
	for _, r := range text {
		if at >= len(row) {
			return
		}
		row[at] = r
		at++
	}
}
