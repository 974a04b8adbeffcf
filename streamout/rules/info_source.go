package rules

import (
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
	"github.com/outflow-gpu/outflow/streamout"
)

func soDuplicateSource() *streamout.Rule {
	return &streamout.Rule{
		ID:        "so-duplicate-source",
		Title:     "a component that is captured twice",
		Severity:  streamout.Warning,
		Drivers:   on(streamout.Error, "d3d"),
		Condition: "two outputs of one stream read the same component of a register; a note when they go to different buffers",
		Why: "D3D forbids it, into one buffer and into several; freedreno once found an output by its register and mixed the two up. " +
			"GL says it by naming an array and an element of it; in one buffer a register is more likely to be a mistake",
		Fix:     "capture the component once, or mend the register",
		Sources: []string{"D3D11.3 functional specification, 14.1 and 14.3", "Mesa 7e998783db8: freedreno"},
		On:      streamout.OnCreateShader,
		Check: func(v *streamout.View) {
			for k := range v.Info.Outputs {
				o := &v.Info.Outputs[k]
				p := sameSource(v, k)
				if p == nil || o.Overlaps(p) || runsOver(v, o, p.Mask()) || runsOver(v, p, o.Mask()) {
					continue // there are too many components in one
				}
				if !isD3D(v) && unwritten(v.Info.Text, o) != 0 {
					continue // so-component-not-written
				}
				const words = "output %d reads %s of register %d, so does output %d"
				path, shared := outputPath(k, "register_index"), lettersOf(o.Mask()&p.Mask())
				var f *streamout.Draft
				if p.OutputBuffer == o.OutputBuffer || isD3D(v) {
					f = v.Report(path, words, k, shared, o.RegisterIndex, p.Index)
				} else {
					f = v.ReportAs(streamout.Note, path, words, k, shared, o.RegisterIndex, p.Index)
				}
				f.AtOutput(k).OnStream(int(min(o.Stream, pipe.MaxVertexStreams)))
			}
		},
		Bad:  play(func(s *scene) { s.vs(strides{6}, out(0, 0, 4, 0, 0, 0), out(0, 1, 2, 0, 4, 0)) }),
		Good: play(func(s *scene) { s.vs(strides{4}, out(0, 0, 2, 0, 0, 0), out(0, 2, 2, 0, 2, 0)) }),
	}
}

// runsOver says whether an error has told that an output ends behind the stride,
// and of its components only those that do are in the mask.
func runsOver(v *streamout.View, o *streamout.InfoOutput, mask uint8) bool {
	if !tooFar(v, o) {
		return false
	}
	over := o.End() - v.Info.Stride[o.OutputBuffer]
	return over < o.NumComponents && mask&shader.ComponentMask(int(o.StartComponent), int(o.NumComponents-over)) == 0
}

// isD3D says whether the run is checked for Direct3D.
func isD3D(v *streamout.View) bool { return chosen(v, "d3d") }

// sameSource returns the output before the kth that shares a component of the
// register with it, one in the same buffer before others. One that was told of,
// or that captures what is not written, has the wrong register, not the kth.
func sameSource(v *streamout.View, k int) (other *streamout.InfoOutput) {
	o := &v.Info.Outputs[k]
	for i := range v.Info.Outputs[:k] {
		p := &v.Info.Outputs[i]
		if p.RegisterIndex != o.RegisterIndex || p.Stream != o.Stream || p.Mask()&o.Mask() == 0 || !isD3D(v) && unwritten(v.Info.Text, p) != 0 ||
			toldOf(v, i, "register_index", "so-duplicate-source") {
			continue
		}
		if p.OutputBuffer == o.OutputBuffer {
			return p
		}
		if other == nil {
			other = p
		}
	}
	return other
}
