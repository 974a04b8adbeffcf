package house

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the path that the module's packages begin with.
const module = "github.com/outflow-gpu/outflow/"

// edges is the policy: a package, then everything outside the standard library
// that it may import, tests apart. "*" is everything. A line whose package ends
// in "/..." also stands for the packages below it. Imports run one way:
//
//	pipe < shader, cso, trace, pipe/state < streamout < rules, frontend, dump < cmd
//
// trace and streamout never import each other, and streamout never its rules.
// pipe/state counts what a tessellated draw captures, and so needs shader/tess.
const edges = `
pipe:
shader: pipe
shader/tess: pipe shader internal/jsonlines
pipe/state: pipe shader shader/tess xxhash
cso: pipe shader internal/jsonlines xxhash
trace: pipe shader internal/blocks internal/markup internal/seqdiff xxhash
trace/audit: pipe pipe/state shader cso trace streamout
trace/audit/levels: pipe pipe/state shader trace
trace/audit/trackers: pipe
trace/audit/source:
streamout: pipe pipe/state shader
streamout/rules: pipe pipe/state shader cso streamout
streamout/frontend/...: pipe shader streamout streamout/frontend internal/jsonlines
dump: pipe pipe/state shader cso trace trace/audit/levels streamout dump/sarif spew xxhash
dump/cmask: internal/jsonlines compress
dump/sarif:
dump/baseline:

internal/markup: pipe
internal/blocks: internal/markup compress
internal/seqdiff:
internal/jsonlines:
internal/randomops: pipe
internal/golden: spew testify
internal/workload:
internal/house:

cmd/...: *
`

// outside are the short names of the modules that may be used, and what they
// stand for.
var outside = map[string]string{
	"compress": "github.com/klauspost/compress/",
	"spew":     "github.com/davecgh/go-spew/spew",
	"testify":  "github.com/stretchr/testify/",
	"xxhash":   "github.com/cespare/xxhash/v2",
}

// policy is edges, parsed: the lines in order, so that the first that fits wins.
type policy []struct {
	pkg     string
	below   bool
	allowed []string
}

func parsePolicy(text string) policy {
	var p policy
	for line := range strings.Lines(text) {
		pkg, allowed, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		name, below := strings.CutSuffix(pkg, "/...")
		p = append(p, struct {
			pkg     string
			below   bool
			allowed []string
		}{name, below, strings.Fields(allowed)})
	}
	return p
}

// allowed returns what a package may import.
func (p policy) allowed(pkg string) ([]string, bool) {
	for _, line := range p {
		if line.pkg == pkg || line.below && strings.HasPrefix(pkg, line.pkg+"/") {
			return line.allowed, true
		}
	}
	return nil, false
}

// short returns an import as the policy spells it; standard packages have none.
func short(path string) string {
	if pkg, ok := strings.CutPrefix(path, module); ok {
		return pkg
	}
	for name, prefix := range outside {
		if strings.HasPrefix(path, prefix) {
			return name
		}
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return path
	}
	return ""
}

// importFaults returns the imports that the policy does not allow.
func importFaults(p policy, packages []*pkg) []string {
	var faults []string
	for _, k := range packages {
		allowed, ok := p.allowed(k.dir)
		if !ok {
			faults = append(faults, fmt.Sprintf("%s: the policy does not name the package", k.dir))
			continue
		}
		for _, f := range k.files {
			for _, path := range f.imports {
				name := short(path)
				if f.test || name == "" || slices.Contains(allowed, "*") || slices.Contains(allowed, name) {
					continue
				}
				faults = append(faults, fmt.Sprintf("%s: imports %s, allowed are [%s]", f.path, name, strings.Join(allowed, " ")))
			}
		}
	}
	return faults
}

// root is the module's tree.
func root() fs.FS { return os.DirFS("../..") }

func TestImports(t *testing.T) {
	packages, err := load(root())
	require.NoError(t, err)
	require.NotEmpty(t, packages)
	for _, fault := range importFaults(parsePolicy(edges), packages) {
		t.Error(fault)
	}
}

// TestPolicyRunsOneWay holds that the policy itself has no circle and keeps the
// two promises that matter most.
func TestPolicyRunsOneWay(t *testing.T) {
	p := parsePolicy(edges)
	var reach func(from string, path []string)
	reach = func(from string, path []string) {
		require.NotContains(t, path, from, "a circle: %s", strings.Join(append(path, from), " imports "))
		allowed, ok := p.allowed(from)
		require.True(t, ok || outside[from] != "" || from == "*", "%s is allowed but has no line of its own", from)
		for _, to := range allowed {
			// The front ends may use what they share.
			if to != "*" && outside[to] == "" && !strings.HasPrefix(from, to) {
				reach(to, append(slices.Clone(path), from))
			}
		}
	}
	reaches := func(from, to string) bool {
		seen := map[string]bool{}
		var walk func(string) bool
		walk = func(pkg string) bool {
			if pkg == to {
				return true
			}
			allowed, _ := p.allowed(pkg)
			return slices.ContainsFunc(allowed, func(next string) bool {
				again := seen[next]
				seen[next] = true
				return !again && walk(next)
			})
		}
		return walk(from)
	}
	for _, line := range p {
		reach(line.pkg, nil)
	}
	require.False(t, reaches("trace", "streamout"))
	require.False(t, reaches("streamout", "trace"))
	require.False(t, reaches("streamout", "streamout/rules"))
	require.True(t, reaches("streamout/rules", "pipe"))
}

func TestImportFaultsAreSeen(t *testing.T) {
	p := parsePolicy("pipe:\ntrace: pipe compress\nfront/...: pipe\ncmd/...: *")
	for _, tc := range []struct {
		name, file, path string
		want             string
	}{
		{"a leaf that imports upwards", "pipe/a.go", module + "trace", "pipe/a.go: imports trace, allowed are []"},
		{"an allowed edge", "trace/a.go", module + "pipe", ""},
		{"the standard library", "pipe/a.go", "encoding/json", ""},
		{"an allowed module", "trace/a.go", "github.com/klauspost/compress/zstd", ""},
		{"a module for others", "pipe/a.go", "github.com/klauspost/compress/zstd", "pipe/a.go: imports compress, allowed are []"},
		{"a module for nobody", "trace/a.go", "example.org/x", "trace/a.go: imports example.org/x, allowed are [pipe compress]"},
		{"a package below a line", "front/gl/a.go", module + "pipe", ""},
		{"a package that nobody named", "other/a.go", "fmt", "other: the policy does not name the package"},
		{"a command", "cmd/x/a.go", module + "anything", ""},
		{"a test, which may", "pipe/a_test.go", module + "trace", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			packages, err := load(tree{tc.file: "package p\nimport _ \"" + tc.path + "\"\n"}.fs())
			require.NoError(t, err)
			require.Equal(t, tc.want, strings.Join(importFaults(p, packages), "\n"))
		})
	}
}
