package workload_test

import (
	"bytes"
	"fmt"

	"github.com/outflow-gpu/outflow/internal/workload"
)

func Example() {
	var text bytes.Buffer
	if err := workload.Write(&text, workload.Captures, 1, 10_000); err != nil {
		fmt.Println(err)
	}
	fmt.Println(bytes.Count(text.Bytes(), []byte("</call>")) > 10)
	// Output: true
}
