package pipe

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHandleSpelling(t *testing.T) {
	for _, tc := range []struct {
		h    Handle
		want string
	}{
		{1, "0x00000001"},
		{0xfffffff, "0x0fffffff"},
		{0x10000000, "0x10000000"},
		{0xabcdef01, "0xabcdef01"},
		{0x55bea2c7f840, "0x55bea2c7f840"},
		{1<<64 - 1, "0xffffffffffffffff"},
	} {
		require.Equal(t, tc.want, tc.h.String())
		require.Equal(t, "<"+tc.want, string(tc.h.Append([]byte("<"))))
	}
	require.Equal(t, "NULL", Handle(0).String())
	require.Equal(t, "0x00000000", string(Handle(0).Append(nil)))
}

// naming returns a layer that notes when it sees an operation.
func naming(name string, seen *[]string) Layer {
	return func(d Driver) Driver {
		return DriverFunc(func(op *Op) error {
			*seen = append(*seen, name)
			err := d.Do(op)
			*seen = append(*seen, "/"+name)
			return err
		})
	}
}

func TestStackOrder(t *testing.T) {
	var seen []string
	failure := errors.New("no driver here")
	bottom := DriverFunc(func(*Op) error { seen = append(seen, "driver"); return failure })
	d := Stack(bottom, naming("outer", &seen), naming("middle", &seen), naming("inner", &seen))
	require.ErrorIs(t, d.Do(&Op{Call: &Flush{}}), failure)
	require.Equal(t, []string{"outer", "middle", "inner", "driver", "/inner", "/middle", "/outer"}, seen)
}

func TestStackWithoutLayers(t *testing.T) {
	d := new(Null)
	require.Same(t, d, Stack(d))
}

func TestNull(t *testing.T) {
	for _, tc := range []struct {
		name string
		op   Op
		want Result
	}{
		{"a create gets a handle", Op{Call: &CreateQuery{}}, Result{Handle: nullBase + nullStep, Known: true}},
		{"a create keeps its preset handle", Op{Call: &CreateQuery{}, Ret: Result{Handle: 7, Known: true}}, Result{Handle: 7, Known: true}},
		{"a create keeps a handle not marked known", Op{Call: &CreateQuery{}, Ret: Result{Handle: 7}}, Result{Handle: 7}},
		{"a create that failed stays NULL", Op{Call: &CreateQuery{}, Ret: Result{Known: true}}, Result{Known: true}},
		{"a bind returns nothing", Op{Call: &BindState{}}, Result{Known: true}},
		{"a method nobody knows", Op{Call: &Other{Method: "x"}}, Result{Known: true}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var d Null
			require.NoError(t, d.Do(&tc.op))
			require.Equal(t, tc.want, tc.op.Ret)
		})
	}
}

func TestNullNeverRepeatsAHandle(t *testing.T) {
	const contexts, creates = 4, 500
	var d Null
	var handles [contexts][creates]Handle
	var wg sync.WaitGroup
	for c := range handles {
		wg.Go(func() {
			for i := range handles[c] {
				op := Op{Call: &CreateQuery{}}
				if d.Do(&op) == nil {
					handles[c][i] = op.Ret.Handle
				}
			}
		})
	}
	wg.Wait()
	seen := map[Handle]bool{0: true}
	for _, list := range handles {
		for _, h := range list {
			require.False(t, seen[h], h)
			seen[h] = true
		}
	}
}

func TestOpsDoNotAllocate(t *testing.T) {
	pass := func(d Driver) Driver { return DriverFunc(d.Do) }
	d := Stack(new(Null), pass, pass, pass, pass, pass)
	draw := &Draw{Draws: make([]DrawRange, 1), NumDraws: 1}
	create := &CreateQuery{}
	op := Op{Context: 1}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		op.Call, op.Ret = draw, Result{}
		_ = d.Do(&op)
		op.Call, op.Ret = create, Result{}
		_ = d.Do(&op)
		_, _ = op.Call.Name()
	}))
	var room [32]byte
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = Handle(0x55bea2c7f840).Append(room[:0]) }))
}

func BenchmarkFiveLayers(b *testing.B) {
	pass := func(d Driver) Driver { return DriverFunc(d.Do) }
	d := Stack(new(Null), pass, pass, pass, pass, pass)
	op := Op{Call: &Draw{NumDraws: 1}, Context: 1}
	for b.Loop() {
		op.Ret = Result{}
		if err := d.Do(&op); err != nil {
			b.Fatal(err)
		}
	}
}

func TestBlob(t *testing.T) {
	bytes := BytesBlob([]byte{0x00, 0xab, 0xff})
	digits := HexBlob([]byte("00ABff"))
	for _, b := range []Blob{bytes, digits} {
		require.Equal(t, 3, b.Len())
		got, err := b.Append([]byte{1})
		require.NoError(t, err)
		require.Equal(t, []byte{1, 0x00, 0xab, 0xff}, got)
	}
	require.Equal(t, "x00ABFF", string(bytes.AppendHex([]byte("x"))))
	require.Equal(t, "x00ABff", string(digits.AppendHex([]byte("x"))), "digits stay as they came")
	require.Zero(t, Blob{}.Len())

	got, err := HexBlob([]byte("01zz02")).Append(nil)
	require.Error(t, err)
	require.Equal(t, []byte{1}, got)
	_, err = HexBlob([]byte("012")).Append(nil)
	require.Error(t, err, "half a byte")
}

func TestShaderText(t *testing.T) {
	require.Nil(t, (&ShaderState{}).Text())
	require.Equal(t, []byte("VERT"), (&ShaderState{Tokens: []byte("VERT")}).Text())
	require.Equal(t, []byte("shader:"), (&ShaderState{NIR: []byte("shader:")}).Text())
}
