package jsonlines_test

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

func ExampleRun() {
	in := strings.NewReader(`{"id":"a","dwords":3}
{"id":"b","dwords":-1}
`)
	report, err := jsonlines.Run(in, os.Stdout, func(line []byte) (any, error) {
		var c struct {
			Dwords int `json:"dwords"`
		}
		if err := jsonlines.Decode("", line, &c, "id"); err != nil {
			return nil, err
		}
		if c.Dwords < 0 {
			return nil, errors.New("dwords is negative")
		}
		return map[string]int{"bytes": 4 * c.Dwords}, nil
	})
	fmt.Println(report.Impossible, err)
	// Output:
	// {"id":"a","bytes":12}
	// {"id":"b","error":"dwords is negative"}
	// 1 <nil>
}
