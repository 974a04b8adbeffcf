package trace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/blocks"
	"github.com/outflow-gpu/outflow/pipe"
)

// betweenTags is any text between two tags.
var betweenTags = regexp.MustCompile(`>[^<]*<`)

// inScalar is a text between the tags of a scalar.
var inScalar = regexp.MustCompile(`<(uint|int|ptr|bool|float|enum|string)>[^<]*</`)

// fillings are texts that scalars have, or may have in a damaged trace.
var fillings = []string{"0", "1", "7", "64", "0x0", "0x55f53a232e30", "4294967295", "-3", "1e-05", "PIPE_CAP_X", "", " 7 ", "a&amp;b", "x>y",
	"!", "]]>", "two\nlines", strings.Repeat("9", 40), "'", "&lt;/uint&gt;"}

// vary gives the scalars of a text other texts.
func vary(random *rand.Rand, text string) string {
	return inScalar.ReplaceAllStringFunc(text, func(s string) string {
		tag, _, _ := strings.Cut(s, ">")
		if random.IntN(3) > 0 {
			return tag + ">" + fmt.Sprint(random.IntN(1<<random.IntN(30))) + "</"
		}
		return tag + ">" + fillings[random.IntN(len(fillings))] + "</"
	})
}

func TestFormsReadAlike(t *testing.T) {
	for seed := range uint64(4) {
		random := rand.New(rand.NewPCG(seed, 2))
		text := vary(random, frames(seed, 2000))
		for _, o := range []Options{{Workers: 1, BlockBytes: 1 << 13}, {Workers: 3, BlockBytes: 1 << 12}, {Workers: 2, BlockBytes: 777}} {
			requireSameRepeated(t, text, o)
		}
	}
}

// formedOf returns how many of the calls of a text a parser reads by their form.
func formedOf(p *blockParser, text string) (formed, calls int) {
	b := &Batch{block: blocks.Block{Data: []byte(text), Uncut: true}}
	p.makeRoom(b)
	p.line, p.counted = 0, 0
	for at := 0; at < len(text); {
		before := len(b.found)
		start := at + strings.IndexByte(text[at:], '<')
		if _, behind := tagNumber(b.block.Data, start); behind > 0 && p.forms != nil {
			if f, _ := p.forms.find(b.block.Data[behind:]); f != nil {
				formed++
			}
		}
		if at = p.next(b, at); len(b.found) > before {
			calls++
		}
	}
	return formed, calls
}

// TestFormsFit holds that calls which differ in their numbers alone are read by form,
// and those that differ in anything else are not.
func TestFormsFit(t *testing.T) {
	const call = "\t<call no='%d' class='pipe_context' method='set_vertex_buffers'>\n\t\t<arg name='pipe'><ptr>0x%x</ptr></arg>\n\t\t<arg name='buffers'>" +
		"<array><elem><struct name='pipe_vertex_buffer'><member name='buffer_offset'><uint>%d</uint></member></struct></elem>%s</array></arg>\n\t\t<time><int>%d</int></time>\n\t</call>\n"
	p := newBlockParser(Options{}, nil)
	formed, calls := formedOf(p, fmt.Sprintf(call, 1, 1, 1, "", 1))
	require.Equal(t, []int{0, 1}, []int{formed, calls})
	formed, calls = formedOf(p, fmt.Sprintf(call, 99, uint64(1)<<40, 1<<20, "", 12345)+fmt.Sprintf(call, 100, 0, 0, "", 0))
	require.Equal(t, []int{2, 2}, []int{formed, calls})
	for _, other := range []string{
		fmt.Sprintf(call, 3, 1, 1, "<elem><null/></elem>", 1),
		strings.Replace(fmt.Sprintf(call, 3, 1, 1, "", 1), "<uint>", "<int>", 1),
		strings.Replace(fmt.Sprintf(call, 3, 1, 1, "", 1), "buffer_offset", "buffer-offset", 1),
		strings.Replace(fmt.Sprintf(call, 3, 1, 1, "", 1), "set_vertex_buffers", "set_vertex_suffers", 1),
		strings.Replace(fmt.Sprintf(call, 3, 1, 1, "", 1), "<uint>1", "<uint><!-- -->", 1),
		fmt.Sprintf(call, 3, 1, 1, "", 1)[:270],
	} {
		formed, _ = formedOf(p, other)
		require.Zero(t, formed, other)
	}
}

// TestTextThatDecides: whether an element that no Mesa writes holds a string depends on
// its text, a scalar may be closed at once, and of two numbers the last counts.
func TestTextThatDecides(t *testing.T) {
	call := func(text string) string {
		return "\t<call no='1' class='c' method='m'>\n\t\t<arg name='a'>" + text + "</arg>\n\t\t<arg name='b'><uint>1</uint></arg>\n\t</call>\n"
	}
	requireSameRepeated(t, call("<ref>x</ref>")+call("<ref>y</ref>")+call("<ref>  </ref>")+call("<ref></ref>")+call("<ref>x</ref>"), Options{Workers: 1})
	requireSameRepeated(t, call("<uint/>")+call("<uint/>")+call("<uint></uint>")+call("<uint>7</uint>")+call("<uint></uint>")+call("<uint />"), Options{Workers: 1})
	twice := func(no, other string) string {
		return strings.Replace(call("<uint>1</uint>"), "no='1'", "no='"+no+"' no='"+other+"'", 1)
	}
	requireSameRepeated(t, twice("1", "7")+twice("2", "7")+twice("7", "7")+twice("8", "7")+twice("9", "7")+twice("9", "x"), Options{Workers: 1})
	requireSameRepeated(t, call("")+call(" ")+call("x")+call(""), Options{Workers: 1})
}

// TestNoForms: what is marked as depending on more than the call is none.
func TestNoForms(t *testing.T) {
	for _, text := range []string{
		"\t<call no='1' class='c' method='m'>\n\t\t<arg name='a'><string><![CDATA[x]]></string></arg>\n\t</call>\n",
		"\t<call no='1' class='c' method='m!'>\n\t\t<arg name='a'><uint>1</uint></arg>\n\t</call>\n",
		"\t<call no='1' class='c' method='m'>\n\t\t<!-- aside --><arg name='a'><uint>1</uint></arg>\n\t</call>\n",
	} {
		p := newBlockParser(Options{}, nil)
		formedOf(p, text)
		formed, calls := formedOf(p, text)
		require.Equal(t, []int{0, 1}, []int{formed, calls}, text)
	}
}

// TestFormsAreBounded goes through more forms than are kept, and ever new ones.
func TestFormsAreBounded(t *testing.T) {
	p := newBlockParser(Options{}, nil)
	learned := 0
	for no := range 20000 {
		text := fmt.Sprintf("\t<call no='%d' class='pipe_context' method='m%d'>\n\t\t<arg name='%s'><uint>1</uint></arg>\n\t</call>\n", no, no, strings.Repeat("a", 3000))
		formed, calls := formedOf(p, text)
		require.Equal(t, []int{0, 1}, []int{formed, calls})
		if again, _ := formedOf(p, text); again > 0 {
			learned++
		}
		require.LessOrEqual(t, p.forms.bytes, maxForms+maxRepeat+1000)
	}
	require.Greater(t, learned, 10000, "those that come again are learned")
	p = newBlockParser(Options{}, nil)
	learned = 0
	for no := range 20000 {
		rest := p.forms != nil && p.forms.rest > 0
		formedOf(p, fmt.Sprintf("\t<call no='%d' class='pipe_context' method='n%d'>\n\t\t<arg name='a'><uint>1</uint></arg>\n\t</call>\n", no, no))
		if !rest {
			learned++
		}
	}
	require.Less(t, learned, 200, "where none fits, few are learned")
}

func TestFormsAllocateNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	vertexBuffers := frameCalls[1]
	text := func(n int) []byte {
		var b bytes.Buffer
		for no := range n {
			call := strings.Replace(fmt.Sprintf(vertexBuffers, 3), "<uint>64<", fmt.Sprintf("<uint>%d<", random.Uint32()), 1)
			fmt.Fprintf(&b, "\t<call no='%d'%s", no, call)
		}
		return b.Bytes()
	}
	allocs := func(text []byte) float64 {
		return testing.AllocsPerRun(5, func() {
			var d Decoder
			var op pipe.Op
			readWith(t, bytes.NewReader(text), Options{Workers: 1}, true, func(rec *Record) { d.Decode(rec, &op) })
		})
	}
	few, many := text(2000), text(6000)
	require.Less(t, (allocs(many)-allocs(few))/4000, 0.02)
}

// FuzzForms reads a call, then with another text between two of its tags, then again.
func FuzzForms(f *testing.F) {
	for i, c := range frameCalls {
		f.Add("\t<call no='1'"+c, i, fillings[i%len(fillings)])
	}
	f.Fuzz(func(t *testing.T, text string, hole int, filling string) {
		if len(text) == 0 || len(text) > 4000 || len(filling) > 4000 {
			return
		}
		other := text + filling
		if all := betweenTags.FindAllStringIndex(text, -1); len(all) > 0 {
			at := all[(hole&0x7fffffff)%len(all)]
			other = text[:at[0]+len(">")] + filling + text[at[1]-len("<"):]
		}
		requireSameRepeated(t, text+other+text+other, Options{Workers: 1})
	})
}
