package markup

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// pieces cuts text into pieces, given in steps of that many bytes.
func pieces(text string, step int) []string {
	var out []string
	var s Scanner
	start := 0
	for n := min(step, len(text)); start < len(text); n = min(n+step, len(text)) {
		for {
			p, ok := s.Next([]byte(text[start:n]), n == len(text))
			if !ok {
				break
			}
			if p.Kind != Blank { // white space may come in parts
				out = append(out, fmt.Sprintf("%d: %d %d %q", start, p.Kind, p.Flaw, text[start:start+p.End]))
			}
			start += p.End
		}
	}
	return out
}

func TestScannerFindsTheSameInAnySteps(t *testing.T) {
	texts := []string{
		"<?xml version='1.0'?>\n<?a b?>\n<trace version='0.1'>\n\t<call no='1'>x</call>\n</trace>\n",
		"<?xml <call></call>",
		"<call no='1'><!-- </call> --></call><!-- <call> -->",
		"<call no='1'><![CDATA[</call>]]></string></call>",
		"<call no='1'><![CDATA[shader: ]]></string></call>\n\t<call no='2'></call>",
		"<call no='1'><![CDATA[shader: ]]></string></call>\n]]></string></call>",
		"<call no='1'><![CDATA[</call>\n\t<call no='2'></call>",
		"noise <b> and <call no='1'></call> more\nlines\n<arg></call>",
		"<string>a</string><string><![CDATA[b]]></string><string>c",
		"<call no='1'", "<cal", "<ca</call>", "</trace", "<?xml", "<!-", "<![CDATA", "\n\n",
	}
	for _, text := range texts {
		want := pieces(text, len(text))
		for step := 1; step < len(text); step++ {
			require.Equal(t, want, pieces(text, step), "steps of %d in %q", step, text)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Run("noise without a line end is cut", func(t *testing.T) {
		p, ok := new(Scanner).Next([]byte(strings.Repeat("x", MaxLine+5)), false)
		require.True(t, ok)
		require.Equal(t, Piece{Kind: Noise, End: MaxLine}, p)
	})
	t.Run("a comment without an end is noise", func(t *testing.T) {
		p, ok := new(Scanner).Next([]byte("<!-- "+strings.Repeat("x", MaxLine)), false)
		require.True(t, ok)
		require.Equal(t, Noise, p.Kind)
	})
	t.Run("a section without an end is given up", func(t *testing.T) {
		text := append([]byte("<call no='1'><![CDATA["), make([]byte, MaxSection)...)
		p, ok := new(Scanner).Next(text, false)
		require.True(t, ok)
		require.Equal(t, TooLong, p.Flaw)
		require.LessOrEqual(t, p.End, MaxSection+100)
	})
	t.Run("deep nesting is a fault, not a full stack", func(t *testing.T) {
		text := "<call method='x'><arg name='a'>" + strings.Repeat("<array><elem>", 100_000)
		_, f := parse(text)
		require.Equal(t, TooDeep, f.Reason)
	})
	t.Run("deep args in args too", func(t *testing.T) {
		_, f := parse("<call method='x'>" + strings.Repeat("<arg name='a'>", 100_000) + "<null/></arg>")
		require.Equal(t, TooDeep, f.Reason)
	})
}

// parse reads the one call in text.
func parse(text string) (string, Fault) {
	var p Parser
	tag, f := p.OpenTag([]byte(text), 0)
	if f.Reason != NoFault {
		return "", f
	}
	nodes, _, f := p.Body([]byte(text), tag.Body, nil)
	values := pipe.MakeValues([]byte(text), nodes)
	var b strings.Builder
	for v := range values.All() {
		writeTree(&b, v)
	}
	return b.String(), f
}

func writeTree(b *strings.Builder, v pipe.Value) {
	name := v.Kind().String()
	if v.Kind() == pipe.UnknownValue {
		name = v.TypeName()
	}
	role := roleElements[v.Role()]
	if role != "" {
		fmt.Fprintf(b, "<%s %q>", role, v.Name())
	}
	switch v.Kind() {
	case pipe.NullValue:
		fmt.Fprintf(b, "<null>")
	case pipe.ArrayValue, pipe.StructValue, pipe.UnknownValue:
		typeName := ""
		if v.Kind() == pipe.StructValue {
			typeName = v.TypeName()
		}
		fmt.Fprintf(b, "<%s %q>", name, typeName)
		for _, c := range v.All() {
			writeTree(b, c)
		}
		fmt.Fprintf(b, "</%s>", name)
	default:
		fmt.Fprintf(b, "<%s %q>", name, v.String())
	}
	if role != "" {
		fmt.Fprintf(b, "</%s>", role)
	}
}

// xmlTree writes the same by way of the library's XML reader.
func xmlTree(text string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	var b strings.Builder
	scalar, chars := "", ""
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := ""
			for _, a := range tok.Attr {
				name = a.Value
			}
			switch tok.Name.Local {
			case "call":
			case "arg", "ret", "time", "elem", "member", "array", "struct":
				fmt.Fprintf(&b, "<%s %q>", tok.Name.Local, name)
			case "null":
				b.WriteString("<null>")
			default:
				scalar, chars = tok.Name.Local, ""
			}
		case xml.CharData:
			chars += string(tok)
		case xml.EndElement:
			switch tok.Name.Local {
			case scalar:
				fmt.Fprintf(&b, "<%s %q>", scalar, chars)
				scalar = ""
			case "call", "null":
			default:
				fmt.Fprintf(&b, "</%s>", tok.Name.Local)
			}
		}
	}
}

// randomCall writes a well-formed call, with white space and comments where XML
// allows them and the dialect has none.
func randomCall(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("<call no='1' class='c' method='m'>\n")
	for range r.IntN(4) {
		fmt.Fprintf(&b, "\t\t<arg name='a%d-&gt;x'>%s</arg>\n", r.IntN(9), randomValue(r, 0))
		if r.IntN(4) == 0 {
			b.WriteString("<!-- </call> -->")
		}
	}
	if r.IntN(2) == 0 {
		fmt.Fprintf(&b, "<ret >%s</ret>", randomValue(r, 0))
	}
	b.WriteString("\t\t<time><int>3</int></time>\n\t</call>")
	return b.String()
}

func randomValue(r *rand.Rand, depth int) string {
	kind := r.IntN(11)
	if depth > 4 {
		kind = r.IntN(8)
	}
	space := []string{"", "", "", " ", "\n\t"}[r.IntN(5)]
	switch kind {
	case 0:
		return "<null/>"
	case 1:
		return fmt.Sprintf("<uint>%d</uint>", r.Uint32())
	case 2:
		return fmt.Sprintf("<int >%d</int >", -r.Int64())
	case 3:
		return "<float>1e+06</float>"
	case 4:
		return "<string>a &lt;b&gt; &amp;&apos;&quot;&#10;</string>"
	case 5:
		return "<string><![CDATA[<a> & ]] > \n<call no='5'></call>]]></string>"
	case 6:
		return "<bytes>00FF</bytes>"
	case 7:
		return "<ptr>0x0000beef</ptr>"
	case 8, 9:
		s := "<array>" + space
		for range r.IntN(4) {
			s += "<elem>" + randomValue(r, depth+1) + "</elem>" + space
		}
		return s + "</array>"
	}
	s := "<struct name=\"s\">" + space
	for i := range r.IntN(4) {
		s += fmt.Sprintf("<member name='m.%d->y'>%s%s</member>%s", i, space, randomValue(r, depth+1), space)
	}
	return s + "</struct>"
}

// TestAgreesWithXML compares with an XML reader on well-formed calls.
func TestAgreesWithXML(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		text := randomCall(r)
		want, err := xmlTree(text)
		require.NoError(t, err, text)
		got, f := parse(text)
		require.Equal(t, NoFault, f.Reason, "%s: %v", text, f)
		require.Equal(t, want, got, text)
	}
}

func TestFaultsAreNamed(t *testing.T) {
	cases := []struct {
		why, text string
		reason    Reason
		at        int
	}{
		{"a damaged opening word", "<call method='x'><brg name='a'><uint>1</uint></arg></call>", WrongClose, 45},
		{"a damaged closing word", "<call method='x'><arg name='a'><uint>1</wint></arg></call>", WrongClose, 38},
		{"a lost quote", "<call method='x'><arg name=a'><uint>1</uint></arg></call>", BadTag, 27},
		{"text among elements", "<call method='x'><arg name='a'><array>x</array></arg></call>", StrayText, 38},
		{"a call in a call", "<call method='x'><call method='y'></call>", StrayCall, 17},
		{"no end", "<call method='x'><arg name='a'>", EndOfText, 31},
		{"an end within a tag", "<call method='x'><arg na", EndOfText, 24},
		{"a section without an end", "<call method='x'><arg name='a'><string><![CDATA[x</string></arg></call>", EndOfText, 71},
	}
	for _, c := range cases {
		t.Run(c.why, func(t *testing.T) {
			_, f := parse(c.text)
			require.Equal(t, c.reason, f.Reason, f)
			require.Equal(t, c.at, f.At)
			require.NotEmpty(t, f.String())
		})
	}
}

// FuzzParser holds that no text makes the parser panic or write a bad tape, and
// that what it takes for a sound call the scanner takes for one as well.
func FuzzParser(f *testing.F) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 20 {
		f.Add(randomCall(r))
	}
	f.Add("<call method='x'><arg name='a'><arg name='b'><half>1</half><x/></arg></arg><string/></call>")
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "<call ") {
			text = "<call " + text
		}
		var p Parser
		b := []byte(text)
		tag, fault := p.OpenTag(b, 0)
		if fault.Reason != NoFault {
			return
		}
		nodes, end, fault := p.Body(b, tag.Body, nil)
		checkTape(t, b, nodes, 0, uint32(len(nodes)))
		if fault.Reason != NoFault {
			require.LessOrEqual(t, fault.At, len(b))
			return
		}
		piece, ok := new(Scanner).Next(b, true)
		require.True(t, ok)
		require.Equal(t, Piece{Kind: Call, End: end}, piece, "%q", text)
	})
}

// checkTape holds that the nodes nest and that their spans lie in the text.
func checkTape(t *testing.T, text []byte, nodes []pipe.Node, from, to uint32) {
	for from < to {
		n := nodes[from]
		require.Greater(t, n.Next, from)
		require.LessOrEqual(t, n.Next, to)
		require.LessOrEqual(t, int(n.NameOff+n.NameLen), len(text))
		require.LessOrEqual(t, int(n.TextOff+n.TextLen), len(text))
		checkTape(t, text, nodes, from+1, n.Next)
		from = n.Next
	}
}

// FuzzScanner holds that the pieces do not depend on how the text arrives.
func FuzzScanner(f *testing.F) {
	f.Add("<call no='1'><![CDATA[shader: ]]></string></call>\n\t<call no='2'></call>", 3)
	f.Add("x<?xml ?><trace><string>a</string><!-- --></trace></arg></call>", 1)
	f.Fuzz(func(t *testing.T, text string, step int) {
		if len(text) == 0 || len(text) > 2000 {
			return
		}
		step = 1 + (step&0x7fff)%len(text)
		require.Equal(t, pieces(text, len(text)), pieces(text, step))
	})
}
