package trace

import (
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// dialectOf tells the dialect of a trace by marks that each has in its first
// calls or never; known is false for those of versions that no dialect is for.
func dialectOf(text []byte) (d Dialect, known bool) {
	has := func(mark string) bool { return bytes.Contains(text, []byte(mark)) }
	switch {
	case has("<member name='pls_enabled'>"), has("<arg name='color_clear_mask'>"),
		has("<member name='type'><uint>1</uint></member><member name='tokens'><null/></member><member name='ir'><string>"):
		return Mesa26_2, true
	case has("<arg name='output_prim'>"), has("<member name='src_stride'>"), has("<enum>PIPE_MAP_"):
		return Mesa25_0, true
	case has("<arg name='color-&gt;ui'>"), has("<enum>MESA_SHADER_"):
		return Mesa22_3, true
	}
	return Mesa22_3, false
}

// rerecord replays a trace through a Recorder.
func rerecord(t testing.TB, text []byte, d Dialect) []byte {
	r, err := NewReader(bytes.NewReader(text), Options{})
	require.NoError(t, err)
	defer r.Close()
	var out bytes.Buffer
	recorder := NewRecorder(&out, RecordOptions{Dialect: d})
	var null pipe.Null
	require.NoError(t, Replay(r, recorder.Layer(&null), ReplayOptions{}))
	require.NoError(t, recorder.Close())
	return out.Bytes()
}

// pairCalls reads two traces in step and hands over each pair of whole calls.
func pairCalls(t testing.TB, a, b []byte, f func(a, b *Record)) {
	left, right := wholeCalls(t, a), wholeCalls(t, b)
	for {
		x, y := left(), right()
		if (x == nil) != (y == nil) {
			t.Fatal("one trace has fewer calls")
		}
		if x == nil {
			return
		}
		f(x, y)
	}
}

// wholeCalls returns a function that returns the next whole call, nil at the
// end.
func wholeCalls(t testing.TB, text []byte) func() *Record {
	r, err := NewReader(bytes.NewReader(text), Options{Workers: 1})
	require.NoError(t, err)
	var b *Batch
	next := 0
	return func() *Record {
		for {
			for b != nil && next < len(b.Records) {
				rec := &b.Records[next]
				next++
				if rec.Kind == CallRecord && !rec.Open {
					return rec
				}
			}
			if b != nil {
				b.Release()
			}
			if b, err = r.Next(); err == io.EOF {
				require.NoError(t, r.Close())
				return nil
			}
			require.NoError(t, err)
			next = 0
		}
	}
}

// TestRecordedTwice replays every trace through a Recorder in its own dialect.
// What is read of the copy is what was read of the original, and but for numbers
// and times the bytes are the same.
func TestRecordedTwice(t *testing.T) {
	total, same, others := 0, 0, make(map[string]int)
	for i, path := range recorded(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		text := inflate(t, path)
		dialect, known := dialectOf(text)
		var before, after Decoder
		var a, b pipe.Op
		pairCalls(t, text, rerecord(t, text, dialect), func(x, y *Record) {
			before.Decode(x, &a)
			after.Decode(y, &b)
			if !known {
				if _, untold := b.Call.(*pipe.Other); untold && numberedStage(a.Call) {
					return // nothing before it told how the copy numbers stages
				}
				requireSameCall(t, path, x, &a, &b)
				return
			}
			requireSameCall(t, path, x, &a, &b)
			total++
			if bytes.Equal(timeless(x.Raw), timeless(y.Raw)) {
				same++
			} else if why := excuse(x.Raw); why != "" {
				others[why]++
			} else {
				require.Equal(t, string(x.Raw), string(y.Raw), "%s:%d", path, x.Pos.Line)
			}
		})
	}
	t.Logf("%d of %d calls have the same bytes; of the others: %v", same, total, others)
	require.NotZero(t, total)
}

// numberedStage says whether every Mesa writes the stage of a call as a number.
func numberedStage(c pipe.Call) bool {
	switch c.(type) {
	case *pipe.SetShaderBuffers, *pipe.SetShaderImages:
		return true
	}
	return false
}

// excuse tells why the bytes of a call are not those that Mesa wrote, "" when
// there is no reason.
func excuse(raw []byte) string {
	switch {
	case bytes.Contains(raw, []byte("method='current_framebuffer_state'")):
		return "made up by a trigger, as the framebuffer that is set"
	case commaFloat.Match(raw):
		return "floats with the comma of a locale"
	}
	return ""
}

func requireSameCall(t testing.TB, path string, x *Record, want, got *pipe.Op) {
	want.No, got.No, want.Pos, got.Pos = 0, 0, pipe.Pos{}, pipe.Pos{}
	if c, ok := want.Call.(*pipe.Other); ok {
		o, ok := got.Call.(*pipe.Other)
		if !ok || c.Class != o.Class || c.Method != o.Method || !sameButTime(c.Values, o.Values) || want.Ret != got.Ret {
			t.Fatalf("%s:%d: not the same: %s", path, x.Pos.Line, x.Raw)
		}
		return
	}
	if want.Screen == got.Screen && want.Context == got.Context && want.Ret == got.Ret && reflect.DeepEqual(want.Call, got.Call) &&
		len(want.Raw.Misfits) == 0 && len(got.Raw.Misfits) == 0 && want.Raw.StreamOutput == nil && got.Raw.StreamOutput == nil {
		return
	}
	requireSameOp(t, want, got)
	require.Equal(t, want.Raw.StreamOutput, got.Raw.StreamOutput, "%s:%d", path, x.Pos.Line)
}

// sameButTime compares the values of two calls.
func sameButTime(v, w *pipe.Values) bool {
	x, y := v.First(), w.First()
	for x.Exists() && y.Exists() {
		if x.Role() != y.Role() || x.Name() != y.Name() || x.Role() != pipe.TimeRole && !x.Equal(y) {
			return false
		}
		x, y = x.Next(), y.Next()
	}
	return x.Exists() == y.Exists()
}

// timeless is a call without its number and time.
func timeless(raw []byte) []byte {
	if i := bytes.Index(raw, []byte(" class='")); i >= 0 {
		raw = raw[i:]
	}
	if i := bytes.LastIndex(raw, []byte("\t\t<time>")); i >= 0 {
		raw = raw[:i]
	}
	return raw
}

// TestRecordedInOtherDialects writes the project's traces in every dialect: no
// call is lost, and stream output is the same in all.
func TestRecordedInOtherDialects(t *testing.T) {
	for _, name := range []string{"modes.llvmpipe.xml.gz", "queries.llvmpipe.xml.gz", "tessellation.llvmpipe.xml.gz", "drawauto.softpipe-tgsi.xml.zst"} {
		path := filepath.FromSlash("../testdata/traces/" + name)
		text := inflate(t, path)
		for d := range numDialects {
			var before, after Decoder
			var a, b pipe.Op
			pairCalls(t, text, rerecord(t, text, d), func(x, y *Record) {
				before.Decode(x, &a)
				after.Decode(y, &b)
				if x.Method != y.Method || a.Ret != b.Ret {
					t.Fatalf("%s:%d: %s", path, x.Pos.Line, x.Raw)
				}
				switch c := a.Call.(type) {
				case *pipe.SetStreamOutputTargets:
					c.OutputPrim = pipe.PrimitiveUnknown
					requireSameCall(t, path, x, &a, &b)
				case *pipe.CreateStreamOutputTarget, *pipe.DestroyStreamOutputTarget, *pipe.Draw, *pipe.CreateQuery, *pipe.GetQueryResult:
					requireSameCall(t, path, x, &a, &b)
				case *pipe.CreateShader:
					got := b.Call.(*pipe.CreateShader).State
					require.True(t, c.State.StreamOutput.Equal(&got.StreamOutput))
					require.Equal(t, c.State.Text(), got.Text())
				}
			})
		}
	}
}

var commaFloat = regexp.MustCompile(`<float>-?\d+,\d`)

// onlyInTrace are the calls that hold more than their types, and what.
var onlyInTrace = map[string]string{
	"get_query_result":          "statistics of a pipeline, and results of queries made before the trace began",
	"resource_create_unbacked":  "bytes needed",
	"resource_from_handle":      "the handle",
	"resource_from_memobj":      "the memory",
	"launch_grid":               "members that say where from to draw",
	"bind_sampler_states":       "how many a NULL list unbinds",
	"create_compute_state":      "private memory",
	"buffer_map":                "a combination of flags with a name",
	"texture_map":               "a combination of flags with a name",
	"buffer_subdata":            "a combination of flags with a name",
	"texture_subdata":           "a combination of flags with a name",
	"current_framebuffer_state": "its name",
	"replace_buffer_storage":    "what is counted",
}

// TestRecordedFromTypes writes every call from its type alone, as if it were
// live: the bytes are Mesa's, but for what the types do not hold.
func TestRecordedFromTypes(t *testing.T) {
	missing := make(map[string]int)
	for i, path := range recorded(t) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		text := inflate(t, path)
		dialect, known := dialectOf(text)
		if !known {
			continue
		}
		var out bytes.Buffer
		w := NewWriter(&out, dialect)
		var decoder Decoder
		var op pipe.Op
		next := wholeCalls(t, text)
		for rec := next(); rec != nil; rec = next() {
			decoder.Decode(rec, &op)
			op.Raw = nil
			out.Reset()
			require.NoError(t, w.Write(&op, 0))
			if bytes.Equal(timeless(rec.Raw), timeless(bytes.TrimSpace(out.Bytes()))) {
				continue
			}
			if onlyInTrace[rec.Method] == "" && excuse(rec.Raw) == "" {
				require.Equal(t, string(rec.Raw), out.String(), "%s:%d", path, rec.Pos.Line)
			}
			missing[rec.Method]++
		}
	}
	t.Logf("not the same bytes: %v", missing)
}

// TestRecordedDamaged writes what is decoded of damaged traces: it reads back
// whole, call for call.
func TestRecordedDamaged(t *testing.T) {
	text := inflate(t, filepath.FromSlash("../testdata/traces/tessellation.llvmpipe.xml.gz"))
	text = text[bytes.Index(text, []byte("method='context_create'")):][:64<<10]
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		bad := bytes.Clone(text)
		for range 1 + r.IntN(40) {
			bad[r.IntN(len(bad))] = "<>/'=0a&-\n\x80"[r.IntN(11)]
		}
		once, n := rewrite(t, records(t, string(bad)), Dialect(r.IntN(int(numDialects))))
		_, m := rewrite(t, records(t, once), Mesa22_3)
		require.Equal(t, n, m)
	}
}
