package vulkan_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/frontend/vulkan"
)

// A double vector of three takes two slots, and six dwords at a multiple of 8
// bytes.
func Example() {
	s, err := vulkan.ParseShader([]byte(`{"outputs": [
		{"name": "p", "type": "vec4", "builtin": "Position"},
		{"name": "d", "type": "dvec3", "location": 4, "xfbBuffer": 0, "xfbStride": 32, "offset": 8}
	]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := vulkan.Translate(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frontend.Notation(&t.Info))
	// Output: (1,0,4,b0,2,0)(2,0,2,b0,6,0){8,0,0,0}
}
