package tess

import (
	"bufio"
	"fmt"
	"io"
)

// Sizes of a drawing, in hundredths of a unit.
const (
	svgMargin = 2000
	svgSide   = 96000
	svgHeight = 83138 // of an equilateral triangle with that side
)

// WriteSVG draws the tessellated patch: a triangle standing on its edge v = 0 with u = 1 to the right, a
// quad or isolines with u to the right and v upwards.
func (t Tessellator) WriteSVG(w io.Writer, f Factors) error {
	b := bufio.NewWriter(w)
	height := svgSide
	if t.domain == Triangles {
		height = svgHeight
	}
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s">`+"\n",
		hundredths(svgSide+2*svgMargin), hundredths(height+2*svgMargin))
	c := t.Count(f)
	fmt.Fprintf(b, "<title>%s %s: %d vertices, %d %s</title>\n", t.domain, t.spacing, c.Vertices, c.Primitives, t.primitives())
	if c.Culled {
		fmt.Fprintf(b, `<text x="%s" y="%s" font-size="40">culled</text>`+"\n", hundredths(svgMargin), hundredths(height/2))
	} else {
		t.draw(b, t.Geometry(f))
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

func (t Tessellator) draw(b *bufio.Writer, g Geometry) {
	if per := t.VerticesPerPrimitive(); per > 1 {
		fmt.Fprint(b, `<path fill="#dde8f5" stroke="#24476b" stroke-width="1" stroke-linejoin="round" d="`)
		for i, index := range g.Indices {
			command := "L"
			if i%per == 0 {
				command = "M"
			}
			x, y := t.place(g.Points[index])
			fmt.Fprintf(b, "%s%s %s", command, x, y)
			if per == 3 && i%per == 2 {
				fmt.Fprint(b, "Z")
			}
		}
		fmt.Fprintln(b, `"/>`)
	}
	fmt.Fprintln(b, `<g fill="#b3261e">`)
	for _, p := range g.Points {
		x, y := t.place(p)
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="2.5"/>`+"\n", x, y)
	}
	fmt.Fprintln(b, "</g>")
}

// place is where a point is drawn. Whole numbers make the drawing the same on every machine.
func (t Tessellator) place(p Point) (x, y string) {
	u, v := int64(p.U), int64(p.V)
	if t.domain == Triangles {
		return hundredths(svgMargin + int((2*u+v)*svgSide/(2*one))), hundredths(svgMargin + int((one-v)*svgHeight/one))
	}
	return hundredths(svgMargin + int(u*svgSide/one)), hundredths(svgMargin + int((one-v)*svgSide/one))
}

func hundredths(n int) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }

// primitives names what leaves the tessellator, in the plural.
func (t Tessellator) primitives() string {
	return [...]string{"points", "lines", "triangles", "triangles"}[t.output]
}
