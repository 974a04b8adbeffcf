package frontend

import "fmt"

// Slot is a place for four components between shader stages, numbered as
// gl_varying_slot (src/compiler/shader_enums.h). Their order is that of the
// registers.
type Slot int

// The slots that a vertex stage can write.
const (
	SlotPosition       Slot = 0
	SlotColor0         Slot = 1
	SlotColor1         Slot = 2
	SlotFog            Slot = 3
	SlotTexCoord0      Slot = 4 // to 11
	SlotPointSize      Slot = 12
	SlotBackColor0     Slot = 13
	SlotBackColor1     Slot = 14
	SlotEdgeFlag       Slot = 15
	SlotClipVertex     Slot = 16
	SlotClipDistance0  Slot = 17 // and 18
	SlotCullDistance0  Slot = 19 // and 20
	SlotPrimitiveID    Slot = 21
	SlotLayer          Slot = 22
	SlotViewport       Slot = 23
	SlotShadingRate    Slot = 24
	SlotViewportMask   Slot = 31
	SlotUser0          Slot = 32 // VARYING_SLOT_VAR0, location 0
	noSlot             Slot = -1
	maxClipCullPerSlot      = 4
)

// builtinNames are the built-in outputs of GLSL and, where it has them, of
// SPIR-V.
var builtinNames = []struct {
	glsl, spirv string
	slot        Slot
}{
	{"gl_Position", "Position", SlotPosition},
	{"gl_FrontColor", "", SlotColor0},
	{"gl_FrontSecondaryColor", "", SlotColor1},
	{"gl_FogFragCoord", "", SlotFog},
	{"gl_TexCoord", "", SlotTexCoord0},
	{"gl_PointSize", "PointSize", SlotPointSize},
	{"gl_BackColor", "", SlotBackColor0},
	{"gl_BackSecondaryColor", "", SlotBackColor1},
	{"gl_EdgeFlag", "", SlotEdgeFlag},
	{"gl_ClipVertex", "", SlotClipVertex},
	{"gl_ClipDistance", "ClipDistance", SlotClipDistance0},
	{"gl_CullDistance", "CullDistance", SlotCullDistance0},
	{"gl_PrimitiveID", "PrimitiveId", SlotPrimitiveID},
	{"gl_Layer", "Layer", SlotLayer},
	{"gl_ViewportIndex", "ViewportIndex", SlotViewport},
	{"gl_PrimitiveShadingRateEXT", "PrimitiveShadingRateKHR", SlotShadingRate},
	{"gl_ViewportMask", "ViewportMaskNV", SlotViewportMask},
}

// builtin returns the slot of a built-in output, by the Builtin or the name;
// noSlot for a variable of the user.
func (o *Output) builtin() (Slot, error) {
	name := lastName(o.Name)
	if o.Builtin == "" && (len(name) < 3 || name[:3] != "gl_") {
		return noSlot, nil
	}
	for _, b := range builtinNames {
		if o.Builtin == b.glsl || o.Builtin != "" && o.Builtin == b.spirv || o.Builtin == "" && name == b.glsl {
			return b.slot, nil
		}
	}
	if o.Builtin != "" {
		name = o.Builtin
	}
	return noSlot, fmt.Errorf("output %q is no built-in output of a vertex stage", name)
}

// lastName returns the last member of a name: "gl_Position" of
// "gl_PerVertex.gl_Position".
func lastName(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[i+1:]
		}
	}
	return name
}
