package main

import (
	"slices"
	"strings"

	"github.com/outflow-gpu/outflow/streamout"
)

// stateRoom makes the screen state that a vertex may have so many dwords in a
// buffer.
func (r *recorded) stateRoom(dwords string) {
	r.states("PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS", dwords)
}

// statesNothing leaves out what the screen says of its limits, as Mesa does from
// 25 on, so that those of the profile hold.
func (r *recorded) statesNothing() {
	r.calls = slices.DeleteFunc(r.calls, func(c string) bool { return strings.Contains(c, "method='get_param'") })
}

// floats captures n components of the vectors of registers, so many dwords apart
// and from two registers in turn, so that no two could be one output.
func floats(n, buffer, apart int) []captured {
	var outputs []captured
	for i := range n {
		outputs = append(outputs, captured{4 + i/8*2 + i%2, i % 8 / 2, 1, buffer, i * apart, 0})
	}
	return outputs
}

// vectors captures n vectors of registers from the first on, without a gap.
func vectors(first, n, buffer int) []captured {
	var outputs []captured
	for i := range n {
		outputs = append(outputs, captured{first + i, 0, 4, buffer, i * 4, 0})
	}
	return outputs
}

// errorFor is a plant without a driver, of the severity that it has, and with
// each of the drivers, for which it is an error.
func errorFor(drivers string, p plant) []plant {
	all := []plant{p}
	for _, driver := range strings.Fields(drivers) {
		own := p
		own.name, own.driver, own.as = p.name+" for "+driver, driver, streamout.Error
		all = append(all, own)
	}
	return all
}

// profilePlants are of a size that only some drivers cannot take.
func profilePlants() []plant {
	const note, warning = streamout.Note, streamout.Warning
	return slices.Concat(
		errorFor("r600", plant{name: "81 outputs", trace: registers, edit: func(r *recorded) {
			r.stateRoom("128")
			r.captures(vs, 0, [4]int{81}, floats(81, 0, 1)...)
		}, rule: "so-num-outputs-r600", as: warning}),
		errorFor("virgl", plant{name: "64 outputs", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{64}, floats(64, 0, 1)...)
		}, rule: "so-num-outputs-virgl", as: warning}),
		errorFor("svga-dx10 d3d10", plant{name: "65 entries", trace: registers, edit: func(r *recorded) {
			r.spread(2)
			r.captures(vs, 0, [4]int{62, 6}, append(floats(62, 0, 1), captured{20, 0, 1, 1, 5, 0})...)
		}, rule: "so-num-outputs-dx10", as: warning}),
		errorFor("nvc0 nv50", plant{name: "an end at 129 dwords", trace: registers, edit: func(r *recorded) {
			r.stateRoom("256")
			r.captures(vs, 0, [4]int{129}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 125, 0})
		}, rule: "so-dst-offset-limit", as: warning}),
		errorFor("d3d vulkan", plant{name: "129 components of a vertex", trace: registers, edit: func(r *recorded) {
			r.spread(3)
			r.captures(vs, 0, [4]int{64, 64, 1}, append(append(vectors(4, 16, 0), vectors(20, 16, 1)...), captured{2, 0, 1, 2, 0, 0})...)
		}, rule: "so-stream-data-size", as: warning}),
		errorFor("nv50", plant{name: "a lone stride of 2048 bytes", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{512}, vectors(4, 16, 0)...)
		}, rule: "so-stride-nv50", as: note}),
		errorFor("d3d", plant{name: "a stride of 513 dwords", trace: separate, edit: func(r *recorded) {
			r.elem(vs, 0, "stride", 2, "<uint>513</uint>")
			r.enlarge([4]int{4, 2, 513})
		}, rule: "so-stride-limit", as: warning}),
		errorFor("virgl", plant{name: "161 names", trace: overflow, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{317, 318}, captured{1, 2, 1, 0, 0, 0}, captured{1, 0, 2, 1, 0, 0})
		}, rule: "so-virgl-varyings-budget", as: warning}),
		arrayPlants(), limitPlants())
}

// arrayPlants overrun the arrays of one driver.
func arrayPlants() []plant {
	return []plant{
		{name: "129 dwords from the first to the last", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{129}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 125, 0})
		}, rule: "so-write-window", driver: "d3d"},
		{name: "129 dwords of the map of nv50", trace: registers, edit: func(r *recorded) {
			r.spread(3)
			r.captures(vs, 0, [4]int{64, 61, 1}, append(append(vectors(4, 16, 0), vectors(20, 15, 1)...),
				captured{2, 0, 1, 1, 60, 0}, captured{2, 1, 1, 2, 0, 0})...)
		}, rule: "so-nv50-map", driver: "nv50"},
		{name: "513 dwords of slots of v3d", trace: registers, edit: func(r *recorded) {
			r.spread(4)
			r.captures(vs, 0, [4]int{128, 128, 128, 129}, captured{4, 0, 4, 0, 124, 0}, captured{5, 0, 4, 1, 124, 0},
				captured{6, 0, 4, 2, 124, 0}, captured{7, 0, 4, 3, 125, 0})
		}, rule: "so-v3d-slots", driver: "v3d"},
		{name: "a gap of 256 dwords", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{264}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 260, 0})
		}, rule: "so-gap-byte", driver: "d3d12"},
		{name: "129 entries of a stream", trace: registers, edit: func(r *recorded) { r.captures(vs, 0, [4]int{129}, floats(65, 0, 2)...) },
			rule: "so-gap-budget", driver: "iris"},
		{name: "129 entries of a stream, on older hardware", trace: registers, edit: func(r *recorded) { r.captures(vs, 0, [4]int{129}, floats(65, 0, 2)...) },
			rule: "so-gap-budget", driver: "crocus"},
		{name: "129 entries of a root signature", trace: registers, edit: func(r *recorded) { r.captures(vs, 0, [4]int{129}, floats(65, 0, 2)...) },
			rule: "so-gap-budget", driver: "d3d12"},
		{name: "516 entries of svga", trace: registers, edit: func(r *recorded) {
			r.spread(4)
			var outputs []captured
			for b := range 4 {
				outputs = append(outputs, captured{4 + 2*b, 0, 1, b, 0, 0}, captured{5 + 2*b, 0, 4, b, 508, 0})
			}
			r.captures(vs, 0, [4]int{512, 512, 512, 512}, outputs...)
		}, rule: "so-gap-budget", driver: "svga"},
		{name: "17 runs of v3d", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{257}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 253, 0})
		}, rule: "so-gap-budget", driver: "v3d"},
		{name: "a gap that v3d fills", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{9}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 5, 0})
		}, rule: "so-gap-clobbered", driver: "v3d"},
		{name: "padding that nv50 forgets", trace: separate, edit: func(r *recorded) {
			r.elem(vs, 0, "stride", 1, "<uint>3</uint>")
			r.enlarge([4]int{4, 3, 1})
		}, rule: "so-trailing-gap", driver: "nv50"},
		{name: "a gap for Direct3D 10", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{9}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 5, 0})
		}, rule: "so-gap", driver: "svga-dx10"},
		{name: "a gap in front for Direct3D 10", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{5}, captured{4, 0, 4, 0, 1, 0})
		}, rule: "so-leading-gap", driver: "svga-dx10"},
		{name: "back to the first buffer on a virtual GPU", trace: overflow, edit: backToFirst, rule: "so-buffers-interleaved-order", driver: "virgl"},
		{name: "three components of r600", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{3}, captured{4, 0, 3, 0, 0, 0})
		}, rule: "so-3comp", driver: "r600"},
		{name: "a component that r600 moves", trace: registers, edit: func(r *recorded) {
			r.captures(vs, 0, [4]int{2}, captured{4, 2, 2, 0, 0, 0})
		}, rule: "so-dst-lt-start", driver: "r600"},
		{name: "strides that do not reach the host", trace: pause, edit: func(r *recorded) {
			r.insert(vs, 0, r.calls[r.find(vs, 0)])
			r.streamOutput(vs, 0, infoText([4]int{4, 8}, nil))
		}, rule: "so-virgl-strides-drop", driver: "virgl"},
	}
}

// limitPlants break a limit that a driver answers when it is asked.
func limitPlants() []plant {
	beyond := func(rule, name, driver, trace string, edit func(r *recorded)) plant {
		return plant{name: name + " for " + driver, trace: trace, rule: rule, driver: driver, edit: func(r *recorded) {
			r.statesNothing()
			edit(r)
		}}
	}
	none := beyond("so-cap-buffers", "any stream output", "etnaviv", separate, func(*recorded) {})
	none.also = "so-bind-cap-none so-target-create-cap"
	second := beyond("so-cap-buffers", "a second buffer", "vulkan", separate, func(*recorded) {})
	second.also = "so-set-num-targets"
	all := []plant{none, second}
	for _, driver := range []string{"nv50", "v3d", "panfrost", "asahi", "freedreno-a5xx", "crocus-gen6"} {
		all = append(all, beyond("so-cap-streams", "streams", driver, streams, func(*recorded) {}))
	}
	for _, driver := range []string{"nv50", "v3d", "d3d10", "gles"} {
		all = append(all, beyond("so-cap-separate", "an array beside a vector", driver, registers, func(r *recorded) {
			r.spread(2)
			r.captures(vs, 0, [4]int{8, 4}, append(vectors(4, 2, 0), captured{0, 0, 4, 1, 0, 0})...)
		}), beyond("so-cap-interleave-buffers", "two varyings beside a third", driver, registers, func(r *recorded) {
			r.spread(2)
			r.captures(vs, 0, [4]int{5, 4}, captured{4, 0, 4, 0, 0, 0}, captured{1, 0, 1, 0, 4, 0}, captured{0, 0, 4, 1, 0, 0})
		}))
	}
	for _, driver := range []string{"llvmpipe", "nv50", "iris", "v3d", "virgl", "d3d10"} {
		all = append(all, beyond("so-cap-interleaved", "68 components in a buffer", driver, registers, func(r *recorded) {
			r.captures(vs, 0, [4]int{68}, vectors(4, 17, 0)...)
		}))
	}
	return append(all, beyond("so-cap-interleaved", "an end at 132 dwords", "panfrost", registers, func(r *recorded) {
		r.captures(vs, 0, [4]int{132}, captured{4, 0, 4, 0, 0, 0}, captured{5, 0, 4, 0, 128, 0})
	}))
}

// backToFirst lists an output of buffer 0 behind one of buffer 1.
func backToFirst(r *recorded) {
	r.streamOutput(vs, 0, infoText([4]int{1, 2}, []captured{{1, 0, 2, 1, 0, 0}, {1, 2, 1, 0, 0, 0}}))
}
