package main

// rows says what cases may hold beside what a verb reads.
const rows = `
A case may be the row of a table, with what is expected of it: members that nothing reads are passed over at the top of a
case, and named at the end. Further in they are an error.
`

// furtherHelp returns what a verb's help says behind its flags: the exit codes
// that it has of its own, the JSON cases that it takes.
func furtherHelp(verb string) string {
	switch verb {
	case "run":
		return runCodes
	case "translate":
		return translateCases + rows
	case "tess":
		return tessCases + rows
	case "depthstencil":
		return depthStencilCases + rows
	case "cmask":
		return cmaskCases + rows
	}
	return ""
}

const runCodes = `
Flags stand before CMD; what stands behind it is CMD's. Findings and the summary go to standard error, whatever their form.

Exit status: CMD's own when it is not 0, 128 and the signal's number when one killed it. Else that of --error-exitcode
when an error was found (with --strict a warning), 125 when outflow failed or there was no trace, 126 when CMD cannot be
run, 127 when it is not there, 0 when nothing was found.
`

const translateCases = `
CASE is a file with one JSON case; - or none is standard input. An "id" comes back in the answer. Packages gl, d3d and
vulkan below streamout/frontend have the whole form.

  GL: varyings, or outputs with xfbBuffer, xfbOffset and xfbStride; an output without a location needs its register
    {"api": "gl", "mode": "interleaved", "varyings": ["a", "gl_SkipComponents2", "m[1]"],
     "outputs": [{"name": "a", "type": "vec3", "location": 0}, {"name": "m", "type": "mat2", "array": 2, "location": 1}]}

  Direct3D: the output signature and the declarations; strides in bytes
    {"api": "d3d11", "strides": [32],
     "signature": [{"semanticName": "TEXCOORD", "semanticIndex": 0, "register": 1, "mask": "xyz"}],
     "declarations": [{"semanticName": "TEXCOORD", "semanticIndex": 0, "startComponent": 0, "componentCount": 3, "outputSlot": 0}]}

  Vulkan: decorated outputs, or a SPIR-V module instead of a case
    {"api": "vulkan", "outputs": [{"name": "a", "type": "vec3", "location": 0, "xfbBuffer": 0, "xfbStride": 16, "offset": 0}]}
`

const tessCases = `
A case of --jsonl is a patch, or a draw to plan; package shader/tess has the whole form:
    {"id": 1, "domain": "tri", "partitioning": "integer", "output": "ccw", "outer": [2, 3, 4], "inner": [3]}
    {"id": 2, "draw": {"patches": 10, "in_cp": 3, "in_bytes": 16, "out_bytes": 16, "patch_bytes": 0, "domain": "tri",
     "partitioning": "integer", "factors": [[1, 1, 1, 1, 1, 1]]}}
`

const depthStencilCases = `
A case of --jsonl is a state in its surroundings, of which only "in" is needed; null and what is left out are not known:
    {"id": 1, "aspects": "DS", "depth_format": "unorm", "facing": "both", "ref": [1, 1], "rasterizer_discard": false,
     "shader": {"discards": true, "writesDepth": false},
     "in": {"depth_enabled": true, "depth_writemask": true, "depth_func": "LESS"}}
`

const cmaskCases = `
A query of --jsonl is select, quad, nibble or address:
    {"id": 1, "query": "select", "gen": "scarlett", "samples": 1, "vrs_hints": false, "fast_clear": true, "bpp": 32,
     "tile": "SW_64KB_S_X"}
    {"id": 2, "query": "quad", "nibble": 4, "mode": 3, "quad_x": 0, "quad_y": 2}
    {"id": 3, "query": "nibble", "samples": 2, "variant": 2, "nibble": 14}
    {"id": 4, "query": "address", "layout": "linear", "width": 9, "height": 9, "x": 8, "y": 0, "slice": 0}
`
