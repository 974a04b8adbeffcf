package shader_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// A stream output that captures register 2 is asked about.
func Example() {
	text := []byte(`VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1].xy, GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1].x, IN[0].yyyy
  2: END
`)
	o := shader.Parse(pipe.Vertex, text)
	fmt.Println(o.Status, o.Dialect)
	for _, out := range o.List {
		fmt.Println(out.Register, out.Semantic)
	}
	fmt.Println("register 1 x written:", o.Writes(1, shader.ComponentMask(0, 1)))
	fmt.Println("register 1 xy written:", o.Writes(1, shader.ComponentMask(0, 2)))
	fmt.Println("register 2 declared:", o.Declares(2, shader.AllComponents))

	o = shader.Parse(pipe.Vertex, []byte("..."))
	fmt.Println(o.Status, "- register 2 declared:", o.Declares(2, shader.AllComponents))
	// Output:
	// parsed tgsi
	// 0 POSITION
	// 1 GENERIC[0]
	// register 1 x written: yes
	// register 1 xy written: no
	// register 2 declared: no
	// absent - register 2 declared: unknown
}
