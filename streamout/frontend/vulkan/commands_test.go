package vulkan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// fixture is what the cases of TestInvalidUsage need.
type fixture struct {
	*Commands
	p, plain *Pipeline
	buffer   *Buffer
	counter  Counter
}

func newFixture(t *testing.T) *fixture {
	ctx, err := pipe.NewContext(&pipe.Null{})
	require.NoError(t, err)
	x := &fixture{Commands: NewCommands(ctx)}
	pipeline := func(line string) *Pipeline {
		s, err := ParseShader([]byte(line))
		require.NoError(t, err)
		p, err := x.CreatePipeline(s, nil)
		require.NoError(t, err)
		return p
	}
	x.p = pipeline(`{"outputs":[{"name":"p","type":"vec4","builtin":"Position","xfbBuffer":0,"xfbStride":16,"offset":0}]}`)
	x.plain = pipeline(`{"outputs":[` + pos + `]}`)
	x.buffer, err = x.CreateBuffer(256)
	require.NoError(t, err)
	b, err := x.CreateBuffer(8)
	require.NoError(t, err)
	x.counter = Counter{Buffer: b, Offset: 4}
	return x
}

// TestInvalidUsage has for each rule a command that breaks it and a near-miss.
func TestInvalidUsage(t *testing.T) {
	type state = func(*testing.T, *fixture)
	type call = func(*fixture) error
	none := func(*testing.T, *fixture) {}
	ready := func(t *testing.T, x *fixture) {
		require.NoError(t, x.BindPipeline(x.p))
		require.NoError(t, x.BindTransformFeedbackBuffer(0, x.buffer, 0, WholeSize))
	}
	begun := func(t *testing.T, x *fixture) { ready(t, x); require.NoError(t, x.BeginTransformFeedback(0)) }
	begin := func(x *fixture) error { return x.BeginTransformFeedback(0) }
	bind := func(i int, offset, size uint64) call {
		return func(x *fixture) error { return x.BindTransformFeedbackBuffer(i, x.buffer, offset, size) }
	}
	count := func(counterOffset, stride uint32) call {
		return func(x *fixture) error {
			if err := x.BindVertexBuffer(x.buffer, 0, 16); err != nil {
				return err
			}
			return x.DrawIndirectByteCount(pipe.Points, 1, x.counter, counterOffset, stride)
		}
	}
	at := func(offset uint32) call {
		return func(x *fixture) error { return x.BeginTransformFeedback(0, Counter{x.counter.Buffer, offset}) }
	}
	for _, tc := range []struct {
		vuid    string
		in      state
		bad     call
		goodIn  state
		allowed call
	}{
		{"None-02323", begun, func(x *fixture) error { return x.BindPipeline(x.plain) }, ready, func(x *fixture) error { return x.BindPipeline(x.plain) }},
		{"None-02365", begun, bind(1, 0, 16), ready, bind(1, 0, 16)},
		{"firstBinding-02356", ready, bind(4, 0, 16), ready, bind(3, 0, 16)},
		{"pOffsets-02358", ready, bind(0, 256, WholeSize), ready, bind(0, 252, WholeSize)},
		{"pOffsets-02359", ready, bind(0, 2, 16), ready, bind(0, 4, 16)},
		{"pSizes-02363", ready, bind(0, 64, 193), ready, bind(0, 64, 192)},
		{"None-02367", begun, begin, ready, begin},
		{"None-06233", none, begin, ready, begin},
		{"None-04128", func(t *testing.T, x *fixture) { require.NoError(t, x.BindPipeline(x.plain)) }, begin, ready, begin},
		{"firstCounterBuffer-02368", ready, func(x *fixture) error { return x.BeginTransformFeedback(4, x.counter) }, ready, func(x *fixture) error { return x.BeginTransformFeedback(3, x.counter) }},
		{"pCounterBufferOffsets-02370", ready, at(8), ready, at(4)},
		{"pCounterBufferOffsets", ready, at(2), ready, at(0)},
		{"None-02375", ready, func(x *fixture) error { return x.EndTransformFeedback(0) }, begun, func(x *fixture) error { return x.EndTransformFeedback(0) }},
		{"firstCounterBuffer-02376", begun, func(x *fixture) error { return x.EndTransformFeedback(-1, x.counter) }, begun, func(x *fixture) error { return x.EndTransformFeedback(0, x.counter) }},
		{"vertexStride-02289", ready, count(0, 0), ready, count(0, 16)},
		{"Gallium counts", ready, count(4, 16), ready, count(0, 16)},
	} {
		t.Run(tc.vuid, func(t *testing.T) {
			x := newFixture(t)
			tc.in(t, x)
			require.ErrorContains(t, tc.bad(x), tc.vuid)
			x = newFixture(t)
			tc.goodIn(t, x)
			require.NoError(t, tc.allowed(x))
		})
	}
}

// A counter of one range goes on in a target of that range alone.
func TestCounterOfAnotherRange(t *testing.T) {
	x := newFixture(t)
	require.NoError(t, x.BindPipeline(x.p))
	require.NoError(t, x.BindTransformFeedbackBuffer(0, x.buffer, 0, 64))
	require.NoError(t, x.BeginTransformFeedback(0))
	require.NoError(t, x.EndTransformFeedback(0, x.counter))
	require.NoError(t, x.BindTransformFeedbackBuffer(0, x.buffer, 64, 64))
	require.ErrorContains(t, x.BeginTransformFeedback(0, x.counter), "another range")
	require.NoError(t, x.BindTransformFeedbackBuffer(0, x.buffer, 0, 64))
	require.NoError(t, x.BeginTransformFeedback(0, x.counter))
}
