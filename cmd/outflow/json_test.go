package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJSONIsDocumented holds that docs/json.md names every member that the verbs
// print at the top of an object, and every type.
func TestJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/json.md")
	require.NoError(t, err)
	for _, args := range [][]string{
		{"dump", "--format", "json"},
		{"dump", "--format", "json", "--times"},
		{"state", "--last", "--format", "json"},
		{"layout", "--format", "json"},
		{"check", "--format", "json", "--min-severity", "note"},
	} {
		for _, name := range []string{"cut.llvmpipe.xml.gz", "tessellation.llvmpipe.xml.gz", "contexts.softpipe.xml.zst"} {
			var out bytes.Buffer
			run(append(args, filepath.Join(tracesDir, name)), nil, &out, io.Discard)
			require.NotZero(t, out.Len(), args)
			for line := range bytes.Lines(out.Bytes()) {
				var o map[string]json.RawMessage
				require.NoError(t, json.Unmarshal(line, &o), "%s", line)
				for member := range o {
					require.Contains(t, string(doc), "`"+member+"`", "%v", args)
				}
				var kind string
				require.NoError(t, json.Unmarshal(o["type"], &kind))
				require.Regexp(t, "(?m)^### (.*, )?"+kind+"(,.*)?$", string(doc))
			}
		}
	}
}
