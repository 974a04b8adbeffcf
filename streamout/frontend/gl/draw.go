package gl

import "github.com/outflow-gpu/outflow/pipe"

// DrawArrays draws instances of count vertices.
func (t *Tracker) DrawArrays(mode pipe.PrimitiveType, first, count, instances uint32) error {
	const call = "glDrawArraysInstanced"
	if err := t.checkDraw(call, mode); err != nil {
		return err
	}
	if count == 0 || instances == 0 {
		return nil
	}
	return t.ctx.Draw(&pipe.DrawInfo{Mode: mode, InstanceCount: instances, MinIndex: first, MaxIndex: first + count - 1},
		pipe.DrawRange{Start: first, Count: count})
}

// checkDraw checks what every draw must meet.
func (t *Tracker) checkDraw(call string, mode pipe.PrimitiveType) error {
	if t.program == nil {
		return refuse(InvalidOperation, call, "no program is current")
	}
	f := t.bound
	if !f.active || f.paused {
		return nil
	}
	out := mode
	if t.program.mode != pipe.PrimitiveUnknown {
		out = t.program.mode
	}
	if t.program.Stage == pipe.TessEval {
		return nil // the evaluation shader chooses
	}
	if class(out) != f.mode {
		return refuse(InvalidOperation, call, "%s are drawn, and transform feedback captures %s", out, f.mode)
	}
	return nil
}

// class is what primitives of a mode become: points, lines or triangles.
func class(mode pipe.PrimitiveType) pipe.PrimitiveType {
	switch mode {
	case pipe.Points:
		return pipe.Points
	case pipe.Lines, pipe.LineLoop, pipe.LineStrip, pipe.LinesAdjacency, pipe.LineStripAdjacency:
		return pipe.Lines
	}
	return pipe.Triangles
}

// DrawTransformFeedback draws as many vertices as the object recorded of stream
// 0.
func (t *Tracker) DrawTransformFeedback(mode pipe.PrimitiveType, f *TransformFeedback) error {
	return t.drawFeedback("glDrawTransformFeedback", mode, f, 0, 1)
}

// DrawTransformFeedbackStream draws as many vertices as the object recorded of
// a stream.
func (t *Tracker) DrawTransformFeedbackStream(mode pipe.PrimitiveType, f *TransformFeedback, stream int) error {
	return t.drawFeedback("glDrawTransformFeedbackStream", mode, f, stream, 1)
}

// DrawTransformFeedbackInstanced is DrawTransformFeedbackStream for instances.
func (t *Tracker) DrawTransformFeedbackInstanced(mode pipe.PrimitiveType, f *TransformFeedback, stream int, instances uint32) error {
	return t.drawFeedback("glDrawTransformFeedbackStreamInstanced", mode, f, stream, instances)
}

func (t *Tracker) drawFeedback(call string, mode pipe.PrimitiveType, f *TransformFeedback, stream int, instances uint32) error {
	if f == nil {
		f = t.standard
	}
	switch {
	case f.deleted:
		return refuse(InvalidValue, call, "no such object")
	case stream < 0 || stream >= t.limits.Streams || stream >= len(f.counts):
		return refuse(InvalidValue, call, "stream is %d, at most %d", stream, t.limits.Streams-1)
	case !f.ended:
		return refuse(InvalidOperation, call, "the object was never ended")
	}
	if err := t.checkDraw(call, mode); err != nil {
		return err
	}
	// A stream without varyings recorded no vertices.
	if f.counts[stream] == 0 || instances == 0 {
		return nil
	}
	return t.ctx.DrawAuto(mode, instances, f.counts[stream])
}
