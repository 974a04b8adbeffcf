package markup_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/internal/markup"
	"github.com/outflow-gpu/outflow/pipe"
)

func ExampleScanner() {
	text := []byte("<call no='1'><arg name='a'><uint>5</uint></arg></call>\nnoise\n</trace>\n")
	var s markup.Scanner
	for len(text) > 0 {
		p, _ := s.Next(text, true)
		if p.Kind != markup.Blank {
			fmt.Printf("%d %q\n", p.Kind, text[:p.End])
		}
		text = text[p.End:]
	}
	// Output:
	// 1 "<call no='1'><arg name='a'><uint>5</uint></arg></call>"
	// 5 "noise\n"
	// 3 "</trace>"
}

func ExampleParser() {
	text := []byte("<call no='1' class='pipe_context' method='m'><arg name='a'><uint>5</uint></arg></call>")
	var p markup.Parser
	tag, _ := p.OpenTag(text, 0)
	nodes, _, fault := p.Body(text, tag.Body, nil)
	values := pipe.MakeValues(text, nodes)
	fmt.Printf("%s %d %v %s\n", tag.Method, tag.No, values.Arg("a"), fault)
	// Output: m 1 5 nothing
}
