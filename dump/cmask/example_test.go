package cmask_test

import (
	"fmt"
	"image"
	"log"
	"os"

	"github.com/outflow-gpu/outflow/dump/cmask"
)

// A dump of a 24x16 surface, two tiles a byte: what did the pass touch, and could its draw do that?
func Example() {
	layout, err := cmask.NewLinear(24, 16)
	if err != nil {
		log.Fatal(err)
	}
	surface, err := cmask.Decode([]byte{0x8F, 0x00, 0x00}, layout, 0, cmask.FastClear, 1)
	if err != nil {
		log.Fatal(err)
	}
	view, err := surface.View(cmask.CM2)
	if err != nil {
		log.Fatal(err)
	}
	if err := view.WriteASCII(os.Stdout, cmask.PerTile); err != nil {
		log.Fatal(err)
	}
	r := view.Report()
	fmt.Printf("%d of %d pixels, inside %v\n", r.TouchedPixels, r.Pixels, r.Bounds)
	fmt.Println(view.Check([]cmask.Draw{{Area: image.Rect(0, 0, 8, 8)}}).Message)
	// Output:
	// #+.
	// ...
	// 80 of 384 pixels, inside (0,0)-(16,8)
	// no draw reaches there: 16 pixels in (12,4)-(16,8) are touched
}

// A stream-output pass with rasterizer discard must leave the surface as the clear left it.
func ExampleView_Check() {
	surface, err := cmask.NewSurface(640, 480, cmask.FastClear, 1)
	if err != nil {
		log.Fatal(err)
	}
	view, err := surface.View(cmask.CM0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(view.Check([]cmask.Draw{{Discard: true}}) == nil)
	// Output: true
}

func ExampleSelect() {
	s, err := cmask.Select(cmask.SurfaceConfig{
		Generation: cmask.Series, Samples: 1, FastClear: true, BitsPerPixel: 32, Tile: "SW_64KB_S_X",
	})
	fmt.Println(s.Variant, s.Mode, err)
	// Output: 1 CM3 <nil>
}
