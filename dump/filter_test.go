package dump

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

func TestParseRanges(t *testing.T) {
	for _, test := range []struct{ text, has, lacks string }{
		{"3", "3", "2 4"},
		{"3-5,9", "3 4 5 9", "2 6 8 10"},
		{"7-", "7 18446744073709551615", "6"},
		{" 1 , 2 ", "1 2", "0 3"},
	} {
		r, err := ParseRanges(test.text)
		require.NoError(t, err, test.text)
		check := func(list string, want bool) {
			for field := range strings.FieldsSeq(list) {
				var n uint64
				_, err := fmt.Sscan(field, &n)
				require.NoError(t, err)
				require.Equal(t, want, r.Has(n), "%s has %d", test.text, n)
			}
		}
		check(test.has, true)
		check(test.lacks, false)
	}
	for _, text := range []string{"", "a", "5-3", "1,,2", "-4", "1-2-3", "0x10"} {
		_, err := ParseRanges(text)
		require.Error(t, err, text)
	}
}

// frames is a trace of three frames; its calls are numbered by frame and place.
func framesTrace() string {
	var b strings.Builder
	call := func(no int, method, args string) {
		class := "pipe_context"
		if method == "flush_frontbuffer" || method == "get_param" {
			class = "pipe_screen"
		}
		fmt.Fprintf(&b, "\t<call no='%d' class='%s' method='%s'><arg name='pipe'><ptr>0x30</ptr></arg>%s</call>\n", no, class, method, args)
	}
	flags := func(n int) string { return fmt.Sprintf("<arg name='flags'><uint>%d</uint></arg>", n) }
	b.WriteString("<trace version='0.1'>\n")
	call(11, "draw_vbo", "")
	call(12, "flush", flags(2))
	call(13, "flush", flags(1))
	call(14, "flush_frontbuffer", "")
	call(21, "get_param", "")
	call(22, "draw_vbo", "")
	call(23, "flush_frontbuffer", "")
	call(31, "clear", "")
	call(32, "flush", flags(3))
	b.WriteString("</trace>\n")
	return b.String()
}

// chosen returns the numbers of the calls that a filter chooses.
func chosen(t *testing.T, text string, f *Filter) string {
	t.Helper()
	require.NoError(t, f.CheckMethods())
	r, err := trace.NewReader(strings.NewReader(text), trace.Options{})
	require.NoError(t, err)
	var list []string
	for rec, err := range r.Records() {
		require.NoError(t, err)
		if f.Names != nil {
			f.Names.See(rec)
		}
		if f.Wants(rec) && rec.Kind == trace.CallRecord {
			list = append(list, fmt.Sprint(rec.No))
		}
	}
	return strings.Join(list, " ")
}

func TestFilter(t *testing.T) {
	ranges := func(s string) Ranges {
		r, err := ParseRanges(s)
		require.NoError(t, err)
		return r
	}
	for _, test := range []struct {
		name   string
		filter Filter
		trace  string
		want   string
	}{
		{"all", Filter{}, framesTrace(), "11 12 13 14 21 22 23 31 32"},
		{"calls", Filter{Calls: ranges("13-21,32")}, framesTrace(), "13 14 21 32"},
		{"first frame ends with the second of two ends", Filter{Frames: ranges("1")}, framesTrace(), "11 12 13 14"},
		{"later frames", Filter{Frames: ranges("2-")}, framesTrace(), "21 22 23 31 32"},
		{"method", Filter{Methods: []string{"draw_*", "clear"}}, framesTrace(), "11 22 31"},
		{"class and method", Filter{Methods: []string{"pipe_screen::*"}}, framesTrace(), "14 21 23"},
		{"no junk", Filter{NoJunk: true, Frames: ranges("2")}, framesTrace(), "22 23"},
		{"context by address", Filter{Context: "0x30"}, lives, "2 3 4 5 6 7 8 10 11 12 1"},
		{"context by name", Filter{Context: "context#2", Names: &Names{}}, lives, "1"},
		{"stream output", Filter{StreamOutput: true}, lives, "4 11"},
	} {
		t.Run(test.name, func(t *testing.T) { require.Equal(t, test.want, chosen(t, test.trace, &test.filter)) })
	}
}

// TestFilterStreamOutput goes through a real capture: everything that set it up
// is there, and the draw.
func TestFilterStreamOutput(t *testing.T) {
	f := Filter{StreamOutput: true}
	var methods []string
	eachRecord(t, "interleaved.llvmpipe.xml.gz", func(rec *trace.Record) {
		if f.Wants(rec) && rec.Kind == trace.CallRecord {
			methods = append(methods, rec.Method)
		}
	})
	require.Equal(t, "create_vs_state create_stream_output_target create_stream_output_target set_stream_output_targets bind_vs_state draw_vbo set_stream_output_targets bind_vs_state delete_vs_state",
		strings.Join(methods, " "))
}

func TestTimes(t *testing.T) {
	times := Times{Most: 3}
	total := int64(0)
	eachRecord(t, "interleaved.llvmpipe.xml.gz", func(rec *trace.Record) {
		times.See(rec)
		us, _ := rec.Values.Time()
		total += us
	})
	require.Len(t, times.Slowest(), 3)
	require.Equal(t, SlowCall{No: 4055, Line: 32485, Class: "pipe_context", Method: "draw_vbo", Time: 20781}, times.Slowest()[0])
	sum := int64(0)
	for _, m := range times.Methods() {
		sum += m.Total
	}
	require.Equal(t, total, sum)
}
