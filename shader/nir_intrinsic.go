package shader

import (
	"bytes"

	"github.com/outflow-gpu/outflow/pipe"
)

// intrinsic reads "name (arguments) (parameters)".
func (r *nirReader) intrinsic(b []byte) {
	name, rest := b, []byte(nil)
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		name, rest = b[:i], b[i:]
	}
	if len(name) < 4 {
		return
	}
	// Half of all intrinsics are loads from inputs; most are of no interest.
	switch name[0] {
	case 'l':
		r.load(name, rest)
	case 's':
		r.storeIntrinsic(name, rest)
	case 'e':
		if bytes.HasPrefix(name, []byte("emit_vertex")) {
			r.emit(rest)
		}
	case 'd', 't':
		r.discard(name)
	case 'c':
		if string(name) == "copy_deref" {
			r.derefStore(nthArgument(rest, 0), nil, true)
			r.derefLoad(nthArgument(rest, 1))
		}
	case 'm':
		if bytes.HasPrefix(name, []byte("memcpy_deref")) {
			r.derefStore(nthArgument(rest, 0), nil, true)
			r.derefLoad(nthArgument(rest, 1))
		}
	case 'i', 'b', 'g':
		r.memory(name, rest)
	default:
		if bytes.Contains(name, []byte("atomic")) {
			r.memoryUnknown = true
		}
	}
}

func (r *nirReader) emit(b []byte) {
	stream, ok := numberParameter(b, "stream_id=")
	if !ok || stream > 3 {
		r.odd = "an emit_vertex of the NIR text is in a form that is not known"
		return
	}
	r.o.EmittedStreams |= 1 << stream
}

// discard reads the intrinsics that begin with d and t.
func (r *nirReader) discard(name []byte) {
	for _, prefix := range [...]string{"discard", "demote", "terminate"} {
		if bytes.HasPrefix(name, []byte(prefix)) {
			if r.o.Stage == pipe.Fragment {
				r.o.Discards = Yes
			}
			return
		}
	}
	if bytes.HasPrefix(name, []byte("deref_atomic")) {
		r.memoryUnknown = true
		r.o.Resources.StorageBuffers.open = true
	}
}

func (r *nirReader) storeIntrinsic(name, b []byte) {
	switch s := string(name); s {
	case "store_deref":
		r.derefStore(nthArgument(b, 0), parameters(b), false)
	case "store_output", "store_per_vertex_output", "store_per_primitive_output", "store_per_view_output":
		r.loweredStore(b)
	case "store_ssbo":
		r.o.SideEffects = Yes
		r.slot(&r.o.Resources.StorageBuffers, nthArgument(b, 1))
	case "store_global", "store_global_2x32":
		r.o.SideEffects = Yes
	case "store_shared", "store_scratch", "store_reg", "store_reg_indirect", "store_preamble", "store_tile", "store_const_ir3":
	case "set_vertex_and_primitive_count":
	default:
		switch {
		case bytes.HasPrefix(name, []byte("ssbo_atomic")):
			r.o.SideEffects = Yes
			r.slot(&r.o.Resources.StorageBuffers, nthArgument(b, 0))
		case bytes.HasPrefix(name, []byte("store_")) && bytes.Contains(name, []byte("_output")):
			r.odd, r.maybeAny = "a store of the NIR text is of a kind that is not known", true
		case bytes.HasPrefix(name, []byte("store_")):
			r.memoryUnknown = true
		}
	}
}

// load reads the intrinsics that begin with l.
func (r *nirReader) load(name, b []byte) {
	res := &r.o.Resources
	switch string(name) {
	case "load_ubo", "load_ubo_vec4":
		r.slot(&res.ConstantBuffers, nthArgument(b, 0))
	case "load_ssbo":
		r.slot(&res.StorageBuffers, nthArgument(b, 0))
	case "load_uniform", "load_push_constant":
		res.ConstantBuffers.add(0)
	case "load_vulkan_descriptor", "load_global_constant", "load_global":
		res.ConstantBuffers.open, res.StorageBuffers.open = true, true
	case "load_deref":
		r.derefLoad(nthArgument(b, 0))
	case "load_input":
		if r.o.Stage == pipe.Vertex {
			r.vertexInput(b)
		}
	}
}

// vertexInput notes the vertex elements of a lowered load.
func (r *nirReader) vertexInput(b []byte) {
	p := parameters(b)
	base, ok := numberParameter(p, "base=")
	slots, ok2 := numberParameter(p, "slots=")
	if !ok || !ok2 || base > 127 || slots > 127 {
		r.o.Resources.VertexInputs.open = true
		return
	}
	offset, direct := r.constantArgument(nthArgument(b, -1))
	if direct && offset <= 127 {
		r.o.Resources.VertexInputs.add(base + offset)
		return
	}
	r.o.Resources.VertexInputs.addRange(base, max(slots, 1))
}

// slot adds a resource slot that must be a constant to be known.
func (r *nirReader) slot(set *Slots, arg []byte) {
	if i, ok := r.constantArgument(arg); ok {
		set.add(i)
		return
	}
	set.open = true
}

// memory reads the intrinsics of images, bindless images and global memory.
func (r *nirReader) memory(name, b []byte) {
	image := bytes.HasPrefix(name, []byte("image_")) || bytes.HasPrefix(name, []byte("bindless_image_"))
	switch {
	case image:
		if bytes.Contains(name, []byte("store")) || bytes.Contains(name, []byte("atomic")) {
			r.o.SideEffects = Yes
		}
		if bytes.HasPrefix(name, []byte("bindless")) || bytes.HasPrefix(name, []byte("image_deref")) {
			r.o.Resources.Images.open = true
			return
		}
		r.slot(&r.o.Resources.Images, nthArgument(b, 0))
	case bytes.HasPrefix(name, []byte("global_atomic")):
		r.o.SideEffects = Yes
	case bytes.HasPrefix(name, []byte("get_ssbo")):
		// The size is not the contents.
	}
}

// texture reads "(float32)tex %1 (coord), 0 (texture), 0 (sampler)".
func (r *nirReader) texture(b []byte) {
	if b[0] == '(' {
		_, rest, ok := bytes.Cut(b, []byte(")"))
		if !ok {
			return
		}
		b = rest
	}
	op, rest, ok := bytes.Cut(b, []byte(" "))
	if !ok {
		return
	}
	switch string(op) {
	case "tex", "txb", "txl", "txd", "txf", "txf_ms", "txs", "lod", "tg4", "query_levels", "texture_samples",
		"samples_identical", "txf_ms_mcs", "txf_ms_mcs_intel", "txf_ms_fb", "tex_prefetch", "fragment_fetch_amd", "fragment_mask_fetch_amd":
	default:
		return
	}
	views := &r.o.Resources.SamplerViews
	if i := bytes.Index(rest, []byte(" (texture)")); i >= 0 && !bytes.Contains(rest, []byte("(texture_offset)")) {
		word := rest[:i]
		word = word[bytes.LastIndexByte(word, ' ')+1:]
		if v, ok := smallNumber(word, 128); ok {
			views.add(v)
			return
		}
	}
	if !r.texturesUsed {
		views.open = true
	}
}
