package shader_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

// recorded is one shader create of a real trace, found by searching its bytes:
// a way of reading that shares nothing with the trace package.
type recorded struct {
	trace  string // folder/name
	call   string
	stage  pipe.Stage
	text   []byte
	cut    bool
	output []captured
}

type captured struct{ register, start, num, buffer, offset, stream int }

var (
	createCall   = regexp.MustCompile(`<call no='(\d+)' class='pipe_context' method='create_(vs|tcs|tes|gs|fs)_state'>`)
	tokensMember = regexp.MustCompile(`<member name='tokens'><string>([^<]*)</string>`)
	irMember     = regexp.MustCompile(`<member name='ir'><string>([^<]*)</string>`)
	outputStruct = regexp.MustCompile(`<member name='register_index'><uint>(\d+)</uint></member><member name='start_component'><uint>(\d+)</uint></member><member name='num_components'><uint>(\d+)</uint></member><member name='output_buffer'><uint>(\d+)</uint></member><member name='dst_offset'><uint>(\d+)</uint></member><member name='stream'><uint>(\d+)</uint></member>`)
)

var stageOfInfix = map[string]pipe.Stage{"vs": pipe.Vertex, "tcs": pipe.TessCtrl, "tes": pipe.TessEval, "gs": pipe.Geometry, "fs": pipe.Fragment}

func corpus(t testing.TB) string {
	dir := os.Getenv("OUTFLOW_CORPUS")
	if dir == "" {
		t.Skip("OUTFLOW_CORPUS is not set: no real traces")
	}
	return dir
}

// recordings calls f for every shader create of the corpus.
func recordings(t testing.TB, f func(recorded)) {
	dir := corpus(t)
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.xml.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		file, err := os.Open(name)
		require.NoError(t, err)
		z, err := gzip.NewReader(file)
		require.NoError(t, err)
		data, err := io.ReadAll(z)
		require.NoError(t, err)
		file.Close()
		for _, at := range createCall.FindAllSubmatchIndex(data, -1) {
			r := recorded{trace: filepath.Base(filepath.Dir(name)) + "/" + filepath.Base(name), call: string(data[at[2]:at[3]]), stage: stageOfInfix[string(data[at[4]:at[5]])]}
			r.read(data[at[1]:])
			f(r)
		}
	}
}

func (r *recorded) read(data []byte) {
	end := bytes.Index(data, []byte("</call>"))
	open := bytes.Index(data, []byte("<![CDATA["))
	var rest []byte
	switch {
	case open >= 0 && (end < 0 || open < end):
		text := data[open+len("<![CDATA["):]
		stop := bytes.Index(text, []byte("]]></string>"))
		if r.cut = stop < 0; r.cut {
			stop = len(text)
		}
		r.text, rest = text[:stop], text[stop:]
	case end < 0:
		rest = data
	default:
		rest = data[:end]
		for _, member := range []*regexp.Regexp{tokensMember, irMember} {
			if m := member.FindSubmatch(rest); m != nil {
				r.text = []byte(html.UnescapeString(string(m[1])))
			}
		}
	}
	if i := bytes.Index(rest, []byte("</call>")); i >= 0 {
		rest = rest[:i]
	}
	for _, m := range outputStruct.FindAllSubmatch(rest, -1) {
		var v [6]int
		for i := range v {
			v[i], _ = strconv.Atoi(string(m[i+1]))
		}
		r.output = append(r.output, captured{v[0], v[1], v[2], v[3], v[4], v[5]})
	}
}

// failingTests are the trace names (without driver) whose manifest says that
// the test did not pass.
func failingTests(t *testing.T) map[string]bool {
	failing := map[string]bool{}
	names, err := filepath.Glob(filepath.Join(corpus(t), "*", "manifest*.tsv"))
	require.NoError(t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, line := range strings.Split(string(data), "\n") {
			f := strings.Split(line, "\t")
			if len(f) > 2 && !slices.Contains(f[:min(4, len(f))], "pass") {
				failing[filepath.Base(filepath.Dir(name))+"/"+f[0]] = true
			}
		}
	}
	return failing
}

// TestCorpusStatus reads every text and says how many of each kind there are.
func TestCorpusStatus(t *testing.T) {
	counts := map[string]int{}
	recordings(t, func(r recorded) {
		o := shader.Parse(r.stage, r.text)
		if r.cut {
			o = shader.ParseCut(r.stage, r.text)
		}
		folder, _, _ := strings.Cut(r.trace, "/")
		counts[fmt.Sprintf("%-18s %-9s %-11s %s", folder, r.stage, o.Dialect, o.Status)]++
		require.NotEqual(t, shader.Unrecognised, o.Status, "%s call %s: %s", r.trace, r.call, o.Reason)
		if !r.cut {
			require.NotEqual(t, shader.Cut, o.Status, "%s call %s: %s", r.trace, r.call, o.Reason)
		}
		if o.Status == shader.Parsed && o.Reason != "" {
			t.Errorf("%s call %s: parsed, but %s", r.trace, r.call, o.Reason)
		}
	})
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[key], key)
	}
}

// TestCorpusCaptured: what the state tracker captures is there and is written.
func TestCorpusCaptured(t *testing.T) {
	failing := failingTests(t)
	total := map[string]int{}
	recordings(t, func(r recorded) {
		o := shader.Parse(r.stage, r.text)
		for _, c := range r.output {
			mask := shader.ComponentMask(c.start, c.num)
			declares, writes := o.Declares(c.register, mask), o.Writes(c.register, mask)
			total[fmt.Sprintf("%s: declares %s, writes %s", o.Status, declares, writes)]++
			if o.Status == shader.Parsed && (declares != shader.Yes || writes != shader.Yes) {
				line := fmt.Sprintf("%s call %s %s: %+v: declares %s, writes %s (%s)", r.trace, r.call, r.stage, c, declares, writes, o.Reason)
				test, _, _ := strings.Cut(r.trace, ".")
				if failing[test] || declares == shader.Unknown || writes == shader.Unknown {
					t.Log("known to fail or unknown: " + line)
				} else {
					t.Error(line)
				}
			}
			for k := range c.num {
				if s := o.StreamOf(c.register, c.start+k); s != shader.UnknownStream && s != c.stream {
					t.Errorf("%s call %s: %+v: component %d is of stream %d", r.trace, r.call, c, k, s)
				}
			}
			if r.stage == pipe.Geometry && o.Status == shader.Parsed && c.stream > 0 {
				require.Equal(t, shader.Yes, o.EmitsStream(c.stream), "%s call %s", r.trace, r.call)
			}
		}
	})
	for _, key := range slices.Sorted(maps.Keys(total)) {
		t.Logf("%5d %s", total[key], key)
	}
}
