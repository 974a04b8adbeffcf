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
	report, err := jsonlines.Run(in, os.Stdout, func(c jsonlines.Case) (any, error) {
		var size struct {
			Dwords int `json:"dwords"`
		}
		if err := c.Take(&size); err != nil {
			return nil, err
		}
		if size.Dwords < 0 {
			return nil, errors.New("dwords is negative")
		}
		return map[string]int{"bytes": 4 * size.Dwords}, nil
	})
	fmt.Println(report.Impossible, err)
	// Output:
	// {"id":"a","bytes":12}
	// {"id":"b","error":"dwords is negative"}
	// 1 <nil>
}
