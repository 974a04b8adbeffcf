package trace

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// mesaTool returns a function that runs one of Mesa's trace tools, of the folder
// src/gallium/tools/trace, and returns what it printed.
func mesaTool(t *testing.T) func(name string, args ...string) (out, talk string, err error) {
	folder := os.Getenv("MESA_TRACE_TOOLS")
	if folder == "" {
		t.Skip("MESA_TRACE_TOOLS names no folder of Mesa's trace tools")
	}
	return func(name string, args ...string) (string, string, error) {
		cmd := exec.Command("python3", append([]string{filepath.Join(folder, name)}, args...)...)
		var out, talk bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &talk
		err := cmd.Run()
		return out.String(), talk.String(), err
	}
}

// illegal is what no XML 1.0 holds, escaped or not. Labels of shaders and the
// bytes of identifiers bring it into traces.
var illegal = regexp.MustCompile(`[\x00-\x08\x0b\x0c\x0e-\x1f]|&#(?:[1-8]|1[124-9]|2[0-9]|3[01]);`)

// TestMesaReadsRecorded runs Mesa's own tools on the copy of every trace.
func TestMesaReadsRecorded(t *testing.T) {
	run := mesaTool(t)
	read, illFormed := 0, 0
	for _, path := range recorded(t) {
		text := inflate(t, path)
		dialect, _ := dialectOf(text)
		copied := rerecord(t, text, dialect)
		if illegal.Match(copied) || !utf8.Valid(copied) {
			illFormed++
			continue
		}
		file := filepath.Join(t.TempDir(), "copy.xml")
		require.NoError(t, os.WriteFile(file, copied, 0o600))
		out, talk, err := run("dump.py", "-p", "-I", file)
		require.NoError(t, err, "%s: %s", path, talk)
		require.NotContains(t, talk, "Traceback", path)
		require.Equal(t, wantedLines(t, copied), strings.Count(out, " // time "), path)
		_, talk, err = run("parse.py", "-p", "-M", file)
		require.NoError(t, err, "%s: %s", path, talk)
		_, talk, err = run("pytracediff.py", "-p", "-I", "-C", file, file)
		require.NoError(t, err, "%s: %s", path, talk)
		require.NotContains(t, talk, "Traceback", path)
		read++
		require.NoError(t, os.Remove(file))
	}
	t.Logf("%d traces were read; %d hold what no XML can", read, illFormed)
}

// junk are the methods that option -I of the tools drops.
var junk = map[string]bool{"is_format_supported": true, "get_name": true, "get_vendor": true, "get_param": true, "get_paramf": true,
	"get_shader_param": true, "get_compute_param": true, "get_disk_shader_cache": true}

func wantedLines(t *testing.T, text []byte) int {
	n, next := 0, wholeCalls(t, text)
	for rec := next(); rec != nil; rec = next() {
		if !junk[rec.Method] {
			n++
		}
	}
	return n
}

// definition is a method of dump_state.py with its parameters; alias is one that
// is the same as another.
var (
	definition = regexp.MustCompile(`(?m)^    def (\w+)\((?:self|screen),? ?(.*)\):`)
	alias      = regexp.MustCompile(`(?m)^    (\w+) = (\w+)$`)
)

// stateTool is what dump_state.py defines: parameters by method, true for those
// that must be given, and the names of stages that it knows.
type stateTool struct {
	methods map[string]map[string]bool
	source  string
}

func readStateTool(t *testing.T) stateTool {
	source, err := os.ReadFile(filepath.Join(os.Getenv("MESA_TRACE_TOOLS"), "dump_state.py"))
	require.NoError(t, err)
	tool := stateTool{make(map[string]map[string]bool), string(source)}
	for _, m := range definition.FindAllStringSubmatch(tool.source, -1) {
		params := make(map[string]bool)
		for p := range strings.SplitSeq(m[2], ",") {
			name, _, optional := strings.Cut(strings.TrimSpace(p), "=")
			params[strings.TrimSpace(name)] = !optional
		}
		delete(params, "")
		tool.methods[m[1]] = params
	}
	for _, m := range alias.FindAllStringSubmatch(tool.source, -1) {
		tool.methods[m[1]] = tool.methods[m[2]]
	}
	return tool
}

// takes says whether the tool defines a call with just the arguments it has.
func (s stateTool) takes(rec *Record) bool {
	params := s.methods[rec.Method]
	if params == nil {
		return false
	}
	given := make(map[string]bool)
	object := rec.Class != ""
	for arg := range rec.Values.Args() {
		if _, ok := params[arg.Name()]; !ok && !object {
			return false
		}
		object = false
		given[arg.Name()] = true
		if arg.IsNamed("shader") && !strings.Contains(s.source, "'"+arg.String()+"'") {
			return false
		}
	}
	for name, needed := range params {
		if needed && !given[name] {
			return false
		}
	}
	return true
}

// confined writes the calls of a trace that dump_state.py takes.
func confined(t *testing.T, text []byte, d Dialect) (copied []byte, draws int) {
	tool := readStateTool(t)
	var out bytes.Buffer
	w := NewWriter(&out, d)
	var decoder Decoder
	var op pipe.Op
	next := wholeCalls(t, text)
	for rec := next(); rec != nil; rec = next() {
		require.True(t, decoder.Decode(rec, &op))
		if !tool.takes(rec) {
			continue
		}
		if rec.Method == "draw_vbo" {
			draws++
		}
		require.NoError(t, w.Write(&op, 0))
	}
	require.NoError(t, w.Close())
	return out.Bytes(), draws
}

// TestMesaDumpsState runs dump_state.py at two draws, and diff_state.py on what
// that says.
func TestMesaDumpsState(t *testing.T) {
	run := mesaTool(t)
	for _, name := range []string{"interleaved.llvmpipe.xml.gz", "separate.softpipe-tgsi.xml.zst", "modes.llvmpipe.xml.gz"} {
		text := inflate(t, filepath.FromSlash("../testdata/traces/"+name))
		for d := range numDialects {
			copied, draws := confined(t, rerecord(t, text, d), d)
			require.Positive(t, draws)
			dir := t.TempDir()
			file := filepath.Join(dir, "confined.xml")
			require.NoError(t, os.WriteFile(file, copied, 0o600))
			states := make([]string, 2)
			for i, draw := range []int{0, draws - 1} {
				out, talk, err := run("dump_state.py", "-q", "-d", strconv.Itoa(draw), file)
				require.NoError(t, err, "%s %s: %s", name, d, talk)
				require.Equal(t, bytes.Contains(copied, []byte("'set_stream_output_targets'")), strings.Contains(out, `"so_targets"`), name)
				states[i] = filepath.Join(dir, strconv.Itoa(i)+".json")
				require.NoError(t, os.WriteFile(states[i], []byte(out), 0o600))
			}
			_, talk, err := run("diff_state.py", states...)
			require.NoError(t, err, "%s %s: %s", name, d, talk)
		}
	}
}
