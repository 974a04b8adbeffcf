package gl

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// fixture is a tracker with what the cases of TestRefusals need.
type fixture struct {
	*Tracker
	p, other, plain, streams *LinkedProgram
	buffer                   *Buffer
	f                        *TransformFeedback
}

func newFixture(t *testing.T) *fixture {
	ctx, err := pipe.NewContext(&pipe.Null{})
	require.NoError(t, err)
	x := &fixture{Tracker: NewTracker(ctx)}
	link := func(line string) *LinkedProgram {
		p, err := ParseProgram([]byte(line))
		require.NoError(t, err)
		l, err := x.Link(p, nil)
		require.NoError(t, err)
		return l
	}
	x.p = link(`{"varyings":["gl_Position"],"outputs":[` + pos + `]}`)
	x.other = link(`{"varyings":["gl_Position"],"outputs":[` + pos + `]}`)
	x.plain = link(`{"outputs":[` + pos + `]}`)
	x.streams = link(`{"stage":"geometry","topology":"line_strip","varyings":["gl_Position"],"outputs":[` + pos + `]}`)
	x.buffer, err = x.CreateBuffer(256)
	require.NoError(t, err)
	x.f = x.CreateTransformFeedback()
	return x
}

// ready binds a buffer and a program; begun is active, too.
func (x *fixture) ready(t *testing.T) {
	require.NoError(t, x.UseProgram(x.p))
	require.NoError(t, x.BindBufferBase(0, x.buffer))
}

func (x *fixture) begun(t *testing.T) {
	x.ready(t)
	require.NoError(t, x.Begin(pipe.Triangles))
}

func (x *fixture) pausedNow(t *testing.T) {
	x.begun(t)
	require.NoError(t, x.Pause())
}

// TestRefusals has for each error a call that yields it in one state and a
// near-miss: a call, or the same one in another state, that does not.
func TestRefusals(t *testing.T) {
	none := func(*fixture, *testing.T) {}
	ready, begun, paused := (*fixture).ready, (*fixture).begun, (*fixture).pausedNow
	ended := func(x *fixture, t *testing.T) { x.begun(t); require.NoError(t, x.End()) }
	own := func(x *fixture, t *testing.T) { require.NoError(t, x.BindTransformFeedback(x.f)); x.begun(t) }
	type state = func(*fixture, *testing.T)
	type call = func(*fixture) error
	begin := func(m pipe.PrimitiveType) call { return func(x *fixture) error { return x.Begin(m) } }
	bind := func(i int, offset, size int64) call {
		return func(x *fixture) error { return x.BindBufferRange(i, x.buffer, offset, size) }
	}
	pause, resume, end := (*fixture).pause, (*fixture).resume, (*fixture).end
	for _, tc := range []struct {
		name    string
		code    ErrorCode
		in      state
		bad     call
		goodIn  state
		allowed call
	}{
		{"Begin of triangle strips", InvalidEnum, ready, begin(pipe.TriangleStrip), ready, begin(pipe.Triangles)},
		{"Begin while active", InvalidOperation, begun, begin(pipe.Points), ended, begin(pipe.Points)},
		{"Begin without a program", InvalidOperation, none, begin(pipe.Points), ready, begin(pipe.Points)},
		{"Begin of a program without varyings", InvalidOperation, func(x *fixture, t *testing.T) { x.ready(t); require.NoError(t, x.UseProgram(x.plain)) }, begin(pipe.Points), ready, begin(pipe.Points)},
		{"Begin without a buffer", InvalidOperation, func(x *fixture, t *testing.T) { require.NoError(t, x.UseProgram(x.p)) }, begin(pipe.Points), ready, begin(pipe.Points)},
		{"End when not active", InvalidOperation, ready, end, paused, end},
		{"Pause when not active", InvalidOperation, ready, pause, begun, pause},
		{"Pause when paused", InvalidOperation, paused, pause, begun, pause},
		{"Resume when not paused", InvalidOperation, begun, resume, paused, resume},
		{"Resume with another program", InvalidOperation, func(x *fixture, t *testing.T) { x.pausedNow(t); require.NoError(t, x.UseProgram(x.other)) }, resume,
			func(x *fixture, t *testing.T) {
				x.pausedNow(t)
				require.NoError(t, x.UseProgram(x.other))
				require.NoError(t, x.UseProgram(x.p))
			}, resume},
		{"UseProgram while active", InvalidOperation, begun, func(x *fixture) error { return x.UseProgram(x.other) }, paused, func(x *fixture) error { return x.UseProgram(x.other) }},
		{"BindTransformFeedback while active", InvalidOperation, begun, func(x *fixture) error { return x.BindTransformFeedback(x.f) }, paused, func(x *fixture) error { return x.BindTransformFeedback(x.f) }},
		{"BindBufferRange while active", InvalidOperation, paused, bind(0, 0, 16), ended, bind(0, 0, 16)},
		{"BindBufferRange of index 4", InvalidValue, ready, bind(4, 0, 16), ready, bind(3, 0, 16)},
		{"BindBufferRange of no bytes", InvalidValue, ready, bind(0, 0, 0), ready, bind(0, 0, 4)},
		{"BindBufferRange below the buffer", InvalidValue, ready, bind(0, -4, 16), ready, bind(0, 0, 16)},
		{"BindBufferRange at byte 2", InvalidValue, ready, bind(0, 2, 16), ready, bind(0, 4, 16)},
		{"BindBufferRange of 18 bytes", InvalidValue, ready, bind(0, 0, 18), ready, bind(0, 0, 20)},
		{"DeleteTransformFeedback when active", InvalidOperation, own, func(x *fixture) error { return x.DeleteTransformFeedback(x.f) }, begun, func(x *fixture) error { return x.DeleteTransformFeedback(x.f) }},
		{"DeleteProgram that an active object uses", InvalidOperation, func(x *fixture, t *testing.T) { x.pausedNow(t); require.NoError(t, x.UseProgram(nil)) }, func(x *fixture) error { return x.DeleteProgram(x.p) },
			ready, func(x *fixture) error { return x.DeleteProgram(x.other) }},
		{"points drawn while triangles are captured", InvalidOperation, begun, func(x *fixture) error { return x.DrawArrays(pipe.Points, 0, 3, 1) }, begun, func(x *fixture) error { return x.DrawArrays(pipe.TriangleFan, 0, 3, 1) }},
		{"a geometry shader's lines while triangles are captured", InvalidOperation, func(x *fixture, t *testing.T) {
			x.ready(t)
			require.NoError(t, x.UseProgram(x.streams))
			require.NoError(t, x.Begin(pipe.Triangles))
		}, func(x *fixture) error { return x.DrawArrays(pipe.Triangles, 0, 3, 1) },
			func(x *fixture, t *testing.T) {
				x.ready(t)
				require.NoError(t, x.UseProgram(x.streams))
				require.NoError(t, x.Begin(pipe.Lines))
			}, func(x *fixture) error { return x.DrawArrays(pipe.Triangles, 0, 3, 1) }},
		{"DrawTransformFeedback before any End", InvalidOperation, ready, func(x *fixture) error { return x.DrawTransformFeedback(pipe.Points, nil) }, ended, func(x *fixture) error { return x.DrawTransformFeedback(pipe.Points, nil) }},
		{"DrawTransformFeedbackStream of stream 4", InvalidValue, ended, func(x *fixture) error { return x.DrawTransformFeedbackStream(pipe.Points, nil, 4) }, ended, func(x *fixture) error { return x.DrawTransformFeedbackStream(pipe.Points, nil, 3) }},
		{"a query of stream 4", InvalidValue, ready, query(pipe.QueryPrimitivesEmitted, 4), ready, query(pipe.QueryPrimitivesEmitted, 3)},
		{"a query of time", InvalidEnum, ready, query(pipe.QueryTimestamp, 0), ready, query(pipe.QueryPrimitivesGenerated, 0)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := newFixture(t)
			tc.in(x, t)
			var refused *CallError
			require.True(t, errors.As(tc.bad(x), &refused))
			require.Equal(t, tc.code, refused.Code, "%v", refused)
			x = newFixture(t)
			tc.goodIn(x, t)
			require.NoError(t, tc.allowed(x))
		})
	}
}

func (x *fixture) pause() error  { return x.Pause() }
func (x *fixture) resume() error { return x.Resume() }
func (x *fixture) end() error    { return x.End() }

func query(q pipe.QueryType, stream int) func(*fixture) error {
	return func(x *fixture) error {
		_, err := x.BeginQuery(q, stream)
		return err
	}
}

// A program that the linker refuses is an error of glLinkProgram that names the
// rule.
func TestLinkError(t *testing.T) {
	x := newFixture(t)
	p, err := ParseProgram([]byte(`{"varyings":["b"],"outputs":[` + pos + `]}`))
	require.NoError(t, err)
	_, err = x.Link(p, nil)
	require.ErrorContains(t, err, "GL_INVALID_OPERATION: glLinkProgram (b is no output of the vertex shader [so-gl-unknown-varying])")
}
