package main

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
)

// recorded is the text of a trace, cut into its calls.
type recorded struct {
	t     *testing.T
	head  string
	calls []string
}

// record reads a trace of testdata/traces.
func record(t *testing.T, name string) *recorded {
	t.Helper()
	r, err := trace.Open(filepath.Join("..", "..", "testdata", "traces", name), trace.Options{})
	require.NoError(t, err)
	defer r.Close()
	rec := &recorded{t: t}
	for record, err := range r.Records() {
		require.NoError(t, err)
		switch record.Kind {
		case trace.CallRecord:
			rec.calls = append(rec.calls, string(record.Raw))
		case trace.HeaderRecord:
			rec.head += string(record.Raw) + "\n"
		}
	}
	return rec
}

// text is the trace as it stands now, complete.
func (r *recorded) text() string {
	return r.head + "\t" + strings.Join(r.calls, "\n\t") + "\n</trace>\n"
}

// find returns the index of the nth call of a method, from 0.
func (r *recorded) find(method string, nth int) int {
	r.t.Helper()
	for i, c := range r.calls {
		if strings.Contains(c[:strings.IndexByte(c, '>')], "method='"+method+"'") {
			if nth == 0 {
				return i
			}
			nth--
		}
	}
	require.FailNow(r.t, "no such call", "%s", method)
	return 0
}

// number writes a new number into the kth argument or member of that name.
func (r *recorded) number(method string, nth int, name string, k int, value string) {
	r.t.Helper()
	i := r.find(method, nth)
	at := regexp.MustCompile(`name='` + regexp.QuoteMeta(name) + `'><(uint|int|bool|float)>([^<]*)<`)
	spans := at.FindAllStringSubmatchIndex(r.calls[i], -1)
	require.Greater(r.t, len(spans), k, "%s has no %s", method, name)
	r.calls[i] = r.calls[i][:spans[k][4]] + value + r.calls[i][spans[k][5]:]
}

// elem writes a new value, with its element, into the kth entry of an array.
func (r *recorded) elem(method string, nth int, array string, k int, value string) {
	r.t.Helper()
	i := r.find(method, nth)
	begin := strings.Index(r.calls[i], "name='"+array+"'><array>")
	require.GreaterOrEqual(r.t, begin, 0, "%s has no %s", method, array)
	at := regexp.MustCompile(`<elem>(.*?)</elem>`).FindAllStringSubmatchIndex(r.calls[i][begin:], -1)
	require.Greater(r.t, len(at), k)
	r.calls[i] = r.calls[i][:begin+at[k][2]] + value + r.calls[i][begin+at[k][3]:]
}

// pointer writes an address into an argument or member.
func (r *recorded) pointer(method string, nth int, name, value string) {
	r.t.Helper()
	i := r.find(method, nth)
	at := regexp.MustCompile(`name='` + regexp.QuoteMeta(name) + `'>(<ptr>[^<]*</ptr>|<null/>)`).FindStringSubmatchIndex(r.calls[i])
	require.NotNil(r.t, at, "%s has no %s", method, name)
	r.calls[i] = r.calls[i][:at[2]] + value + r.calls[i][at[3]:]
}

// ret returns the address that a call returned, as an element.
func (r *recorded) ret(method string, nth int) string {
	r.t.Helper()
	at := regexp.MustCompile(`<ret>(<ptr>.*?</ptr>)</ret>`).FindStringSubmatch(r.calls[r.find(method, nth)])
	require.NotNil(r.t, at)
	return at[1]
}

// insert puts a call before the nth call of a method.
func (r *recorded) insert(method string, nth int, call string) {
	r.t.Helper()
	i := r.find(method, nth)
	r.calls = append(r.calls[:i], append([]string{call}, r.calls[i:]...)...)
}

// drop leaves a call out.
func (r *recorded) drop(method string, nth int) {
	r.t.Helper()
	i := r.find(method, nth)
	r.calls = append(r.calls[:i], r.calls[i+1:]...)
}

// twice makes a call happen two times.
func (r *recorded) twice(method string, nth int) {
	r.t.Helper()
	r.insert(method, nth, r.calls[r.find(method, nth)])
}

// context is the context that the trace draws in, as an argument.
func (r *recorded) context() string {
	c := r.calls[r.find("draw_vbo", 0)]
	return regexp.MustCompile(`<arg name='pipe'>.*?</arg>`).FindString(c)
}

func (r *recorded) call(method, args string) string {
	return "<call no='4001' class='pipe_context' method='" + method + "'>" + r.context() + args + "</call>"
}

func arg(name, value string) string { return "<arg name='" + name + "'>" + value + "</arg>" }

// plant is a fault put into a trace of a program that did nothing wrong.
type plant struct {
	name  string
	trace string
	edit  func(r *recorded)
	rule  string // "" for what stays legal
	also  string // what must follow from the fault, by name
}

const (
	separate    = "separate.llvmpipe.xml.gz"
	interleaved = "interleaved.llvmpipe.xml.gz"
	streams     = "streams.llvmpipe.xml.gz"
	pause       = "pause.llvmpipe.xml.gz"
	drawauto    = "drawauto.llvmpipe.xml.gz"
	queries     = "queries.llvmpipe.xml.gz"
)

func (p *plant) check(t *testing.T) map[string]streamout.Severity {
	t.Helper()
	r := record(t, p.trace)
	p.edit(r)
	found := map[string]streamout.Severity{}
	track := streamout.NewTrack(streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		if f.Severity >= streamout.Warning {
			found[f.Rule.ID] = max(found[f.Rule.ID], f.Severity)
			t.Logf("call %d %s: %s [%s]", f.No, f.Method, f.Message, f.Rule.ID)
		}
	}})
	reader, err := trace.NewReader(strings.NewReader(r.text()), trace.Options{Name: p.trace})
	require.NoError(t, err)
	defer reader.Close()
	require.NoError(t, follow(reader, track))
	return found
}

// TestPlantedFaults puts one fault at a time into traces of programs that did
// nothing wrong: each is named by its rule, and nothing else is said.
func TestPlantedFaults(t *testing.T) {
	kinds := map[string]bool{}
	for _, p := range plants() {
		t.Run(p.name, func(t *testing.T) {
			found := p.check(t)
			require.Contains(t, found, p.rule)
			delete(found, p.rule)
			for _, follower := range strings.Fields(p.also) {
				require.Contains(t, found, follower, "listed as a follower but not found")
				delete(found, follower)
			}
			require.Empty(t, found, "unrelated findings")
		})
		kinds[p.rule] = true
	}
	require.GreaterOrEqual(t, len(kinds), 40)
}

// TestLegalChanges changes the same traces in ways that stay legal.
func TestLegalChanges(t *testing.T) {
	all := legalChanges()
	require.GreaterOrEqual(t, len(all), 15)
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			for rule, s := range p.check(t) {
				require.Less(t, s, streamout.Error, rule)
			}
		})
	}
}

// TestUntouchedTraces demands that the traces are clean before anything is put
// into them, and that taking them apart and together changes nothing.
func TestUntouchedTraces(t *testing.T) {
	for _, name := range []string{separate, interleaved, streams, pause, drawauto, queries} {
		p := plant{trace: name, edit: func(*recorded) {}}
		require.Empty(t, p.check(t), name)
		r, err := trace.NewReader(strings.NewReader(record(t, name).text()), trace.Options{})
		require.NoError(t, err)
		for range r.Records() {
			continue
		}
		require.True(t, r.Ending().Complete)
		require.Zero(t, r.Ending().Malformed)
		require.NoError(t, r.Close())
	}
}

// TestHostileNumbers sends numbers that no program can have meant through a
// whole check: it answers, and does not allocate by them.
func TestHostileNumbers(t *testing.T) {
	for _, n := range []string{"129", "3203391149", "4294967295", "18446744073709551615"} {
		for _, field := range []string{"num_outputs", "register_index", "start_component", "num_components", "output_buffer", "dst_offset", "stream"} {
			r := record(t, separate)
			r.number("create_vs_state", 0, field, 0, n)
			var out bytes.Buffer
			code := run([]string{"check", "-"}, strings.NewReader(r.text()), &out, io.Discard)
			require.Equal(t, exitFound, code, "%s %s: %s", field, n, out.String())
			if n != "129" { // which is a legal dst_offset, of a stride that is too small
				require.Contains(t, out.String(), n)
			}
		}
	}
}
