package tess_test

import (
	"fmt"
	"os"

	"github.com/outflow-gpu/outflow/shader/tess"
)

// How many vertices does a patch stream out?
func ExampleTessellator_Count() {
	t, err := tess.NewGallium(tess.Triangles, tess.Equal, true, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := t.Count(tess.Factors{Outer: [4]float32{2, 3, 4}, Inner: [2]float32{3}})
	fmt.Println(c.Vertices, "vertices,", c.Primitives, "triangles,", c.Indices*16, "bytes at stride 16")
	// Output: 12 vertices, 13 triangles, 624 bytes at stride 16
}

// How is a draw cut into threadgroups?
func ExampleNewPlan() {
	t, err := tess.Parse("tri", "integer", "ccw")
	if err != nil {
		fmt.Println(err)
		return
	}
	draw := tess.Draw{
		Tessellator: t, Patches: 100, Instances: 1, InputPoints: 3, OutputPoints: 3,
		BytesPerInput: 32, BytesPerOutput: 32, BytesPerPatch: 16,
		Factors: []tess.Factors{{Outer: [4]float32{2, 3, 4}, Inner: [2]float32{3}}},
	}
	plan, err := tess.NewPlan(tess.DefaultDevice(), draw, tess.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := plan.WriteTable(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// patches per threadgroup 64 (driver's choice 64; limits: lds 146, threads 85, hw 64)
	// threadgroups 2, LDS 14336 B each (14336 B used, 224 B per patch)
	// threadgroups per compute unit 4 (4 by LDS, 13 by waves), rounds 1
	//
	// part        patches  VS threads  waves  lanes  HS threads  waves  lanes
	// full group  64       192         3      100%   192         3      100%
	// last group  36       108         2      84%    108         2      84%
	// whole draw           300         5             300         5
	//
	// group  patches  average factor  DS threads  waves  on chip  off chip  bytes written
	// 0      64       3               768         12     12       0         0
	// 1      36       3               432         7      7        0         0
	// all 2                           1200        19     19       0         0
	//
	// primitives 1300, vertices that stream output writes 3900
}
