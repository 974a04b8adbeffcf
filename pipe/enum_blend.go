package pipe

// BlendFunc is how two blend terms combine (enum pipe_blend_func).
type BlendFunc uint8

var blendFuncNames = enumNames{"PIPE_BLEND_ADD", "PIPE_BLEND_SUBTRACT", "PIPE_BLEND_REVERSE_SUBTRACT", "PIPE_BLEND_MIN", "PIPE_BLEND_MAX"}

// String returns Mesa's spelling.
func (f BlendFunc) String() string { return blendFuncNames.spell(uint32(f)) }

// ParseBlendFunc reads Mesa's spelling or a number.
func ParseBlendFunc(s string) (BlendFunc, bool) {
	v, ok := blendFuncNames.value(s)
	return BlendFunc(v), ok && v < 1<<8
}

// BlendFactor is what a blend term is multiplied by (enum pipe_blendfactor).
// Zero is not a factor: it is what a cleared struct holds, and traces print it
// as PIPE_BLENDFACTOR_UNKNOWN.
type BlendFactor uint8

// Blend factors.
const (
	BlendFactorNone BlendFactor = iota
	BlendOne
	BlendSrcColor
	BlendSrcAlpha
	BlendDstAlpha
	BlendDstColor
	BlendSrcAlphaSaturate
	BlendConstColor
	BlendConstAlpha
	BlendSrc1Color
	BlendSrc1Alpha
	BlendZero        BlendFactor = 0x11
	BlendInvSrcColor BlendFactor = 0x12
	BlendInvSrcAlpha BlendFactor = 0x13
)

var blendFactorNames = enumNames{
	0x00: "PIPE_BLENDFACTOR_UNKNOWN",
	0x01: "PIPE_BLENDFACTOR_ONE",
	0x02: "PIPE_BLENDFACTOR_SRC_COLOR",
	0x03: "PIPE_BLENDFACTOR_SRC_ALPHA",
	0x04: "PIPE_BLENDFACTOR_DST_ALPHA",
	0x05: "PIPE_BLENDFACTOR_DST_COLOR",
	0x06: "PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE",
	0x07: "PIPE_BLENDFACTOR_CONST_COLOR",
	0x08: "PIPE_BLENDFACTOR_CONST_ALPHA",
	0x09: "PIPE_BLENDFACTOR_SRC1_COLOR",
	0x0a: "PIPE_BLENDFACTOR_SRC1_ALPHA",
	0x11: "PIPE_BLENDFACTOR_ZERO",
	0x12: "PIPE_BLENDFACTOR_INV_SRC_COLOR",
	0x13: "PIPE_BLENDFACTOR_INV_SRC_ALPHA",
	0x14: "PIPE_BLENDFACTOR_INV_DST_ALPHA",
	0x15: "PIPE_BLENDFACTOR_INV_DST_COLOR",
	0x17: "PIPE_BLENDFACTOR_INV_CONST_COLOR",
	0x18: "PIPE_BLENDFACTOR_INV_CONST_ALPHA",
	0x19: "PIPE_BLENDFACTOR_INV_SRC1_COLOR",
	0x1a: "PIPE_BLENDFACTOR_INV_SRC1_ALPHA",
}

// String returns Mesa's spelling.
func (f BlendFactor) String() string { return blendFactorNames.spell(uint32(f)) }

// ParseBlendFactor reads Mesa's spelling or a number.
func ParseBlendFactor(s string) (BlendFactor, bool) {
	v, ok := blendFactorNames.value(s)
	return BlendFactor(v), ok && v < 1<<8
}

// LogicOp is a logic operation on colours (enum pipe_logicop).
type LogicOp uint8

var logicOpNames = enumNames{"PIPE_LOGICOP_CLEAR", "PIPE_LOGICOP_NOR", "PIPE_LOGICOP_AND_INVERTED", "PIPE_LOGICOP_COPY_INVERTED",
	"PIPE_LOGICOP_AND_REVERSE", "PIPE_LOGICOP_INVERT", "PIPE_LOGICOP_XOR", "PIPE_LOGICOP_NAND", "PIPE_LOGICOP_AND", "PIPE_LOGICOP_EQUIV",
	"PIPE_LOGICOP_NOOP", "PIPE_LOGICOP_OR_INVERTED", "PIPE_LOGICOP_COPY", "PIPE_LOGICOP_OR_REVERSE", "PIPE_LOGICOP_OR", "PIPE_LOGICOP_SET"}

// String returns Mesa's spelling.
func (o LogicOp) String() string { return logicOpNames.spell(uint32(o)) }

// ParseLogicOp reads Mesa's spelling or a number.
func ParseLogicOp(s string) (LogicOp, bool) {
	v, ok := logicOpNames.value(s)
	return LogicOp(v), ok && v < 1<<8
}

// MapFlags say how a resource is mapped (enum pipe_map_flags).
type MapFlags uint32

// Map flags that matter for who may read or write what.
const (
	MapRead                 MapFlags = 1 << 0
	MapWrite                MapFlags = 1 << 1
	MapDirectly             MapFlags = 1 << 2
	MapDiscardRange         MapFlags = 1 << 3
	MapDontBlock            MapFlags = 1 << 4
	MapUnsynchronized       MapFlags = 1 << 5
	MapFlushExplicit        MapFlags = 1 << 6
	MapDiscardWholeResource MapFlags = 1 << 7
	MapPersistent           MapFlags = 1 << 8
	MapCoherent             MapFlags = 1 << 9
	// MapUnknown marks flags that a trace lost: since Mesa 23.3 a combination
	// of several has no name there and is printed PIPE_MAP_FLAGS_UNKNOWN.
	MapUnknown MapFlags = 1 << 31
)

var mapFlagNames = map[MapFlags]string{
	0: "PIPE_MAP_NONE", MapRead: "PIPE_MAP_READ", MapWrite: "PIPE_MAP_WRITE",
	MapRead | MapWrite: "PIPE_MAP_READ_WRITE", MapDirectly: "PIPE_MAP_DIRECTLY",
	MapDiscardRange: "PIPE_MAP_DISCARD_RANGE", MapDontBlock: "PIPE_MAP_DONTBLOCK", MapUnsynchronized: "PIPE_MAP_UNSYNCHRONIZED",
	MapFlushExplicit: "PIPE_MAP_FLUSH_EXPLICIT", MapDiscardWholeResource: "PIPE_MAP_DISCARD_WHOLE_RESOURCE",
	MapPersistent: "PIPE_MAP_PERSISTENT", MapCoherent: "PIPE_MAP_COHERENT", MapUnknown: "PIPE_MAP_FLAGS_UNKNOWN",
}

// String returns Mesa's spelling of a single flag; combinations, which Mesa
// cannot name, are PIPE_MAP_FLAGS_UNKNOWN.
func (f MapFlags) String() string {
	if name, ok := mapFlagNames[f]; ok {
		return name
	}
	return mapFlagNames[MapUnknown]
}

// ParseMapFlags reads Mesa's spelling or a number.
func ParseMapFlags(s string) (MapFlags, bool) {
	for f, name := range mapFlagNames {
		if name == s {
			return f, true
		}
	}
	v, ok := enumNames(nil).value(s)
	return MapFlags(v), ok
}
