package main

import "strings"

// legalSizes are the largest that the drivers take whose limits the planted faults
// are one beyond.
func legalSizes() []plant {
	var all []plant
	of := func(drivers, name, trace string, edit func(r *recorded)) {
		for _, driver := range strings.Fields(drivers) {
			all = append(all, plant{name: name + " for " + driver, trace: trace, driver: driver, edit: edit})
		}
	}
	of("r600", "80 outputs", registers, func(r *recorded) {
		r.stateRoom("128")
		r.captures(vs, 0, [4]int{80}, floats(80, 0, 1)...)
	})
	of("virgl", "63 outputs", registers, func(r *recorded) { r.captures(vs, 0, [4]int{63}, floats(63, 0, 1)...) })
	of("svga-dx10 d3d10", "64 outputs", registers, func(r *recorded) { r.captures(vs, 0, [4]int{64}, floats(64, 0, 1)...) })
	of("nvc0 nv50 d3d", "an end at 128 dwords", registers, func(r *recorded) {
		r.stateRoom("128")
		r.captures(vs, 0, [4]int{128}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 124, 0})
	})
	of("d3d vulkan nv50", "128 components of a vertex", registers, func(r *recorded) {
		r.spread(2)
		r.captures(vs, 0, [4]int{64, 64}, append(vectors(4, 16, 0), vectors(20, 16, 1)...)...)
	})
	of("nv50", "a lone stride of 2044 bytes", registers, func(r *recorded) { r.captures(vs, 0, [4]int{511}, vectors(4, 16, 0)...) })
	of("d3d", "a stride of 512 dwords", separate, func(r *recorded) {
		r.elem(vs, 0, "stride", 2, "<uint>512</uint>")
		r.enlarge([4]int{4, 2, 512})
	})
	of("virgl", "160 names", registers, func(r *recorded) {
		r.spread(2)
		r.captures(vs, 0, [4]int{317, 314}, captured{4, 2, 1, 0, 0, 0}, captured{4, 0, 2, 1, 0, 0})
	})
	of("d3d12", "a gap of 255 dwords", registers, func(r *recorded) {
		r.stateRoom("512")
		r.captures(vs, 0, [4]int{263}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 259, 0})
	})
	of("iris crocus d3d12", "64 outputs and 63 gaps", registers, func(r *recorded) {
		r.stateRoom("128")
		r.captures(vs, 0, [4]int{127}, floats(64, 0, 2)...)
	})
	return all
}
