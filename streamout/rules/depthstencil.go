package rules

import (
	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
)

// depthStencil is about depth/stencil/alpha states, which decide beside stream
// output what a draw leaves behind.
func depthStencil() []*streamout.Rule {
	return []*streamout.Rule{dsFutileWrites()}
}

func dsFutileWrites() *streamout.Rule {
	return &streamout.Rule{
		ID:       "ds-futile-writes",
		Title:    "depth or stencil writes that can never change anything",
		Severity: streamout.Note,
		Condition: "a state is made with depth or stencil writes on, and no fragment can pass its tests and change a value, " +
			"whatever is bound",
		Why: "the writes look wanted and cost a state of their own; `outflow depthstencil` tells why each is futile, and what " +
			"the smallest state is that does the same",
		Fix:     "turn the writes off, or mend the function that makes them futile",
		Sources: []string{"src/gallium/include/pipe/p_state.h: struct pipe_depth_stencil_alpha_state"},
		On:      streamout.OnCreateState,
		Check: func(v *streamout.View) {
			create, ok := v.Op.Call.(*pipe.CreateDepthStencilAlpha)
			if !ok {
				return
			}
			asked := cso.DepthStencilState{DepthStencilAlphaState: create.State}
			context := cso.AnyDepthStencilContext()
			made, err := cso.SanitiseDepthStencil(&asked, &context)
			if err != nil {
				return // functions that no Gallium has: nothing is known of them
			}
			depth, stencil := made.FutileWrites(&asked)
			if depth {
				v.Report("state.depth_writemask", "depth writes are on, but with depth_func %v none can change a value", asked.DepthFunc)
			}
			if stencil {
				v.Report("state.stencil", "stencil operations are set, but none can ever change a value")
			}
		},
		Bad:  play(func(s *scene) { s.depth(pipe.CompareNever) }),
		Good: play(func(s *scene) { s.depth(pipe.CompareLess) }),
	}
}

// depth makes a state that tests depth and writes it.
func (s *scene) depth(f pipe.CompareFunc) {
	s.do(&pipe.CreateDepthStencilAlpha{State: pipe.DepthStencilAlphaState{DepthEnabled: true, DepthWriteMask: true, DepthFunc: f}})
}
