package levels_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
	"github.com/outflow-gpu/outflow/trace/audit/levels"
)

// corpus returns the folder of recorded traces.
func corpus(t *testing.T) string {
	dir := os.Getenv("OUTFLOW_CORPUS")
	if dir == "" {
		t.Skip("OUTFLOW_CORPUS is not set: no traces of two levels")
	}
	return dir
}

// pair is a run seen at two levels.
type pair struct{ name, above, below string }

func pairs(t *testing.T) (all []pair) {
	dir := corpus(t)
	zink, err := filepath.Glob(filepath.Join(dir, "*-zink", "*.zink.xml.gz"))
	require.NoError(t, err)
	for _, above := range zink {
		stem := strings.TrimSuffix(above, ".zink.xml.gz")
		all = append(all, pair{filepath.Base(stem), above, stem + ".zink-tracelavapipe.xml.gz"})
	}
	guests, err := filepath.Glob(filepath.Join(dir, "odd", "virgl-guest-*.xml.gz"))
	require.NoError(t, err)
	for _, above := range guests {
		name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(above), "virgl-guest-"), "-2")
		below := filepath.Join(dir, "odd", "virgl-server-"+name+".xml.gz")
		if _, err := os.Stat(below); err == nil {
			all = append(all, pair{filepath.Base(above), above, below})
		}
	}
	require.NotEmpty(t, all)
	return all
}

func readLevel(t *testing.T, name string, text io.Reader) *levels.Level {
	r, err := trace.NewReader(text, trace.Options{Name: name, Workers: 1, Wanted: trace.Decodes})
	require.NoError(t, err)
	defer r.Close()
	l, err := levels.Read(r, name)
	require.NoError(t, err)
	return l
}

func textOf(t *testing.T, path string) string {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

// TestPairsSurvive holds that nothing is reported of runs in which nothing was
// lost, and that every draw that both levels have is matched.
func TestPairsSurvive(t *testing.T) {
	for _, p := range pairs(t) {
		t.Run(p.name, func(t *testing.T) {
			r := levels.Compare(readLevel(t, "above", strings.NewReader(textOf(t, p.above))), readLevel(t, "below", strings.NewReader(textOf(t, p.below))))
			require.Empty(t, r.Differences)
			require.Equal(t, min(r.Above.Captured, r.Below.Captured), r.Matched)
			require.Equal(t, r.Below.Captured, r.Matched+r.BeyondBelow)
		})
	}
}

// fault is one number of a trace, changed.
type fault struct {
	path     *regexp.Regexp // what must be told
	from, to int            // in the text
	value    string
}

var (
	wholeCall = regexp.MustCompile(`(?s)<call no='\d+' class='pipe_context' method='(create_[vgt]e?s_state|create_stream_output_target|set_stream_output_targets|draw_vbo)'>.*?</call>`)
	number    = regexp.MustCompile(`<uint>(\d+)</uint>`)
)

// faultsOf returns every field of stream output in the text that can be changed.
func faultsOf(text string) (all []fault) {
	for _, m := range wholeCall.FindAllStringSubmatchIndex(text, -1) {
		method, call := text[m[2]:m[3]], text[m[0]:m[1]]
		f := &faultFinder{text: call, base: m[0]}
		switch {
		case method == "create_stream_output_target":
			f.member("<arg name='buffer_offset'>", `targets\[.\]\.buffer_offset`, 4)
			f.member("<arg name='buffer_size'>", `targets\[.\]\.buffer_size`, -4)
		case method == "set_stream_output_targets":
			if f.seek("<arg name='offsets'><array>") {
				f.list(`offsets\[%d\]`, 4)
			}
		case method == "draw_vbo":
		default:
			f.shader()
		}
		all = append(all, f.found...)
	}
	return all
}

type faultFinder struct {
	text  string
	base  int
	at    int
	found []fault
}

func (f *faultFinder) seek(what string) bool {
	i := strings.Index(f.text[f.at:], what)
	if i < 0 {
		return false
	}
	f.at += i + len(what)
	return true
}

func (f *faultFinder) member(what, path string, by int) {
	if f.seek(what) {
		f.change(path, by)
	}
}

// change changes the next number.
func (f *faultFinder) change(path string, by int) {
	m := number.FindStringSubmatchIndex(f.text[f.at:])
	if m == nil {
		return
	}
	from, to := f.at+m[2], f.at+m[3]
	f.at += m[1]
	n, _ := strconv.ParseUint(f.text[from:to], 10, 64)
	value := fmt.Sprint(int64(n) + int64(by))
	if n == 1<<32-1 {
		value = "0"
	}
	f.found = append(f.found, fault{regexp.MustCompile("^" + path + "$"), f.base + from, f.base + to, value})
}

// list changes each number up to the end of the array.
func (f *faultFinder) list(path string, by int) {
	end := f.at + strings.Index(f.text[f.at:], "</array>")
	for i := 0; strings.Contains(f.text[f.at:end], "<uint>"); i++ {
		f.change(fmt.Sprintf(path, i), by)
	}
}

func (f *faultFinder) shader() {
	if !f.seek("<member name='stream_output'>") || strings.HasPrefix(f.text[f.at:], "<struct name='pipe_stream_output_info'><member name='num_outputs'><uint>0<") {
		return
	}
	f.member("num_outputs'>", `stream_output\.num_outputs`, -1)
	f.seek("stride'><array>")
	f.list(`stream_output\.stride\[%d\]`, 1)
	for i := 0; f.seek("<elem><struct name=''>"); i++ {
		for _, field := range []struct {
			name string
			by   int
		}{{"register_index", 1}, {"start_component", 1}, {"num_components", -1}, {"output_buffer", 1}, {"dst_offset", 1}, {"stream", 1}} {
			f.member("<member name='"+field.name+"'>", outputField(i, field.name), field.by)
		}
	}
}

// isSource says whether a field tells what is captured, not where it goes.
func isSource(field string) bool { return field == "register_index" || field == "start_component" }

// outputField is the path of an output's field. An output that takes the register
// of another is told of as either of the two; so is its index where it is lost.
func outputField(i int, field string) string {
	if isSource(field) {
		return `stream_output\.output\[\d+\]\.(register_index|start_component)`
	}
	return fmt.Sprintf(`stream_output\.output\[%d\]\.%s`, i, field)
}

// TestEveryFieldCounts changes one field below, every one in turn: it must be
// told, and nothing else.
func TestEveryFieldCounts(t *testing.T) {
	for _, p := range pairs(t) {
		t.Run(p.name, func(t *testing.T) {
			above, text := readLevel(t, "above", strings.NewReader(textOf(t, p.above))), textOf(t, p.below)
			faults := faultsOf(text)
			if !above.Ending.Complete {
				// What was cut above cannot be held against: the first draw can.
				set := strings.Index(text, "<arg name='tgs'><array><elem>")
				first := set + strings.Index(text[set:], "'draw_vbo'")
				faults = slices.DeleteFunc(faults, func(f fault) bool { return f.from > first })
			}
			told, quiet := 0, 0
			for _, f := range faults {
				below := readLevel(t, "below", strings.NewReader(text[:f.from]+f.value+text[f.to:]))
				r := levels.Compare(above, below)
				if len(r.Differences) == 0 && strings.Contains(f.path.String(), "register_index") {
					quiet++ // a register may be renumbered, and no text denies this one
					continue
				}
				told++
				if len(r.Differences) != 1 || !f.path.MatchString(r.Differences[0].Path) {
					t.Errorf("%s %s->%s: %d: %+v", f.path, text[f.from:f.to], f.value, len(r.Differences), r.Differences)
				}
			}
			t.Logf("%d faults told, %d not to be seen", told, quiet)
			require.LessOrEqual(t, 8*quiet, told)
		})
	}
}
