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

	"github.com/stretchr/testify/assert"
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
		for {
			method := bytes.Index(data, []byte(" method='create_"))
			if method < 0 {
				break
			}
			start := bytes.LastIndexByte(data[:method], '\n') + 1
			data = data[start:]
			end := bytes.IndexByte(data, '\n') + 1
			if m := createCall.FindSubmatch(data[:end]); m != nil {
				r := recorded{trace: filepath.Base(filepath.Dir(name)) + "/" + filepath.Base(name), call: string(m[1]), stage: stageOfInfix[string(m[2])]}
				r.read(data[end:])
				f(r)
			}
			data = data[max(end, method-start+1):]
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

// TestCorpus reads every text of the corpus and holds the outputs against what
// the trace captures and against a second reading of the declarations.
func TestCorpus(t *testing.T) {
	failing := failingTests(t)
	counts := map[string]int{}
	recordings(t, func(r recorded) {
		o := shader.Parse(r.stage, r.text)
		if r.cut {
			o = shader.ParseCut(r.stage, r.text)
		}
		at := fmt.Sprintf("%s call %s %s", r.trace, r.call, r.stage)
		folder, _, _ := strings.Cut(r.trace, "/")
		counts[fmt.Sprintf("texts: %-18s %-9s %-11s %s", folder, r.stage, o.Dialect, o.Status)]++
		require.NotEqual(t, shader.Unrecognised, o.Status, "%s: %s", at, o.Reason)
		if !r.cut {
			require.NotEqual(t, shader.Cut, o.Status, "%s: %s", at, o.Reason)
		}
		if o.Status == shader.Parsed && o.Reason != "" {
			t.Errorf("%s: parsed, but %s", at, o.Reason)
		}
		if o.Status == shader.Parsed {
			if declared, sure := declaredByPattern(r.text); sure {
				assert.Equal(t, declared, declaredByParser(o), at)
			}
			checkRanks(t, at, o)
		}
		test, _, _ := strings.Cut(r.trace, ".")
		for _, c := range r.output {
			counts["captured: "+o.Status.String()+", "+checkCaptured(t, at, o, c, failing[test])]++
		}
		if len(o.Captures) > 0 {
			checkOwnCaptures(t, at, o, r.output)
			counts["own captures agree"]++
		}
	})
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[key], key)
	}
}

// checkCaptured: what the state tracker captures is there and is written.
func checkCaptured(t *testing.T, at string, o *shader.Outputs, c captured, fails bool) string {
	mask := shader.ComponentMask(c.start, c.num)
	declares, writes := o.Declares(c.register, mask), o.Writes(c.register, mask)
	if !fails && (declares == shader.No || writes == shader.No) {
		t.Errorf("%s: %+v: declares %s, writes %s", at, c, declares, writes)
	}
	for k := range c.num {
		if s := o.StreamOf(c.register, c.start+k); s != shader.UnknownStream && s != c.stream {
			t.Errorf("%s: %+v: component %d is of stream %d", at, c, k, s)
		}
	}
	if o.Stage == pipe.Geometry && o.Status == shader.Parsed && c.stream > 0 {
		require.Equal(t, shader.Yes, o.EmitsStream(c.stream), at)
	}
	return fmt.Sprintf("declares %s, writes %s", declares, writes)
}

// slotOrder are the varying slots in the order of their numbers, as far as the
// corpus has them.
var slotOrder = strings.Fields("POS COL0 COL1 FOGC TEX0 TEX1 TEX2 TEX3 TEX4 TEX5 TEX6 TEX7 PSIZ BFC0 BFC1 EDGE CLIP_VERTEX CLIP_DIST0 CLIP_DIST1 CULL_DIST0 CULL_DIST1 PRIMITIVE_ID LAYER VIEWPORT")

// checkRanks: a register is the rank of its slot among those that the shader
// writes, which is how the state tracker numbers them.
func checkRanks(t *testing.T, at string, o *shader.Outputs) {
	if _, sure := o.NumRegisters(); !sure || !o.Stage.CanStreamOut() || o.Dialect == shader.TGSI {
		return
	}
	registers := map[int]int{}
	for _, out := range o.List {
		name := strings.TrimPrefix(out.Semantic, "VARYING_SLOT_")
		slot := slices.Index(slotOrder, name)
		if v, ok := strings.CutPrefix(name, "VAR"); ok {
			n, err := strconv.Atoi(v)
			require.NoError(t, err, at)
			slot = 32 + n
		}
		require.GreaterOrEqual(t, slot, 0, "%s: %s", at, name)
		if out.Register != shader.NoRegister {
			registers[slot] = out.Register
		}
	}
	for rank, slot := range slices.Sorted(maps.Keys(registers)) {
		require.Equal(t, rank, registers[slot], "%s: slot %d", at, slot)
	}
}

// checkOwnCaptures: a text's own stream output covers what the state's does.
func checkOwnCaptures(t *testing.T, at string, o *shader.Outputs, output []captured) {
	type dword struct{ buffer, offset, stream int }
	want, got := map[dword]bool{}, map[dword]bool{}
	for _, c := range output {
		for k := range c.num {
			want[dword{c.buffer, c.offset + k, c.stream}] = true
		}
	}
	for _, c := range o.Captures {
		got[dword{c.Buffer, c.Offset, int(c.Stream)}] = true
	}
	if o.Stage != pipe.Geometry || len(got) > 0 {
		assert.Equal(t, want, got, at)
	}
}

var (
	nirOutput  = regexp.MustCompile(`(?m)^decl_var (?:\w+ )*shader_out INTERP_MODE_\w+ .*?(\S+) (\S+) \((\w+)\.([xyzw]+), (\d+), \d+\)( compact)?$`)
	nirStore   = regexp.MustCompile(`store_(?:per_vertex_)?output \(.*\) \(base=(\d+),.*wrmask=([xyzw]+), component=(\d)`)
	tgsiOutput = regexp.MustCompile(`(?m)^DCL OUT(?:\[\])?\[(\d+)(?:\.\.(\d+))?\](?:\.([xyzw]+))?, `)
)

// simpleType is a type that takes one location.
var simpleType = regexp.MustCompile(`^(?:float|u?int|[iu]?vec[234]|dvec2)$`)

// declaredByPattern reads the declared components of each driver location with
// patterns. It is not sure where one has a type that takes several.
func declaredByPattern(text []byte) (declared map[int]string, sure bool) {
	sure = true
	masks := map[int]int{}
	add := func(location, letters string, shift int) {
		n, _ := strconv.Atoi(location)
		for _, l := range letters {
			masks[n] |= 1 << (strings.IndexRune("xyzw", l) + shift)
		}
	}
	s := string(text)
	for _, m := range nirOutput.FindAllStringSubmatch(s, -1) {
		switch {
		case m[1] == "dvec2":
			add(m[5], "xyzw", 0)
		case m[6] != "": // an array of single floats, over as many locations as it takes
			n, _ := strconv.Atoi(strings.Trim(m[1], "float[]"))
			location, _ := strconv.Atoi(m[5])
			first := strings.Index("xyzw", m[4])
			for c := first; c < first+n; c++ {
				add(strconv.Itoa(location+c/4), "xyzw"[c%4:c%4+1], 0)
			}
		default:
			add(m[5], m[4], 0)
			sure = sure && simpleType.MatchString(m[1])
		}
	}
	for _, m := range nirStore.FindAllStringSubmatch(s, -1) {
		shift, _ := strconv.Atoi(m[3])
		add(m[1], m[2], shift)
	}
	for _, m := range tgsiOutput.FindAllStringSubmatch(s, -1) {
		letters := m[3]
		if letters == "" {
			letters = "xyzw"
		}
		add(m[1], letters, 0)
		first, _ := strconv.Atoi(m[1])
		if last, err := strconv.Atoi(m[2]); err == nil {
			for i := first + 1; i <= last; i++ {
				add(strconv.Itoa(i), letters, 0)
			}
		}
	}
	return spellMasks(masks), sure
}

func declaredByParser(o *shader.Outputs) map[int]string {
	masks := map[int]int{}
	for _, out := range o.List {
		masks[out.DriverLocation] |= int(out.Declared)
	}
	return spellMasks(masks)
}

func spellMasks(masks map[int]int) map[int]string {
	spelled := map[int]string{}
	for location, mask := range masks {
		for i, l := range "xyzw" {
			if mask&(1<<i) != 0 {
				spelled[location] += string(l)
			}
		}
	}
	return spelled
}
