package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJSONIsDocumented holds that docs/json.md names every member that the verbs
// print at the top of an object, and every type.
func TestJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/json.md")
	require.NoError(t, err)
	trace := func(name string) string { return filepath.Join(tracesDir, name) }
	for _, args := range [][]string{
		{"dump", "--format", "json"},
		{"dump", "--format", "json", "--times"},
		{"state", "--last", "--format", "json"},
		{"layout", "--format", "json"},
		{"check", "--format", "json", "--min-severity", "note"},
		{"capture", "--format", "json"},
		{"diff", "--no-junk", "--format", "json", trace("pause.llvmpipe.xml.gz")},
		{"diff", "--no-junk", "--state", "--format", "json", trace("pause.llvmpipe.xml.gz")},
		{"preserve", "--format", "json", trace("pause.llvmpipe.xml.gz")},
		{"depthstencil", "--format", "json"},
	} {
		for _, name := range []string{"cut.llvmpipe.xml.gz", "tessellation.llvmpipe.xml.gz", "contexts.softpipe.xml.zst", "queries.llvmpipe.xml.gz"} {
			requireDocumented(t, string(doc), append(slices.Clone(args), trace(name))...)
		}
	}
	requireDocumented(t, string(doc), "capture", "--format", "json", trace("drawauto.llvmpipe.xml.gz"))
	requireDocumented(t, string(doc), "capture", "--format", "json", trace("pause.llvmpipe.xml.gz"))
	requireDocumented(t, string(doc), "rules", "--format", "json")
	requireDocumented(t, string(doc), "rules", "--format", "json", "--uncheckable")
	for _, rule := range []string{"so-dst-offset-limit", "trace-truncated", "so-tc-copy", "so-gl-alias"} {
		requireDocumented(t, string(doc), "explain", "--format", "json", rule)
	}
	requireDocumented(t, string(doc), "tess", "--format", "json", "--outer", "3", "--inner", "2", "--patches", "4")

	file := filepath.Join(t.TempDir(), "a.c")
	const text = "void *f(struct pipe_context *p)\n{\n\tstruct pipe_shader_state s;\n\ts.type = 1;\n\treturn p->create_vs_state(p, &s);\n}\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	requireDocumented(t, string(doc), "audit", "--format", "json", "--explain", file)
}

// requireDocumented runs the command and looks for each member and type of the
// JSON that it prints in the page.
func requireDocumented(t *testing.T, doc string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	run(args, nil, &out, io.Discard)
	require.NotZero(t, out.Len(), args)
	for line := range bytes.Lines(out.Bytes()) {
		var o map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(line, &o), "%s", line)
		for member := range o {
			require.True(t, strings.Contains(doc, "`"+member+"`"), "%v: %s", args, member)
		}
		var kind string
		require.NoError(t, json.Unmarshal(o["type"], &kind))
		require.True(t, regexp.MustCompile("(?m)^### (.*, )?"+kind+"(,.*)?$").MatchString(doc), "%v: %s", args, kind)
	}
}
