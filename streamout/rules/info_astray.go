package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/streamout"
)

// One wrong number puts an output out of its place, and much follows from that:
// it collides with others, ends behind the stride, and leaves a gap where it
// belongs. The first rule that tells of it is enough; a rule that comes later asks
// here, when it has something to tell, whether that only follows.

// toldOf is ReportedAt for a field of an output, whose path is spelled only when
// it may be needed.
func toldOf(v *streamout.View, output int, field string, ids ...string) bool {
	return v.Reported(ids...) && v.ReportedAt(outputPath(output, field), ids...)
}

// crosses says whether an output shares a dword with another of its buffer.
func crosses(i *streamout.Info, o *streamout.InfoOutput) bool {
	for p := range i.In(int(o.OutputBuffer)) {
		if p.Index != o.Index && o.Overlaps(p) {
			return true
		}
	}
	return false
}

// collides says whether so-overlap-multi-stream has reported the buffer.
func collides(v *streamout.View, buffer int) bool {
	for o := range v.Info.In(buffer) {
		if toldOf(v, o.Index, "dst_offset", "so-overlap-multi-stream") {
			return true
		}
	}
	return false
}

// contested says whether an error has told that an output is in the way of
// others: it shares a dword with one, or its buffer with another stream.
func contested(v *streamout.View, o *streamout.InfoOutput) bool {
	return v.Reported("so-overlap", "so-overlap-multi-stream") && crosses(v.Info, o) || v.Reported("so-buffer-multi-stream") && mixed(v.Info, o)
}

// mixed says whether outputs of several streams are in the buffer of an output.
func mixed(i *streamout.Info, o *streamout.InfoOutput) bool {
	return bits.OnesCount8(i.Streams(int(o.OutputBuffer))) > 1
}

// misfit says whether an error about the buffer's stride shows that its extent
// is a mistake already.
func misfit(v *streamout.View, buffer int) bool {
	return v.ReportedAt(stridePath(buffer), "so-stride-smaller-than-extent")
}

// tooFar says whether an error has told that an output ends behind the stride.
func tooFar(v *streamout.View, o *streamout.InfoOutput) bool {
	b := int(min(o.OutputBuffer, buffers))
	return b < buffers && misfit(v, b) && o.End() > v.Info.Stride[b]
}

// astray says whether an error has told that an output is not where it should be.
func astray(v *streamout.View, o *streamout.InfoOutput) bool {
	return o.Flaws&(streamout.BadBuffer|streamout.BadComponents|streamout.BadOffset) != 0 || contested(v, o) || tooFar(v, o) ||
		v.ReportedAt(stridePath(int(o.OutputBuffer)), "so-stride-zero-with-outputs")
}

// displaced is vacated for a gap that was found by going along the list, which
// means nothing unless the list is in the order of the places.
func displaced(v *streamout.View, buffer int, from, to uint64) bool {
	return v.Reported("so-not-ascending") || vacated(v, buffer, from, to)
}

// vacated says whether what is left out of a buffer from one dword to another may
// be the place of an output that is astray: of one in the same buffer, or of one
// that would fit there if only its buffer is wrong. The same is said of outputs
// that the list no longer has.
func vacated(v *streamout.View, buffer int, from, to uint64) bool {
	if v.Reported("so-nir-mismatch") || staleOutput(v) >= 0 {
		return true
	}
	for k := range v.Info.Outputs {
		o := &v.Info.Outputs[k]
		here := o.OutputBuffer == uint64(buffer)
		if here && toldOf(v, k, "start_component", "so-split-64bit") {
			return true
		}
		if (here || from <= o.DstOffset && o.End() <= to) && astray(v, o) {
			return true
		}
	}
	return false
}
