package gl_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/frontend/gl"
)

// A matrix with a location takes a register for each column. The double behind
// it begins at an odd dword, which OpenGL leaves to the application.
func Example() {
	p, err := gl.ParseProgram([]byte(`{
		"mode": "interleaved",
		"varyings": ["M", "gl_SkipComponents2", "d"],
		"outputs": [
			{"name": "gl_Position", "type": "vec4"},
			{"name": "M", "type": "mat3", "location": 0},
			{"name": "d", "type": "double", "location": 3}
		]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := gl.Translate(p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frontend.Notation(&t.Info))
	for _, d := range t.Said {
		fmt.Printf("%s: %s [%s]\n", d.Severity, d.Message, d.Rule)
	}
	// Output:
	// (1,0,3,b0,0,0)(2,0,3,b0,3,0)(3,0,3,b0,6,0)(4,0,2,b0,11,0){13,0,0,0}
	// warning: d has 64-bit components and lies at dw 11 (byte 44), no multiple of 8 bytes [so-gl-double-list]
}
