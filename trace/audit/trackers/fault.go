package trackers

import (
	"fmt"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// Fault is one thing that is done wrong.
type Fault struct {
	Name string
	// Rule and Path are what the taps call it by: the rule's id, and the member
	// that is first seen to be wrong.
	Rule, Path string

	conduct conduct
	spoil   func(*pipe.Op) (drop bool)
}

// Layer returns a layer that does the fault to what passes. It changes what is
// sent below and leaves the sender's memory alone.
func (f *Fault) Layer(below pipe.Driver) pipe.Driver {
	return pipe.DriverFunc(func(op *pipe.Op) error {
		sent := *op
		if f.spoil(&sent) {
			op.Ret = pipe.Result{Known: true}
			return nil
		}
		err := below.Do(&sent)
		op.Ret = sent.Ret
		return err
	})
}

// tailPath is the first output that a Scene does not use.
const tailPath = "stream_output.output[4]"

// fields are the members of an output, each with a change that leaves the others.
var fields = []struct {
	name   string
	change func(*pipe.OutputNumbers)
}{
	{"register_index", func(n *pipe.OutputNumbers) { n.RegisterIndex += 3 }},
	{"start_component", func(n *pipe.OutputNumbers) { n.StartComponent++ }},
	{"num_components", func(n *pipe.OutputNumbers) { n.NumComponents++ }},
	{"output_buffer", func(n *pipe.OutputNumbers) { n.OutputBuffer ^= 1 }},
	{"dst_offset", func(n *pipe.OutputNumbers) { n.DstOffset++ }},
	{"stream", func(n *pipe.OutputNumbers) { n.Stream++ }},
}

// change changes a field of an output of an info.
func change(info *pipe.StreamOutputInfo, output int, field func(*pipe.OutputNumbers)) {
	n := info.Output[output].Numbers()
	field(&n)
	info.Output[output], _ = n.Pack()
}

// LossFaults lose or change a member on the way through a layer: of infos with
// outputs, of targets and where they go on, of draws.
func LossFaults() []*Fault {
	faults := []*Fault{
		ofInfos("num_outputs", "so-info-lost", func(i *pipe.StreamOutputInfo) { i.NumOutputs--; i.Output[i.NumOutputs] = 0 }),
		ofInfos("the whole info", "so-info-lost", func(i *pipe.StreamOutputInfo) { *i = pipe.StreamOutputInfo{} }),
	}
	faults[1].Path = "stream_output.num_outputs"
	for b := range pipe.MaxStreamOutputBuffers {
		faults = append(faults, ofInfos(fmt.Sprintf("stride[%d]", b), "so-info-lost", func(i *pipe.StreamOutputInfo) { i.Stride[b] += 5 }))
	}
	for k := range pipe.MaxStreamOutputBuffers {
		for _, f := range fields {
			faults = append(faults, ofInfos(fmt.Sprintf("output[%d].%s", k, f.name), "so-info-lost",
				func(i *pipe.StreamOutputInfo) { change(i, k, f.change) }))
		}
	}
	for _, k := range []int{pipe.MaxStreamOutputBuffers, pipe.MaxStreamOutputs - 1} {
		faults = append(faults, ofInfos(fmt.Sprintf("output[%d]", k), "so-tail-not-zero", func(i *pipe.StreamOutputInfo) { i.Output[k] = i.Output[0] }))
	}
	faults = append(faults, targetFaults()...)
	return append(faults, drawFaults()...)
}

// ofInfos is a fault of the infos that have outputs.
func ofInfos(member, rule string, spoil func(*pipe.StreamOutputInfo)) *Fault {
	return &Fault{Name: member + " changes on the way", Rule: rule, Path: "stream_output." + member, spoil: func(op *pipe.Op) bool {
		if c, ok := op.Call.(*pipe.CreateShader); ok && c.State.StreamOutput.NumOutputs > 0 {
			create := *c
			spoil(&create.State.StreamOutput)
			op.Call = &create
		}
		return false
	}}
}

func targetFaults() []*Fault {
	var faults []*Fault
	for _, m := range []struct {
		path  string
		spoil func(*pipe.CreateStreamOutputTarget)
	}{
		{"targets[0].buffer_offset", func(c *pipe.CreateStreamOutputTarget) { c.BufferOffset += 16; c.BufferSize -= 16 }},
		{"targets[0].buffer_size", func(c *pipe.CreateStreamOutputTarget) { c.BufferSize /= 2 }},
	} {
		faults = append(faults, &Fault{Name: m.path + " changes on the way", Rule: "so-targets-lost", Path: m.path, spoil: func(op *pipe.Op) bool {
			if c, ok := op.Call.(*pipe.CreateStreamOutputTarget); ok {
				create := *c
				m.spoil(&create)
				op.Call = &create
			}
			return false
		}})
	}
	for _, m := range []struct {
		name, path string
		spoil      func(*pipe.SetStreamOutputTargets) (drop bool)
	}{
		{"no target is bound", "targets[0]", func(s *pipe.SetStreamOutputTargets) bool { *s = pipe.SetStreamOutputTargets{}; return false }},
		{"the last target is not bound", "targets[3]", func(s *pipe.SetStreamOutputTargets) bool {
			s.NumTargets, s.Targets, s.Offsets = 3, s.Targets[:3], s.Offsets[:3]
			return false
		}},
		{"the targets are exchanged", "targets[0].buffer_size", func(s *pipe.SetStreamOutputTargets) bool {
			s.Targets = exchanged(s.Targets)
			return false
		}},
		{"offsets[0] changes on the way", "offsets[0]", func(s *pipe.SetStreamOutputTargets) bool {
			if s.Offsets[0] != pipe.AppendOffset {
				s.Offsets = slices.Clone(s.Offsets)
				s.Offsets[0] += 64
			}
			return false
		}},
		{"append becomes 0", "offsets[0]", func(s *pipe.SetStreamOutputTargets) bool { s.Offsets = make([]uint32, len(s.Offsets)); return false }},
		{"offset 0 becomes append", "offsets[0]", func(s *pipe.SetStreamOutputTargets) bool {
			s.Offsets = slices.Repeat([]uint32{pipe.AppendOffset}, len(s.Offsets))
			return false
		}},
		{"the set is dropped", "set_stream_output_targets", func(*pipe.SetStreamOutputTargets) bool { return true }},
	} {
		faults = append(faults, ofSets(m.name, m.path, m.spoil))
	}
	return faults
}

// exchanged returns the targets with the first two exchanged.
func exchanged(targets []pipe.Handle) []pipe.Handle {
	targets = slices.Clone(targets)
	if len(targets) > 1 {
		targets[0], targets[1] = targets[1], targets[0]
	}
	return targets
}

// ofSets is a fault of the sets that bind targets.
func ofSets(name, path string, spoil func(*pipe.SetStreamOutputTargets) (drop bool)) *Fault {
	return &Fault{Name: name, Rule: "so-targets-lost", Path: path, spoil: func(op *pipe.Op) bool {
		s, ok := op.Call.(*pipe.SetStreamOutputTargets)
		if !ok || s.NumTargets == 0 {
			return false
		}
		set := *s
		op.Call = &set
		return spoil(&set)
	}}
}

func drawFaults() []*Fault {
	var faults []*Fault
	for _, m := range []struct {
		path  string
		spoil func(*pipe.Draw) (drop bool)
	}{
		{"info.mode", func(d *pipe.Draw) bool { d.Info.Mode = pipe.Points; return false }},
		{"info.instance_count", func(d *pipe.Draw) bool { d.Info.InstanceCount++; return false }},
		{"info.start_instance", func(d *pipe.Draw) bool { d.Info.StartInstance++; return false }},
		{"drawid_offset", func(d *pipe.Draw) bool { d.DrawIDOffset++; return false }},
		{"draws[0].start", func(d *pipe.Draw) bool { d.Draws = []pipe.DrawRange{{Start: 1, Count: d.Draws[0].Count}}; return false }},
		{"draws[0].count", func(d *pipe.Draw) bool { d.Draws = []pipe.DrawRange{{Count: 12}}; return false }},
		{"num_draws", func(d *pipe.Draw) bool { d.Draws = append(d.Draws[:1:1], d.Draws[0]); d.NumDraws = 2; return false }},
		{"draw_vbo", func(*pipe.Draw) bool { return true }},
	} {
		// Only draws of 9 vertices: what a utility draws is its own.
		faults = append(faults, &Fault{Name: m.path + " changes on the way", Rule: "so-draw-lost", Path: m.path, spoil: func(op *pipe.Op) bool {
			d, ok := op.Call.(*pipe.Draw)
			if !ok || d.Draws[0].Count != 9 {
				return false
			}
			draw := *d
			op.Call = &draw
			return m.spoil(&draw)
		}})
	}
	return faults
}

// ZeroingFaults leave a member of an earlier info in one that should be zero: in
// the shaders without outputs that pass a layer. Utilities have them too, see
// UtilityFaults.
func ZeroingFaults() []*Fault {
	var faults []*Fault
	for _, stage := range []pipe.Stage{pipe.Vertex, pipe.Fragment} {
		for _, m := range staleMembers() {
			if stage == pipe.Vertex && m.whole {
				continue // legal: a vertex shader may capture
			}
			faults = append(faults, &Fault{Name: fmt.Sprintf("%s of a %v shader is not zeroed", m.name, stage), Rule: m.rule, Path: m.path,
				spoil: func(op *pipe.Op) bool {
					c, ok := op.Call.(*pipe.CreateShader)
					if ok && c.Stage == stage && c.State.StreamOutput.NumOutputs == 0 {
						create, stale := *c, Captured()
						m.leave(&create.State.StreamOutput, &stale)
						op.Call = &create
					}
					return false
				}})
		}
	}
	return faults
}

// UtilityFaults are what a utility may do wrong: leave a member of an earlier info
// in its own, forget to restore, or draw while targets are bound.
func UtilityFaults() []*Fault {
	var faults []*Fault
	for _, m := range staleMembers() {
		if !m.whole {
			faults = append(faults, &Fault{Name: m.name + " is not zeroed", Rule: m.rule, Path: m.path, conduct: conduct{leave: m.leave}})
		}
	}
	restore := func(name, rule, path string, how conduct) {
		faults = append(faults, &Fault{Name: name, Rule: rule, Path: path, conduct: how})
	}
	restore("targets are not restored", "so-targets-lost", "targets[0]", conduct{forget: func(b *bindings) { b.targets = nil }})
	restore("one target is not restored", "so-targets-lost", "targets[1]", conduct{forget: func(b *bindings) { b.targets = b.targets[:min(1, len(b.targets))] }})
	restore("targets are restored in another order", "so-targets-lost", "targets[0].buffer_size", conduct{forget: func(b *bindings) {
		b.targets = exchanged(b.targets)
	}})
	for slot := range pipe.MaxStreamOutputBuffers {
		restore(fmt.Sprintf("offset %d is 0 instead of append at the restore", slot), "so-targets-lost", fmt.Sprintf("offsets[%d]", slot),
			conduct{offset: func(i int) uint32 {
				if i == slot {
					return 0
				}
				return pipe.AppendOffset
			}})
	}
	restore("the vertex shader is not restored", "so-info-lost", "stream_output.num_outputs", conduct{forget: func(b *bindings) {
		b.states[pipe.ShaderKind(pipe.Vertex)] = 0
	}})
	restore("the geometry shader is not restored", "so-info-lost", "stage", conduct{forget: func(b *bindings) {
		b.states[pipe.ShaderKind(pipe.Geometry)] = 0
	}})
	restore("it draws while targets are bound", "so-draw-added", "targets", conduct{open: true})
	return faults
}

// staleMember is a member that stays of an earlier info.
type staleMember struct {
	name, rule, path string
	leave            func(info, stale *pipe.StreamOutputInfo)
	whole            bool // num_outputs itself
}

// wordFields are the bits of a pipe.StreamOutput that each member lies in. The
// stream of what a Scene captures is 0, which nobody can leave.
var wordFields = []struct {
	name string
	bits pipe.StreamOutput
}{
	{"output_buffer", 3},
	{"register_index", 31<<2 | 7<<29},
	{"register_mask", 15 << 7},
	{"dst_offset", 0xFFFF << 11},
}

func staleMembers() []staleMember {
	const empty = "so-stale-when-empty"
	members := []staleMember{{"num_outputs", "so-wrong-stage", "stream_output.num_outputs",
		func(info, stale *pipe.StreamOutputInfo) { info.NumOutputs = stale.NumOutputs }, true}}
	for b := range pipe.MaxStreamOutputBuffers {
		path := fmt.Sprintf("stream_output.stride[%d]", b)
		members = append(members, staleMember{fmt.Sprintf("stride[%d]", b), empty, path,
			func(info, stale *pipe.StreamOutputInfo) { info.Stride[b] = stale.Stride[b] }, false})
	}
	captured := Captured()
	for k, o := range captured.Outputs() {
		path := fmt.Sprintf("stream_output.output[%d]", k)
		for _, f := range wordFields {
			if o&f.bits != 0 {
				members = append(members, staleMember{fmt.Sprintf("output[%d].%s", k, f.name), empty, path,
					func(info, stale *pipe.StreamOutputInfo) { info.Output[k] = stale.Output[k] & f.bits }, false})
			}
		}
	}
	return append(members, staleMember{"everything but num_outputs", empty, "stream_output.output[0]",
		func(info, stale *pipe.StreamOutputInfo) { *info = *stale; info.NumOutputs = 0 }, false},
		staleMember{"the tail", empty, tailPath, func(info, stale *pipe.StreamOutputInfo) { info.Output[4] = stale.Output[3] }, false})
}
