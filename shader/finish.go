package shader

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/outflow-gpu/outflow/pipe"
)

// finish sorts the outputs and turns what was never seen into No where the text
// was read far enough: declared for the outputs, stores for what is written,
// resources for the slots.
func (o *Outputs) finish(declared, stores, resources bool) {
	slices.SortStableFunc(o.List, func(a, b Output) int {
		return cmp.Or(cmp.Compare(a.DriverLocation, b.DriverLocation),
			cmp.Compare(bits.TrailingZeros8(a.Declared), bits.TrailingZeros8(b.Declared)))
	})
	o.declared, o.stores = declared, stores
	o.numbered = true
	o.emits = stores && o.Stage == pipe.Geometry
	for _, set := range []*Slots{&o.Resources.ConstantBuffers, &o.Resources.StorageBuffers, &o.Resources.Images, &o.Resources.SamplerViews, &o.Resources.VertexInputs} {
		set.complete = resources && !set.open
	}
	if o.Stage != pipe.Vertex && resources {
		o.Resources.VertexInputs = Slots{complete: true}
	}
	if !stores {
		return
	}
	for _, a := range []*Answer{&o.Discards, &o.WritesDepth, &o.SideEffects} {
		if *a == Unknown {
			*a = No
		}
	}
}
