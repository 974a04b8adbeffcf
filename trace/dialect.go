package trace

import "strconv"

// Dialect is the form of calls of one version of Mesa: which arguments and
// members they have, and which enumerations are names. A Writer writes one; a
// Decoder reads all of them.
//
// What a dialect has no place for is not written, as Mesa of that version could
// not have been told it:
//
//	22.3   output_prim of targets; strides of vertex elements; clear masks;
//	       pls_enabled; variable_shared_mem
//	25.0   strides, trailing slots and take_ownership of vertex buffers; that
//	       slots before the first keep theirs; clear masks; pls_enabled
//	26.2   the same of vertex buffers; take_ownership; the number of sampler
//	       views without a list; req_input_mem; width, height and elements of
//	       surfaces. An attachment without surface is a surface of nothing
//	22.3, 25.0   that an index bias was not given: it is 0
//	25.0, 26.2   map flags but single ones: they are PIPE_MAP_FLAGS_UNKNOWN
//	all    more than six digits of a float; viewports and scissors but the first;
//	       what clear_buffer clears with; query types without a name, which are
//	       <invalid>; blending of render targets that do not count; a format of
//	       no name, which is PIPE_FORMAT_NONE; the type of a shader with NIR
//	       text, which is the dialect's number of NIR
//
// A call that the dialect does not have, such as create_surface in 26.2, is
// written in the form it had last: no call is ever lost.
type Dialect uint8

// Dialects, by the first version of Mesa that was seen to write them.
const (
	Mesa22_3 Dialect = iota // the default: numbers for blending, vertex strides in the bindings
	Mesa25_0                // names for blending and map flags, strides in the elements, output_prim
	Mesa26_2                // surfaces in the framebuffer, clear masks, NIR is shader type 1
	numDialects
)

var dialectNames = [numDialects]string{"22.3", "25.0", "26.2"}

// String returns the version of Mesa, "22.3".
func (d Dialect) String() string {
	if d < numDialects {
		return dialectNames[d]
	}
	return "Dialect(" + strconv.Itoa(int(d)) + ")"
}

// ParseDialect returns the dialect that String gives the name of.
func ParseDialect(s string) (Dialect, bool) {
	for d, name := range dialectNames {
		if name == s {
			return Dialect(d), true
		}
	}
	return 0, false
}
