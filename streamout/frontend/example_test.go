package frontend_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// A front end of one's own: outputs in any order, and the rules that it finds
// broken.
func Example() {
	var b frontend.Builder
	b.Stride[0] = 7
	b.Add("normal", 1, 0, 3, 0, 4, 0)
	b.Add("gl_Position", 0, 0, 4, 0, 0, 0)
	t, err := b.Finish(pipe.Vertex)
	fmt.Println(t.Names, frontend.Notation(&t.Info), err)

	b.Break("so-gl-alias", "normal overlaps gl_Position")
	b.Break("so-gl-duplicate", "normal is listed twice")
	_, err = b.Finish(pipe.Vertex)
	fmt.Println(err)
	// Output:
	// [gl_Position normal] (0,0,4,b0,0,0)(1,0,3,b0,4,0){7,0,0,0} <nil>
	// normal is listed twice [so-gl-duplicate]
}
