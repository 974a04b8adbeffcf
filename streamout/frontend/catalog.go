package frontend

import (
	"slices"

	"github.com/outflow-gpu/outflow/streamout"
)

// Rules returns the demands of the APIs, in the order in which they count: of
// several broken ones an Error names the first. The three APIs never meet in
// one case.
func Rules() []Rule { return slices.Concat(ruleGL(), ruleD3D(), ruleVulkan()) }

// Of the linker and of glTransformFeedbackVaryings: ARB_transform_feedback3,
// EXT_transform_feedback, ARB_enhanced_layouts, ARB_gpu_shader5.
func ruleGL() []Rule {
	return []Rule{
		{"so-gl-no-stage", streamout.Error, "varyings are listed, but the program has no vertex, tessellation evaluation or geometry shader"},
		{"so-gl-unknown-varying", streamout.Error, "a listed name is no output of the last vertex stage"},
		{"so-gl-duplicate", streamout.Error, "a name is listed twice with the same subscript"},
		{"so-gl-element-and-whole", streamout.Note, "an array and one of its elements are listed"},
		{"so-gl-subscript", streamout.Error, "a subscript is beyond the array, or behind a name that is no array"},
		{"so-gl-special-mode", streamout.Error, "gl_NextBuffer or gl_SkipComponents is listed in separate mode"},
		{"so-gl-next-buffer-count", streamout.Error, "gl_NextBuffer is listed as often as there are buffers, or more often"},
		{"so-gl-empty-buffer", streamout.Note, "gl_NextBuffer makes a buffer that captures no variable"},
		{"so-gl-separate-count", streamout.Error, "more varyings are listed in separate mode than there are buffers"},
		{"so-gl-separate-comps", streamout.Error, "a varying of separate mode has too many components"},
		{"so-gl-interleaved-comps", streamout.Error, "a varying ends behind the last component that a buffer may have"},
		{"so-gl-stream-mix", streamout.Error, "varyings of one buffer come from several streams"},
		{"so-gl-stream-topology", streamout.Error, "an output belongs to a stream above 0 and the shader is no geometry shader that puts out points"},
		{"so-gl-stream-range", streamout.Error, "an output belongs to a stream that does not exist"},
		{"so-gl-alias", streamout.Error, "what two xfb_offset capture overlaps"},
		{"so-gl-offset-align", streamout.Error, "an xfb_offset is no multiple of 4, or of 8 for doubles"},
		{"so-gl-stride-align", streamout.Error, "an xfb_stride is no multiple of 4, or of 8 for a buffer with doubles"},
		{"so-gl-stride-conflict", streamout.Error, "a buffer is given two different xfb_stride"},
		{"so-gl-stride-overflow", streamout.Error, "a variable ends behind the xfb_stride of its buffer"},
		{"so-gl-stride-limit", streamout.Error, "a stride has more components than a buffer may have"},
		{"so-gl-buffer-range", streamout.Error, "an xfb_buffer does not exist"},
		{"so-gl-block-buffer", streamout.Error, "members of one block have different xfb_buffer"},
		{"so-gl-unsized", streamout.Error, "an array without a size has an xfb_offset"},
		{"so-gl-list-and-qualifiers", streamout.Note, "varyings are listed, but xfb_ qualifiers take their place"},
		{"so-gl-stride-only", streamout.Warning, "a buffer has an xfb_stride, but captures no variable"},
		{"so-gl-buffer-only", streamout.Note, "a variable has an xfb_buffer, but no xfb_offset: it is not captured"},
		{"so-gl-unwritten", streamout.Warning, "a captured variable is never written"},
		{"so-gl-block-partial", streamout.Note, "some members of a block have an xfb_offset and others have none: those are not captured"},
		{"so-gl-qualifiers-no-capture", streamout.Warning, "xfb_ qualifiers are there, but none captures a variable"},
		{"so-gl-double-list", streamout.Warning, "a listed 64-bit varying lies at an odd dword"},
	}
}

// Of the runtime when it makes a geometry shader with stream output, or a
// pipeline: Direct3D 11.3 functional specification, 14.
func ruleD3D() []Rule {
	return []Rule{
		{"so-d3d-num-entries", streamout.Error, "there are more declarations than the API takes, or their number and the list disagree"},
		{"so-d3d-slot", streamout.Error, "an output slot is above 3"},
		{"so-d3d-slot-single", streamout.Error, "below feature level 11 several slots are used, and one of them by several declarations"},
		{"so-d3d-stride-slot0", streamout.Error, "Direct3D 10 is given a stride, and a declaration is not in slot 0"},
		{"so-d3d-count", streamout.Error, "an element has no component or more than four, or a gap has none"},
		{"so-d3d-start", streamout.Error, "start component and count do not lie in xyzw"},
		{"so-d3d-gap", streamout.Error, "a gap has a semantic index or a start component"},
		{"so-d3d-gap-only", streamout.Error, "a slot has gaps only"},
		{"so-d3d-trailing-gap", streamout.Note, "a slot ends with a gap, which enlarges the stride that follows from the declarations"},
		{"so-d3d-repeat", streamout.Error, "a component of a semantic is captured twice"},
		{"so-d3d-semantic", streamout.Error, "a semantic is not in the signature of its stream, or its name ends in a digit"},
		{"so-d3d-mask", streamout.Error, "a declaration captures components that the signature does not have"},
		{"so-d3d-stride", streamout.Error, "a stride is smaller than what is declared, no multiple of 4, above 2048 bytes, or missing"},
		{"so-d3d-stream", streamout.Error, "a stream is above 3, or above 0 where there is one alone"},
		{"so-d3d-slot-streams", streamout.Error, "a slot is fed by several streams"},
		{"so-d3d-stream-comps", streamout.Error, "more than 128 components of a stream are captured"},
		{"so-d3d-window", streamout.Error, "what is declared in a slot ends behind 512 bytes"},
		{"so-d3d-raster", streamout.Error, "the rasterized stream is above 3, or above 0 below feature level 11"},
		{"so-d3d-raster-map", streamout.Warning, "the rasterized stream is not 0, the only one that Gallium rasterizes"},
		{"so-d3d-register-alias", streamout.Note, "two streams use one register of the signature: they become different registers"},
		{"so-d3d12-root", streamout.Error, "the root signature does not allow stream output"},
	}
}

// Of the validity of SPIR-V modules and pipelines: VUID-StandaloneSpirv-Offset
// and VUID-RuntimeSpirv, of VK_EXT_transform_feedback.
func ruleVulkan() []Rule {
	return []Rule{
		{"so-vk-no-xfb-mode", streamout.Warning, "outputs have an XfbBuffer, but the entry point lacks the Xfb execution mode: nothing is captured"},
		{"so-vk-offset-orphan", streamout.Error, "an output has an Offset, but no XfbBuffer or no XfbStride"},
		{"so-vk-buffer-orphan", streamout.Note, "an output has an XfbBuffer, but no Offset: it is not captured"},
		{"so-vk-offset-align", streamout.Error, "an Offset or XfbStride is no multiple of 4, or an Offset none of 8 where 64-bit values are"},
		{"so-vk-block-size", streamout.Error, "a block captures a 64-bit member, and its size is no multiple of 8"},
		{"so-vk-comp-width", streamout.Error, "a captured component has neither 32 nor 64 bits"},
		{"so-vk-stride-conflict", streamout.Error, "a buffer is given two different XfbStride"},
		{"so-vk-stream-conflict", streamout.Error, "a buffer is fed by several streams"},
		{"so-vk-overlap", streamout.Error, "two outputs overlap in a buffer"},
		{"so-vk-block-buffer", streamout.Error, "members of one block have different XfbBuffer"},
		{"so-vk-limits", streamout.Error, "a buffer, stream, stride or amount of data is above the limit of the device"},
		{"so-vk-stream-topology", streamout.Error, "a stream above 0 is used without a geometry shader that puts out points, and the device has no streams of lines and triangles"},
		{"so-vk-buffer-array", streamout.Error, "an instance of an arrayed block is captured into a buffer above 3"},
		{"so-vk-raster-stream", streamout.Warning, "the rasterized stream is not 0, the only one that Gallium rasterizes"},
	}
}
