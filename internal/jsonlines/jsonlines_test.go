package jsonlines

import (
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// double answers {"n":x} with {"twice":2x}; negative x is impossible.
func double(from Case) (any, error) {
	var c struct {
		N float64 `json:"n"`
	}
	if err := from.Take(&c); err != nil {
		return nil, err
	}
	if c.N < 0 {
		return nil, errors.New("n < 0")
	}
	if c.N == 7 {
		return struct{}{}, nil
	}
	if c.N == 8 {
		return math.NaN(), nil
	}
	if c.N == 9 {
		return 18, nil
	}
	return map[string]float64{"twice": 2 * c.N}, nil
}

func TestRun(t *testing.T) {
	tests := []struct {
		name, in, want string
		impossible     int
	}{
		{"nothing gives nothing", "", "", 0},
		{"ids of every kind are copied as written", `{"id":"a","n":1}` + "\n" + `{"id": 9007199254740993,"n":2}` + "\r\n" + `{"n":3,"id":[1, 2]}`,
			`{"id":"a","twice":2}` + "\n" + `{"id":9007199254740993,"twice":4}` + "\n" + `{"id":[1, 2],"twice":6}` + "\n", 0},
		{"a case without id has id null", `{"n":1}`, `{"id":null,"twice":2}` + "\n", 0},
		{"an impossible case does not stop the run", `{"id":1,"n":-1}` + "\n" + `{"id":2,"n":1}`,
			`{"id":1,"error":"n < 0"}` + "\n" + `{"id":2,"twice":2}` + "\n", 1},
		{"blank lines are not cases", "\n  \n" + `{"id":1,"n":1}` + "\n\n", `{"id":1,"twice":2}` + "\n", 0},
		{"broken JSON is an answer", `{"id":1,`, `{"id":null,"error":"not JSON: unexpected end of JSON input"}` + "\n", 1},
		{"a number is not a case", `12`, `{"id":null,"error":"not a JSON object"}` + "\n", 1},
		{"null is not a case", `null`, `{"id":null,"error":"not a JSON object"}` + "\n", 1},
		{"an empty answer keeps its id", `{"id":1,"n":7}`, `{"id":1}` + "\n", 0},
		{"an answer that JSON cannot say", `{"id":1,"n":8}`, `{"id":1,"error":"json: unsupported value: NaN"}` + "\n", 1},
		{"an answer that is no object", `{"id":1,"n":9}`, `{"id":1,"error":"answer of type int is not a JSON object"}` + "\n", 1},
		{"bytes that are not UTF-8 do not get out", "{\"id\":\"\xff\",\"n\":1}", "{\"id\":\"\ufffd\",\"twice\":2}\n", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				var out strings.Builder
				report, err := Run(in, &out, double)
				require.NoError(t, err)
				require.Equal(t, tt.want, out.String())
				require.Equal(t, Report{Impossible: tt.impossible}, report)
			}
		})
	}
}

func TestRunSkipsHugeLine(t *testing.T) {
	const limit = 100_000 // more than one read of the buffer
	for _, tt := range []struct {
		name    string
		length  int
		tooLong bool
	}{
		{"the longest line is a case", limit, false},
		{"one byte more is not", limit + 1, true},
		{"nor is what needs many reads", 10 * limit, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line := `{"id":2,"n":2` + strings.Repeat(" ", tt.length-14) + "}"
			require.Len(t, line, tt.length)
			in := strings.NewReader(`{"id":1,"n":1}` + "\n" + line + "\n" + `{"id":3,"n":3}`)
			var out strings.Builder
			report, err := run(in, &out, double, limit)
			require.NoError(t, err)
			answer := `{"id":2,"twice":4}`
			if tt.tooLong {
				answer = `{"id":null,"error":"line is longer than 100000 bytes"}`
			}
			require.Equal(t, tt.tooLong, report.Impossible == 1)
			require.Equal(t, `{"id":1,"twice":2}`+"\n"+answer+"\n"+`{"id":3,"twice":6}`+"\n", out.String())
		})
	}
}

// wide answers with what it reads.
func wide(c Case) (any, error) {
	var read embedded
	err := c.Take(&read)
	return map[string]uint32{"wide": read.Wide}, err
}

func TestRunTellsWhatWasPassedOver(t *testing.T) {
	in := strings.NewReader(`{"wide":1,"b":1,"a":1}` + "\n" + `{"wide":2,"a":2}` + "\n" + `{"wide":"","c":1}`)
	var out strings.Builder
	report, err := Run(in, &out, wide)
	require.NoError(t, err)
	require.Equal(t, `{"id":null,"wide":1}`+"\n"+`{"id":null,"wide":2}`+"\n"+
		`{"id":null,"error":"wide is \"\", want a number from 0 to 4294967295"}`+"\n", out.String())
	require.Equal(t, Report{Impossible: 1, PassedOver: []string{"a", "b"}}, report, "each name once, and none of an impossible case")

	many := `{"wide":1`
	for i := range 2 * maxPassedOver {
		many += `,"x` + strconv.Itoa(i) + `":0`
	}
	report, err = Run(strings.NewReader(many+"}\n"+`{"y":0}`), io.Discard, wide)
	require.NoError(t, err)
	require.Len(t, report.PassedOver, maxPassedOver)
}

func TestRunReportsInputAndOutputErrors(t *testing.T) {
	broken := errors.New("broken")
	var out strings.Builder
	_, err := Run(io.MultiReader(strings.NewReader(`{"id":1,"n":1}`+"\n"), iotest.ErrReader(broken)), &out, double)
	require.ErrorIs(t, err, broken)
	require.Equal(t, `{"id":1,"twice":2}`+"\n", out.String(), "answers given before the error must not be lost")

	_, err = Run(strings.NewReader(`{"id":1,"n":1}`), brokenWriter{broken}, double)
	require.ErrorIs(t, err, broken)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// Each answer must be on its way before the next case is waited for.
func TestRunAnswersBeforeNextCase(t *testing.T) {
	cases, send := io.Pipe()
	receive, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := Run(cases, answers, double)
		answers.CloseWithError(io.EOF)
		done <- err
	}()
	buf := make([]byte, 100)
	for range 3 {
		_, err := io.WriteString(send, `{"id":1,"n":1}`+"\n")
		require.NoError(t, err)
		n, err := receive.Read(buf)
		require.NoError(t, err)
		require.Equal(t, `{"id":1,"twice":2}`+"\n", string(buf[:n]))
	}
	require.NoError(t, send.Close())
	require.NoError(t, <-done)
}
