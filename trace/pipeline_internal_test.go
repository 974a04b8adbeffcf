package trace

import (
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// TestWhoParses holds that a batch is parsed exactly once, by the consumer only
// while little is ahead of it.
func TestWhoParses(t *testing.T) {
	one := "\t<call no='1' class='pipe_context' method='flush'>\n\t</call>\n"
	r, err := NewReader(strings.NewReader(strings.Repeat(one, 5)), Options{Workers: 2, BlockBytes: len(one)})
	require.NoError(t, err)
	p := &pipeline{ordered: make(chan *Batch, 8), parser: r.parser(0), stop: make(chan struct{}), starved: make(chan struct{})}
	p.cut(r, r.parser(1)) // nobody takes any
	close(p.ordered)
	for i := 0; ; i++ {
		b := p.next()
		if b == nil {
			require.GreaterOrEqual(t, i, 5)
			return
		}
		require.Equal(t, i < enough, b.unparsed, "batch %d", i)
		require.Len(t, b.ready, 0)
		if i < 5 {
			require.Len(t, b.found, 1, "batch %d", i)
		}
	}
}

// TestPlacesOfRepeats holds that two calls whose hashes ask for the same place are
// both kept, and that what comes again gives way only after a warning.
func TestPlacesOfRepeats(t *testing.T) {
	m := &repeater{score: maxScore}
	learn := func(k uint64) *repeat {
		for range 2 {
			m.hash = k<<40 | 8
			if e := m.learn([]byte(fmt.Sprint(k)), "", "", nil, 0); e != nil {
				return e
			}
		}
		return nil
	}
	one, two := learn(1), learn(2)
	require.Same(t, one, m.slots[one.slot])
	require.Same(t, two, m.slots[two.slot])
	one.came, two.came = true, true
	m.hash = 3<<40 | 8
	m.learn([]byte("3"), "", "", nil, 0)
	m.hash = 3<<40 | 8
	require.Nil(t, m.learn([]byte("3"), "", "", nil, 0), "both came since")
	two.came = true
	m.hash = 3<<40 | 8
	three := m.learn([]byte("3"), "", "", nil, 0)
	require.Equal(t, one.slot, three.slot, "the first did not come since")
	require.Same(t, two, m.slots[two.slot])
}

// TestFramesAreForetold holds which calls of a frame are searched for, by the frames
// before it.
func TestFramesAreForetold(t *testing.T) {
	searched := func(m *repeater, frame string) (list string) {
		for _, c := range frame {
			text := fmt.Appendf(nil, "' class='pipe_context' method='%c'>\n\t</call>", c)
			e, _, _ := m.find(text)
			if m.hash != 0 {
				list += string(c)
			}
			if e == nil {
				m.learn(text, "", "", nil, 0)
			}
		}
		return list
	}
	for _, c := range []struct{ before, frame, want string }{
		{"", "abcdef", "abcdef"},
		{"abcdef", "abcdef", "abcdef"}, // only now they are kept
		{"abcdefabcdefabcdef", "abcdefabcdef", ""},
		{"abcdefabcdefabcdef", "abxdef", "x"},
		{"abcdefabcdefabcdef", "abef", "e"},
		{"abcdefabcdefabcdef", "abccdef", "cd"}, // it is taken for another d
		{"abcdefabcdefabxdef", "abcdef", "c"},   // the last frame is followed
	} {
		m := &repeater{score: maxScore}
		searched(m, c.before)
		require.Equal(t, c.want, searched(m, c.frame), "%s|%s", c.before, c.frame)
	}
}

// TestRepeatsFitLines: the fields that every call looks at share a line of 64 bytes, and
// the allocator aligns the whole, of 128, to it.
func TestRepeatsFitLines(t *testing.T) {
	of := reflect.TypeFor[repeat]()
	behind, _ := of.FieldByName("class")
	require.LessOrEqual(t, behind.Offset, uintptr(64))
	require.LessOrEqual(t, of.Size(), uintptr(128))
	if strconv.IntSize == 64 {
		require.Greater(t, of.Size(), uintptr(112), "the next smaller class is not aligned so")
	}
}

// TestWhatIsRecalled holds which calls are not decoded anew.
func TestWhatIsRecalled(t *testing.T) {
	for _, c := range []struct {
		method string
		want   bool
	}{
		{"draw_vbo", true}, {"set_vertex_buffers", true}, {"set_stream_output_targets", true}, {"begin_query", true},
		{"set_constant_buffer", true}, {"clear", true}, {"get_query_result", true}, {"flush", true}, {"get_param", true}, {"clear_render_target", true},
	} {
		var text string
		for _, f := range frameCalls {
			if strings.Contains(f, "method='"+c.method+"'") {
				text = f
				break
			}
		}
		var all strings.Builder
		for i := range 4 {
			all.WriteString("\t<call no='1'" + strings.Replace(text, "%d", fmt.Sprint(i*99), 1))
		}
		var d Decoder
		var op pipe.Op
		n := 0
		readWith(t, strings.NewReader(all.String()), Options{Workers: 1}, true, func(rec *Record) {
			if n++; n == 4 {
				require.Equal(t, c.want, d.recall(rec, &op), c.method)
			}
			require.True(t, d.Decode(rec, &op))
		})
		require.Equal(t, 4, n)
	}
}

// freshCalls is a trace of calls that come three times and then never again.
type freshCalls struct {
	no, most int
	rest     string
}

func (f *freshCalls) Read(b []byte) (int, error) {
	if f.rest == "" {
		if f.no++; f.no > f.most {
			return 0, io.EOF
		}
		element := fmt.Sprintf("<elem><struct name='pipe_vertex_buffer'><member name='buffer_offset'><uint>%d</uint></member></struct></elem>", f.no)
		call := "\t<call no='1' class='pipe_context' method='set_vertex_buffers'>\n\t\t<arg name='pipe'><ptr>0x1</ptr></arg>\n\t\t<arg name='buffers'><array>" +
			strings.Repeat(element, 30) + "</array></arg>\n\t\t<time><int>1</int></time>\n\t</call>\n"
		f.rest = strings.Repeat(call, 3)
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// TestRepeatsAreBounded holds that what is kept of calls does not grow with how
// many different ones come twice.
func TestRepeatsAreBounded(t *testing.T) {
	kept := func(calls int) uint64 {
		r, err := NewReader(&freshCalls{most: calls}, Options{Workers: 1})
		require.NoError(t, err)
		var op pipe.Op
		for rec, err := range r.Records() {
			require.NoError(t, err)
			r.Decoder().Decode(rec, &op)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		require.NoError(t, r.Close())
		return m.HeapAlloc
	}
	require.Less(t, kept(20000), kept(100)+16<<20)
}
