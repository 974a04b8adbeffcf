package dump

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// invalidName is what Mesa prints for a number that is no value of its type.
const invalidName = "<invalid>"

// scalar appends a number, name or address.
func (w textWriter) scalar(b []byte, v reflect.Value, as string) []byte {
	if w.util {
		if names := shortNames(v.Type(), as); names != nil {
			if n := v.Uint(); n < uint64(len(names)) && names[n] != "" {
				return append(b, names[n]...)
			}
			return append(b, invalidName...)
		}
	}
	switch x := v.Interface().(type) {
	case pipe.Handle:
		return appendHandle(b, x)
	case pipe.Format:
		if x == "" && w.util {
			x = pipe.FormatNone
		}
		if x == "" {
			return append(b, `""`...)
		}
		return append(b, x...)
	case interface{ String() string }:
		return append(b, x.String()...)
	}
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, '1')
		}
		return append(b, '0')
	case reflect.String:
		return strconv.AppendQuote(b, v.String())
	case reflect.Float32:
		return w.float(b, v.Float())
	case reflect.Int32:
		return strconv.AppendInt(b, v.Int(), 10)
	}
	return strconv.AppendUint(b, v.Uint(), 10)
}

// float appends a number, in Mesa's form by six digits as C does.
func (w textWriter) float(b []byte, f float64) []byte {
	if !w.util || math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, floatNumber(f, 32)...)
	}
	return strconv.AppendFloat(b, f, 'g', 6, 64)
}

func appendHandle(b []byte, h pipe.Handle) []byte {
	if h == 0 {
		return append(b, "NULL"...)
	}
	return strconv.AppendUint(append(b, "0x"...), uint64(h), 16)
}

// shortNames lists Mesa's short names of an enumeration (u_dump_defines.c),
// nil for what is none.
func shortNames(t reflect.Type, as string) []string {
	switch as {
	case "wrap":
		return strings.Fields("repeat clamp clamp_to_edge clamp_to_border mirror_repeat mirror_clamp mirror_clamp_to_edge mirror_clamp_to_border")
	case "filter":
		return []string{"nearest", "linear"}
	case "mipfilter":
		return []string{"nearest", "linear", "none"}
	case "func": // u_dump_state.c takes a logic operation for a comparison
		return shortNames(reflect.TypeFor[pipe.CompareFunc](), "")
	}
	switch t {
	case reflect.TypeFor[pipe.CompareFunc]():
		return strings.Fields("never less equal less_equal greater not_equal greater_equal always")
	case reflect.TypeFor[pipe.StencilOp]():
		return strings.Fields("keep zero replace incr decr incr_wrap decr_wrap invert")
	case reflect.TypeFor[pipe.BlendFunc]():
		return strings.Fields("add sub rev_sub min max")
	case reflect.TypeFor[pipe.BlendFactor]():
		return []string{1: "one", 2: "src_color", 3: "src_alpha", 4: "dst_alpha", 5: "dst_color", 6: "src_alpha_saturate",
			7: "const_color", 8: "const_alpha", 9: "src1_color", 10: "src1_alpha", 0x11: "zero", 0x12: "inv_src_color",
			0x13: "inv_src_alpha", 0x14: "inv_dst_alpha", 0x15: "inv_dst_color", 0x17: "inv_const_color",
			0x18: "inv_const_alpha", 0x19: "inv_src1_color", 0x1a: "inv_src1_alpha"}
	case reflect.TypeFor[pipe.TextureTarget]():
		return strings.Fields("buffer 1d 2d 3d cube rect 1d_array 2d_array cube_array")
	case reflect.TypeFor[pipe.PrimitiveType]():
		return strings.Fields(`points lines line_loop line_strip triangles triangle_strip triangle_fan quads quad_strip polygon
			lines_adjacency line_strip_adjacency triangles_adjacency triangle_strip_adjacency patches`)
	}
	return nil
}
