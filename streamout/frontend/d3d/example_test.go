package d3d_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/frontend/d3d"
)

// The second component of a semantic that lies in zw is w of its register.
func Example() {
	c, err := d3d.ParseCase([]byte(`{
		"signature": [{"semanticName": "TEXCOORD", "semanticIndex": 1, "register": 2, "mask": "zw"}],
		"declarations": [
			{"semanticName": null, "componentCount": 2},
			{"semanticName": "TEXCOORD", "semanticIndex": 1, "startComponent": 1, "componentCount": 1}
		]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := d3d.Translate(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(frontend.Notation(&t.Info))
	// Output: (2,3,1,b0,2,0){3,0,0,0}
}
