package sarif_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/dump/sarif"
)

func ExampleWrite() {
	var out bytes.Buffer
	err := sarif.Write(&out, &sarif.Log{
		Tool:  "outflow",
		Rules: []sarif.Rule{{ID: "not-zeroed", Title: "An object leaves before its member is set."}},
		Results: []sarif.Result{{
			RuleID: "not-zeroed", Level: sarif.LevelError, Message: "state: stream_output is never set",
			Place: sarif.Place{File: "graw_util.c", Line: 19}, Identity: "graw_util.c|state",
		}},
	})
	fmt.Println(err, strings.Contains(out.String(), `"uri": "graw_util.c"`))
	// Output: <nil> true
}
