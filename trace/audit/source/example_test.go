package source_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/trace/audit/source"
)

func Example() {
	report := source.File("graw.c", `
void *parse(struct pipe_context *pipe, const struct tgsi_token *tokens)
{
   struct pipe_shader_state state;
   state.tokens = tokens;
   return pipe->create_vs_state(pipe, &state);
}
`, source.Options{})
	for _, f := range report.Findings {
		fmt.Println(f.Text())
	}
	// Output:
	// graw.c:4: error: not-zeroed: parse: state: stream_output is never set before it is passed to create_vs_state at line 6
}
