package trace_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

const header = "<?xml version='1.0' encoding='UTF-8'?>\n<?xml-stylesheet type='text/xsl' href='trace.xsl'?>\n<trace version='0.1'>\n"

// call writes a call as Mesa lays it out.
func call(no int, class, method string, items ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t<call no='%d' class='%s' method='%s'>\n", no, class, method)
	for _, item := range items {
		fmt.Fprintf(&b, "\t\t%s\n", item)
	}
	b.WriteString("\t\t<time><int>7</int></time>\n\t</call>\n")
	return b.String()
}

const shaderText = "shader: MESA_SHADER_VERTEX\nname: GLSL1\nlabel: %s\ninputs: 1\nimpl main {\n\tblock b0:\n}\n\n"

func createVS(no int, label string) string {
	return call(no, "pipe_context", "create_vs_state",
		"<arg name='pipe'><ptr>0x55a5ebf1e0f0</ptr></arg>",
		"<arg name='state'><struct name='pipe_shader_state'><member name='type'><uint>2</uint></member><member name='tokens'><null/></member>"+
			"<member name='ir'><string><![CDATA["+fmt.Sprintf(shaderText, label)+"]]></string></member>"+
			"<member name='stream_output'><struct name='pipe_stream_output_info'><member name='num_outputs'><uint>1</uint></member>"+
			"<member name='stride'><array><elem><uint>3</uint></elem><elem><uint>0</uint></elem></array></member>"+
			"<member name='output'><array><elem><struct name=''><member name='register_index'><uint>5</uint></member></struct></elem></array></member></struct></member></struct></arg>",
		"<ret><ptr>0x55a5ebf1f000</ptr></ret>")
}

func bind(no int) string {
	return call(no, "pipe_context", "bind_vs_state",
		"<arg name='pipe'><ptr>0x55a5ebf1e0f0</ptr></arg>",
		"<arg name='state'><ptr>0x55a5ebf1f000</ptr></arg>")
}

// sample is a whole trace of ten calls.
func sample() string {
	s := header + call(1, "", "pipe_screen_create", "<ret><ptr>0x55a5ebf00000</ptr></ret>")
	s += createVS(2, "one") + bind(3)
	s += call(4, "pipe_context", "clear", "<arg name='pipe'><ptr>0x55a5ebf1e0f0</ptr></arg>", "<null/>",
		"<arg name='color-&gt;ui'><array><elem><uint>0</uint></elem></array></arg>", "<arg name='depth'><float>0,5</float></arg>")
	s += createVS(5, "two") + bind(6) + bind(7)
	s += call(8, "pipe_context", "buffer_subdata", "<arg name='data'><bytes>00FF10</bytes></arg>")
	s += createVS(9, "three") + bind(10)
	return s + "</trace>\n"
}

// read reads text whole and returns a line for each record, and the ending.
func read(t testing.TB, text string, o trace.Options) ([]string, trace.Ending) {
	o.Name = "t.xml"
	r, err := trace.NewReader(strings.NewReader(text), o)
	require.NoError(t, err)
	var lines []string
	line, counted := 1, 0
	for rec, err := range r.Records() {
		require.NoError(t, err)
		if r.Compression() == "plain" {
			at := int(rec.Pos.Byte)
			line, counted = line+strings.Count(text[counted:at], "\n"), at
			require.Equal(t, line, rec.Pos.Line, "line of byte %d", at)
			if p := rec.Problem; p != nil {
				require.Equal(t, 1+strings.Count(text[:p.Pos.Byte], "\n"), p.Pos.Line, "line of byte %d", p.Pos.Byte)
			}
		}
		lines = append(lines, describe(rec))
	}
	require.NoError(t, r.Close())
	return lines, r.Ending()
}

// describe writes all that a record says.
func describe(rec *trace.Record) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s", rec.Kind)
	if rec.Open {
		b.WriteString(" open")
	}
	fmt.Fprintf(&b, " %d-%d line %d", rec.Pos.Byte, rec.End, rec.Pos.Line)
	if rec.HasNo {
		fmt.Fprintf(&b, " no %d", rec.No)
	}
	fmt.Fprintf(&b, " %s::%s(", rec.Class, rec.Method)
	for v := range rec.Values.All() {
		writeValue(&b, v)
	}
	b.WriteString(")")
	if rec.Problem != nil {
		fmt.Fprintf(&b, " byte %d: %v", rec.Problem.Pos.Byte, rec.Problem)
	}
	if rec.Kind == trace.NoiseRecord {
		fmt.Fprintf(&b, " %q", rec.Raw)
	}
	return b.String()
}

var roleWords = []string{"", "arg ", "ret ", "time ", "", "."}

func writeValue(b *bytes.Buffer, v pipe.Value) {
	fmt.Fprintf(b, "%s%s %s", roleWords[v.Role()], v.Name(), v.Kind())
	if v.Open() {
		b.WriteString(" open")
	}
	switch v.Kind() {
	case pipe.ArrayValue, pipe.StructValue, pipe.UnknownValue:
		fmt.Fprintf(b, " %s{", v.TypeName())
		for _, c := range v.All() {
			writeValue(b, c)
		}
		b.WriteString("}; ")
	default:
		fmt.Fprintf(b, " %q; ", v.String())
	}
}

// blockSizes are tried wherever results must not depend on the block size.
var blockSizes = []int{1, 2, 3, 7, 64, 100, 1000, 1 << 20}

// slow yields one byte a read.
type slow struct{ r io.Reader }

func (s slow) Read(b []byte) (int, error) { return s.r.Read(b[:min(len(b), 1)]) }
