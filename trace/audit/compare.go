package audit

import (
	"fmt"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/pipe/state"
)

// difference is the first member that two events differ in.
type difference struct{ rule, path, above, below string }

// message names both values.
func (d *difference) message() string { return fmt.Sprintf("%s above, %s below", d.above, d.below) }

func differ(rule, path string, above, below any) *difference {
	return &difference{rule, path, fmt.Sprint(above), fmt.Sprint(below)}
}

// bytes spells a number of bytes, dwords one of dwords.
func bytes[T ~uint32 | ~uint64](n T) string { return fmt.Sprintf("%d B", n) }

func dwords[T ~uint16 | ~uint64](n T) string {
	return fmt.Sprintf("%d dw (%d B)", n, uint64(n)*4)
}

// compare returns the first difference of two events of one kind, nil when there
// is none. What one side does not know is not compared, nor what only follows
// from an earlier difference in the context.
func (t *Taps) compare(c *context, a, b *event) *difference {
	targets := a.slotsKnown && b.slotsKnown && !c.muted
	if a.draw == nil {
		if targets {
			return t.compareSet(a, b)
		}
		return nil
	}
	if a.shaderKnown && b.shaderKnown {
		if d := compareShaders(a.shader, b.shader); d != nil {
			return d
		}
	}
	if targets {
		if d := t.compareSlots(a, b); d != nil {
			return d
		}
		if d := t.compareFills(a, b); d != nil {
			return d
		}
	}
	if d := t.compareAuto(&a.auto, &b.auto); d != nil {
		return d
	}
	return t.compareDraws(a.draw, b.draw)
}

// compareShaders compares what two shaders capture. None, and one without
// outputs, capture nothing.
func compareShaders(a, b *state.Shader) *difference {
	var none pipe.StreamOutputInfo
	infoA, infoB := &none, &none
	if a != nil {
		infoA = &a.Info
	}
	if b != nil {
		infoB = &b.Info
	}
	if d := compareInfos(infoA, infoB); d != nil {
		return d
	}
	if infoA.NumOutputs > 0 && a.Stage != b.Stage {
		return differ(RuleInfoLost, "stage", a.Stage, b.Stage)
	}
	return nil
}

func compareInfos(a, b *pipe.StreamOutputInfo) *difference {
	path, above, below := a.Difference(b)
	if path == "" {
		return nil
	}
	return differ(RuleInfoLost, "stream_output."+path, above, below)
}

func (t *Taps) compareSet(a, b *event) *difference {
	if d := t.compareSlots(a, b); d != nil {
		return d
	}
	for i := range a.slots {
		if p, q := &a.slots[i], &b.slots[i]; p.handle != 0 && p.offset != q.offset {
			return differ(RuleTargetsLost, fmt.Sprintf("offsets[%d]", i), offset(p.offset), offset(q.offset))
		}
	}
	if a.prim != b.prim && a.prim != pipe.PrimitiveUnknown && b.prim != pipe.PrimitiveUnknown {
		return differ(RuleTargetsLost, "output_prim", a.prim, b.prim)
	}
	return nil
}

func offset(n uint32) string {
	if n == pipe.AppendOffset {
		return "append"
	}
	return bytes(n)
}

// compareSlots compares which ranges of which buffers are bound.
func (t *Taps) compareSlots(a, b *event) *difference {
	for i := range a.slots {
		p, q := &a.slots[i], &b.slots[i]
		path := fmt.Sprintf("targets[%d]", i)
		switch {
		case (p.handle == 0) != (q.handle == 0):
			return differ(RuleTargetsLost, path, describe(p), describe(q))
		case p.target == nil || q.target == nil:
			continue
		case p.target.Offset != q.target.Offset:
			return differ(RuleTargetsLost, path+".buffer_offset", bytes(p.target.Offset), bytes(q.target.Offset))
		case p.target.Size != q.target.Size:
			return differ(RuleTargetsLost, path+".buffer_size", bytes(p.target.Size), bytes(q.target.Size))
		case !t.sameResource(p.target.Resource, q.target.Resource):
			return differ(RuleTargetsLost, path+".buffer", p.target.Resource, q.target.Resource)
		}
	}
	return nil
}

// compareFills compares where the next draw goes on. It is not compared when
// both sides do not know; one that knows alone was set anew.
func (t *Taps) compareFills(a, b *event) *difference {
	for i := range a.slots {
		p, q := &a.slots[i], &b.slots[i]
		if p.target != nil && q.target != nil && !t.astray[p.target.Serial] && !sameFill(p.fill, q.fill) {
			return differ(RuleTargetsLost, fmt.Sprintf("offsets[%d]", i), "going on at "+filled(p.fill), "at "+filled(q.fill))
		}
	}
	return nil
}

func sameFill(a, b state.Fill) bool { return a == b || !a.Known && !b.Known }

func filled(f state.Fill) string {
	if !f.Known {
		return "an unknown number of B"
	}
	return bytes(f.Bytes)
}

func describe(s *slot) string {
	switch {
	case s.handle == 0:
		return "NULL"
	case s.target == nil:
		return "an unknown target"
	}
	return fmt.Sprintf("%d B at %d B of a buffer", s.target.Size, s.target.Offset)
}

func (t *Taps) compareDraws(a, b pipe.Call) *difference {
	switch x := a.(type) {
	case *pipe.Draw:
		if y, ok := b.(*pipe.Draw); ok {
			return t.compareDraw(x, y)
		}
	case *pipe.DrawVertexState:
		if y, ok := b.(*pipe.DrawVertexState); ok {
			if x.Mode != y.Mode {
				return differ(RuleDrawLost, "info.mode", x.Mode, y.Mode)
			}
			return compareRanges(x.Draws, y.Draws, true)
		}
	}
	// A layer may turn one kind of draw into the other.
	return nil
}

func (t *Taps) compareDraw(a, b *pipe.Draw) *difference {
	indexed := a.Info.IndexSize != 0
	for _, f := range []struct {
		path string
		a, b any
	}{
		{"info.mode", a.Info.Mode, b.Info.Mode},
		{"info.index_size", a.Info.IndexSize, b.Info.IndexSize},
		{"info.start_instance", a.Info.StartInstance, b.Info.StartInstance},
		{"info.instance_count", a.Info.InstanceCount, b.Info.InstanceCount},
		{"info.vertices_per_patch", a.Info.VerticesPerPatch, b.Info.VerticesPerPatch},
		{"info.primitive_restart", indexed && a.Info.PrimitiveRestart, indexed && b.Info.PrimitiveRestart},
		{"drawid_offset", a.DrawIDOffset, b.DrawIDOffset},
	} {
		if f.a != f.b {
			return differ(RuleDrawLost, f.path, f.a, f.b)
		}
	}
	if indexed && a.Info.PrimitiveRestart && a.Info.RestartIndex != b.Info.RestartIndex {
		return differ(RuleDrawLost, "info.restart_index", a.Info.RestartIndex, b.Info.RestartIndex)
	}
	// Indices in the application's memory may be copied into a buffer on the way.
	if indexed && !a.Info.HasUserIndices && !b.Info.HasUserIndices && !t.sameResource(a.Info.Index, b.Info.Index) {
		return differ(RuleDrawLost, "info.index", a.Info.Index, b.Info.Index)
	}
	if d := t.compareIndirect(a.Indirect, b.Indirect); d != nil {
		return d
	}
	return compareRanges(a.Draws, b.Draws, indexed)
}

func (t *Taps) compareIndirect(a, b *pipe.DrawIndirect) *difference {
	var none pipe.DrawIndirect
	if a == nil {
		a = &none
	}
	if b == nil {
		b = &none
	}
	switch {
	case !t.sameResource(a.Buffer, b.Buffer):
		return differ(RuleDrawLost, "indirect.buffer", a.Buffer, b.Buffer)
	case !t.sameResource(a.Count, b.Count):
		return differ(RuleDrawLost, "indirect.indirect_draw_count", a.Count, b.Count)
	case a.Buffer == 0:
		return nil
	case a.Offset != b.Offset:
		return differ(RuleDrawLost, "indirect.offset", bytes(a.Offset), bytes(b.Offset))
	case a.Stride != b.Stride:
		return differ(RuleDrawLost, "indirect.stride", bytes(a.Stride), bytes(b.Stride))
	case a.DrawCount != b.DrawCount:
		return differ(RuleDrawLost, "indirect.draw_count", a.DrawCount, b.DrawCount)
	case a.Count != 0 && a.CountOffset != b.CountOffset:
		return differ(RuleDrawLost, "indirect.indirect_draw_count_offset", bytes(a.CountOffset), bytes(b.CountOffset))
	}
	return nil
}

// compareAuto compares the targets that draw-auto takes its count from.
func (t *Taps) compareAuto(a, b *slot) *difference {
	const path = "indirect.count_from_stream_output"
	p, q := a.target, b.target
	switch {
	case (a.handle == 0) != (b.handle == 0):
		return differ(RuleDrawLost, path, describe(a), describe(b))
	case p == nil || q == nil:
		return nil
	case p.Offset != q.Offset || p.Size != q.Size || !t.sameResource(p.Resource, q.Resource):
		return differ(RuleDrawLost, path, describe(a), describe(b))
	case !t.astray[p.Serial] && !sameFill(a.fill, b.fill):
		return differ(RuleDrawLost, path, describe(a)+" filled with "+filled(a.fill), "with "+filled(b.fill))
	}
	return nil
}

func compareRanges(a, b []pipe.DrawRange, indexed bool) *difference {
	if len(a) != len(b) {
		return differ(RuleDrawLost, "num_draws", len(a), len(b))
	}
	for i, r := range a {
		path := fmt.Sprintf("draws[%d].", i)
		switch s := b[i]; {
		case r.Start != s.Start:
			return differ(RuleDrawLost, path+"start", r.Start, s.Start)
		case r.Count != s.Count:
			return differ(RuleDrawLost, path+"count", r.Count, s.Count)
		case indexed && r.IndexBias != s.IndexBias:
			return differ(RuleDrawLost, path+"index_bias", r.IndexBias, s.IndexBias)
		}
	}
	return nil
}

// sameResource says whether two handles may be one resource. Where the stack
// hands handles through, they must be equal; else each resource above is that
// below which it was first seen as.
func (t *Taps) sameResource(a, b pipe.Handle) bool {
	if a == b || a == 0 || b == 0 {
		return a == b
	}
	if known, ok := t.resources[a]; ok {
		return known == b
	}
	p, q := t.sides[Above].machine.Resource(a), t.sides[Below].machine.Resource(b)
	if p == nil || q == nil {
		return true
	}
	if _, through := t.taken[b]; through {
		return false
	}
	own := t.sides[Below].machine.Resource(a)
	return (own == nil || own.Template != p.Template) && p.Template.Target == q.Template.Target && p.Template.Width == q.Template.Width
}

// learn remembers as which resource another is seen below.
func (t *Taps) learn(a, b *event) {
	for i := range a.slots {
		if p, q := a.slots[i].target, b.slots[i].target; p != nil && q != nil && p.Resource != 0 && q.Resource != 0 {
			t.pair(p.Resource, q.Resource)
		}
	}
}

func (t *Taps) pair(a, b pipe.Handle) {
	if a != b {
		t.resources[a], t.taken[b] = b, a
	}
}
