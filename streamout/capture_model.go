package streamout

import (
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// OverflowRule is how a driver finds out that a primitive does not fit.
type OverflowRule uint8

// The rules. They differ for the last vertex alone: it needs its outputs, or its
// whole stride.
const (
	// OverflowUnknown: nobody said; what the two disagree on is not known.
	OverflowUnknown OverflowRule = iota
	// OverflowExtent lets the last vertex end with its outputs, as Mesa's draw
	// module does.
	OverflowExtent
	// OverflowStride demands room for whole vertices, as Direct3D and most
	// hardware do.
	OverflowStride
)

// String returns "unknown", "extent" or "stride".
func (r OverflowRule) String() string {
	return [...]string{"unknown", "extent", "stride", "invalid"}[min(r, 3)]
}

// CaptureModel is what drivers do differently. The zero CaptureModel is what
// all of them agree on: the rest is unknown.
type CaptureModel struct {
	// Overflow is when a primitive no longer fits.
	Overflow OverflowRule
	// DropsUnbound says that nothing is written for a stream one of whose slots
	// has no target, as the draw module and Direct3D have it; Vulkan writes the
	// other slots.
	DropsUnbound bool
	// WholeUncaptured says that primitives generated counts quads and polygons
	// whole where nothing is captured, and as triangles where it is.
	WholeUncaptured bool
	// Offsets is what the offsets of set_stream_output_targets do. A zero effect
	// is what the interface says: seek in bytes, or append.
	Offsets pipe.Offsets
}

// ReferenceModel is the behaviour of Mesa's draw module, which the software
// drivers share.
func ReferenceModel() CaptureModel {
	return CaptureModel{Overflow: OverflowExtent, DropsUnbound: true, WholeUncaptured: true}
}

// ModelOfDriver returns the model of the driver that a screen calls itself, as
// GetName returns it: "llvmpipe (LLVM 15.0.6, 256 bits)".
func ModelOfDriver(name string) CaptureModel {
	word, _, _ := strings.Cut(name, " ")
	var m CaptureModel
	switch word {
	case "llvmpipe", "softpipe":
		m = ReferenceModel()
	}
	if p, ok := pipe.ProfileByName(strings.ToLower(word)); ok {
		m.Offsets = p.Offsets
	}
	return m
}

// offsetEffect returns what an offset of a slot does by the model, and the
// offset that decides.
func (m *CaptureModel) offsetEffect(offsets []uint32, slot int) (pipe.OffsetEffect, uint32) {
	if m.Offsets.FirstDecides {
		slot = 0
	}
	if slot >= len(offsets) {
		return pipe.OffsetUnknown, 0
	}
	offset := offsets[slot]
	effect, otherwise := m.Offsets.Other, pipe.OffsetSeeksBytes
	switch offset {
	case 0:
		effect, otherwise = m.Offsets.Zero, pipe.OffsetStarts
	case pipe.AppendOffset:
		effect, otherwise = m.Offsets.Append, pipe.OffsetContinues
	}
	if m.Offsets == (pipe.Offsets{}) {
		effect = otherwise
	}
	return effect, offset
}

// place returns how far a target counts as filled once it was bound.
func (m *CaptureModel) place(fill Count, size uint64, offsets []uint32, slot int) Count {
	effect, offset := m.offsetEffect(offsets, slot)
	switch effect {
	case pipe.OffsetStarts:
		return Count{}
	case pipe.OffsetSeeksBytes:
		return Exactly(uint64(offset))
	case pipe.OffsetContinues, pipe.OffsetContinuesIfFilled, pipe.OffsetIgnored:
		return fill
	case pipe.OffsetSeeksVertices:
		if offset == 0 {
			return Count{}
		}
	}
	return Count{0, max(size, fill.High)}
}
