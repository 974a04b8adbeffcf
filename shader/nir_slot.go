package shader

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// Locations of varyings (gl_varying_slot in src/compiler/shader_enums.h), in
// their order. VAR0 follows at 32, PATCH0 at 64.
var varyingSlots = [...]string{"POS", "COL0", "COL1", "FOGC", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6", "TEX7",
	"PSIZ", "BFC0", "BFC1", "EDGE", "CLIP_VERTEX", "CLIP_DIST0", "CLIP_DIST1", "CULL_DIST0", "CULL_DIST1", "PRIMITIVE_ID",
	"LAYER", "VIEWPORT", "FACE", "PNTC", "TESS_LEVEL_OUTER", "TESS_LEVEL_INNER", "BOUNDING_BOX0", "BOUNDING_BOX1", "VIEW_INDEX", "VIEWPORT_MASK"}

const (
	slotPointSize = 12
	slotVar0      = 32
	slotPatch0    = 64
	slotUnknown   = -1
)

const varyingPrefix = "VARYING_SLOT_"

// varyingSlot returns the number of a location as printed, by name or number.
func varyingSlot(loc []byte) int {
	if v, ok := smallNumber(loc, 128); ok {
		return v
	}
	name, ok := bytes.CutPrefix(loc, []byte(varyingPrefix))
	if !ok {
		return slotUnknown
	}
	if v, ok := bytes.CutPrefix(name, []byte("VAR")); ok {
		if n, ok := smallNumber(v, 32); ok {
			return slotVar0 + n
		}
	}
	if v, ok := bytes.CutPrefix(name, []byte("PATCH")); ok {
		if n, ok := smallNumber(v, 64); ok {
			return slotPatch0 + n
		}
	}
	for i, s := range varyingSlots {
		if string(name) == s {
			return i
		}
	}
	return slotUnknown
}

// varyingName is the inverse of varyingSlot.
func varyingName(slot int) string {
	switch {
	case slot < 0:
		return ""
	case slot < len(varyingSlots):
		return varyingPrefix + varyingSlots[slot]
	case slot < slotPatch0:
		return varyingPrefix + "VAR" + strconv.Itoa(slot-slotVar0)
	}
	return varyingPrefix + "PATCH" + strconv.Itoa(slot-slotPatch0)
}

// fragmentResults are the locations of a fragment shader's outputs (gl_frag_result).
var fragmentResults = [...]string{"DEPTH", "STENCIL", "COLOR", "SAMPLE_MASK", "DATA0", "DATA1", "DATA2", "DATA3", "DATA4", "DATA5", "DATA6", "DATA7"}

// semantic returns the name of the slot that lies element slots after loc.
func semantic(stage pipe.Stage, loc []byte, element int) string {
	if v, ok := smallNumber(loc, uint32(len(fragmentResults))); ok && stage == pipe.Fragment && v+element < len(fragmentResults) {
		return "FRAG_RESULT_" + fragmentResults[v+element]
	}
	if slot := varyingSlot(loc); slot != slotUnknown {
		return varyingName(slot + element)
	}
	if n, ok := bytes.CutPrefix(loc, []byte("FRAG_RESULT_DATA")); ok {
		if v, ok := smallNumber(n, 8); ok {
			return "FRAG_RESULT_DATA" + strconv.Itoa(v+element)
		}
	}
	return strings.Clone(string(loc))
}
