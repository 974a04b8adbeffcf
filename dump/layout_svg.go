package dump

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// LayoutPicture collects the layouts of shaders and draws them below each other
// as SVG. Equal layouts are drawn once, with how often they came. Its zero value
// is ready.
type LayoutPicture struct {
	drawn []pictured
	index map[string]int
}

type pictured struct {
	body  string
	title string
	high  int
	times int
}

// Measures of the picture, in pixels.
const (
	pictureWide  = 960
	pictureLeft  = 90
	pictureRight = 60
	cellHigh     = 34
	laneHigh     = 20
	rulerHigh    = 22
	titleHigh    = 30
	pictureRoom  = pictureWide - pictureLeft - pictureRight
	// longestToScale is how many bytes a vertex may have to be drawn to scale.
	longestToScale = 512
)

// cellColours fill the outputs, by their index.
var cellColours = [...]string{"#8dd3c7", "#ffed9f", "#bebada", "#fb9a85", "#80b1d3", "#fdb462", "#b3de69", "#fccde5"}

// Add draws the layout of a shader.
func (p *LayoutPicture) Add(call uint64, shader pipe.Handle, l *streamout.Layout) {
	var b strings.Builder
	high := titleHigh
	scale := scaleOf(l)
	for i := range l.Buffers {
		high += pictureBuffer(&b, &l.Buffers[i], high, scale)
	}
	if p.index == nil {
		p.index = map[string]int{}
	}
	key := l.Stage.String() + b.String()
	if at, ok := p.index[key]; ok {
		p.drawn[at].times++
		return
	}
	p.index[key] = len(p.drawn)
	title := fmt.Sprintf("call %d: %s shader %s", call, l.Stage, shader)
	p.drawn = append(p.drawn, pictured{b.String(), title, high + 10, 1})
}

// scaleOf is how many pixels a byte has: the same for all buffers of a shader. It
// is 0 when they are too long for that: then columns are as in text.
func scaleOf(l *streamout.Layout) float64 {
	longest := uint64(4)
	for _, b := range l.Buffers {
		longest = max(longest, b.Stride, b.Extent)
	}
	if longest > longestToScale {
		return 0
	}
	return min(pictureRoom/float64(longest), 28)
}

// places returns where a byte of a buffer is drawn.
func places(m *vertexMap, scale float64) func(at uint64) float64 {
	if scale > 0 {
		return func(at uint64) float64 { return pictureLeft + float64(at)*scale }
	}
	column := min(pictureRoom/float64(m.columns[len(m.columns)-1]), 8)
	return func(at uint64) float64 { return pictureLeft + float64(m.columns[m.borderOf(at)])*column }
}

// pictureBuffer draws a buffer below y and returns how high it is.
func pictureBuffer(b *strings.Builder, buffer *streamout.BufferLayout, y int, scale float64) int {
	m := newVertexMap(buffer, Palette{})
	x := places(m, scale)
	top := y + rulerHigh
	fmt.Fprintf(b, `<text x="8" y="%d" class="b">buffer %d</text>`+"\n", top+21, buffer.Buffer)
	free := 0.0
	for _, at := range m.borders {
		if text := fmt.Sprint(at); x(at) >= free {
			fmt.Fprintf(b, `<text x="%.1f" y="%d" class="r">%s</text>`+"\n", x(at), top-5, text)
			free = x(at) + float64(len(text))*7 + 4
		}
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" class="t"/>`+"\n", x(at), top-3, x(at), top)
	}
	for lane, cells := range m.lanes {
		for _, c := range cells {
			pictureCell(b, c, x(c.Offset), top+lane*laneHigh, x(c.Offset+c.Size)-x(c.Offset))
		}
	}
	high := rulerHigh + cellHigh + max(len(m.lanes)-1, 0)*laneHigh
	if buffer.Stride != 0 {
		at := x(buffer.Stride)
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" class="s"/>`+"\n", at, top-6, at, y+high+4)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" class="s">stride %d B</text>`+"\n", at, y+high+16, buffer.Stride)
	}
	return high + 24
}

// pictureCell draws an output or gap. What overlaps stands lower, framed in red.
func pictureCell(b *strings.Builder, c *streamout.Cell, x float64, y int, wide float64) {
	fill, class, high := "url(#gap)", "g", cellHigh
	if !c.Gap() {
		fill, class = cellColours[c.Output%len(cellColours)], "c"
	}
	if c.Overlaps || c.BeyondStride {
		class = "o"
	}
	if c.Overlaps {
		high -= cellHigh - laneHigh
		y += cellHigh - laneHigh
	}
	name := label(c)
	about := fmt.Sprintf("gap, bytes %d to %d", c.Offset, c.Offset+c.Size)
	if !c.Gap() {
		about = fmt.Sprintf("%s, bytes %d to %d, output %d, register %d, stream %d%s", name, c.Offset, c.Offset+c.Size, c.Output, c.Register, c.Stream, cellMarks(c))
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" class="%s"><title>%s</title></rect>`+"\n",
		x, y, wide, high, fill, class, html.EscapeString(about))
	if room := int(wide/7.2) - 1; room >= 2 && !c.Gap() {
		if runes := []rune(name); len(runes) > room {
			name = string(runes[:room-1]) + "…"
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d" class="n">%s</text>`+"\n", x+wide/2, y+high/2+4, html.EscapeString(name))
	}
}

// pictureStyle is what the classes of the picture look like.
const pictureStyle = `<style>
text { font: 12px ui-monospace, monospace; fill: #222 }
.h { font-weight: bold; font-size: 14px } .b { font-weight: bold } .r { font-size: 11px; fill: #666 } .n { text-anchor: middle }
.c { stroke: #444 } .g { stroke: #aaa } .o { stroke: #d00; stroke-width: 2 } .t { stroke: #666 }
line.s { stroke: #d00; stroke-dasharray: 4 3 } text.s { fill: #d00; font-size: 11px; text-anchor: middle }
</style>
<defs><pattern id="gap" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="8" height="8" fill="#fafafa"/><line x1="0" y1="0" x2="0" y2="8" stroke="#ccc" stroke-width="3"/></pattern></defs>
`

// Write writes the picture.
func (p *LayoutPicture) Write(w io.Writer, traceName string) error {
	high := titleHigh
	for _, d := range p.drawn {
		high += d.high
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n", pictureWide, high, pictureWide, high)
	b.WriteString(pictureStyle)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n"+`<text x="8" y="20" class="h">%s</text>`+"\n", html.EscapeString(printable(traceName)))
	y := titleHigh
	for _, d := range p.drawn {
		title := d.title
		if d.times > 1 {
			title += fmt.Sprintf(", and %d more of this layout", d.times-1)
		}
		fmt.Fprintf(&b, `<g transform="translate(0 %d)">`+"\n"+`<text x="8" y="16" class="b">%s</text>`+"\n%s</g>\n", y, html.EscapeString(title), d.body)
		y += d.high
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}
