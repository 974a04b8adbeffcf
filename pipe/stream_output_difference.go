package pipe

import "fmt"

// Difference names the first member in which two infos capture differently, as
// "output[1].dst_offset", and spells what it is in each, with its unit. All are
// empty when the infos are Equal.
func (i *StreamOutputInfo) Difference(j *StreamOutputInfo) (path, inI, inJ string) {
	switch {
	case i.Equal(j):
		return "", "", ""
	case i.NumOutputs != j.NumOutputs:
		return "num_outputs", fmt.Sprint(i.NumOutputs), fmt.Sprint(j.NumOutputs)
	}
	for b := range i.Stride {
		if i.Stride[b] != j.Stride[b] {
			return fmt.Sprintf("stride[%d]", b), spellDwords(uint64(i.Stride[b])), spellDwords(uint64(j.Stride[b]))
		}
	}
	outputs := j.Outputs()
	for k, o := range i.Outputs() {
		if o != outputs[k] {
			member, inI, inJ := o.difference(outputs[k])
			return fmt.Sprintf("output[%d].%s", k, member), inI, inJ
		}
	}
	return "", "", ""
}

// difference is Difference for two words that are not equal.
func (o StreamOutput) difference(p StreamOutput) (member, inO, inP string) {
	m, n := o.Numbers(), p.Numbers()
	for _, f := range []struct {
		member string
		m, n   uint64
	}{
		{"register_index", m.RegisterIndex, n.RegisterIndex},
		{"start_component", m.StartComponent, n.StartComponent},
		{"num_components", m.NumComponents, n.NumComponents},
		{"output_buffer", m.OutputBuffer, n.OutputBuffer},
		{"stream", m.Stream, n.Stream},
	} {
		if f.m != f.n {
			return f.member, fmt.Sprint(f.m), fmt.Sprint(f.n)
		}
	}
	if m.DstOffset != n.DstOffset {
		return "dst_offset", spellDwords(m.DstOffset), spellDwords(n.DstOffset)
	}
	// Masks with a hole may differ where their first and number of components do not.
	return "register_mask", fmt.Sprintf("%04b", o.Mask()), fmt.Sprintf("%04b", p.Mask())
}

func spellDwords(n uint64) string { return fmt.Sprintf("%d dw (%d B)", n, 4*n) }
