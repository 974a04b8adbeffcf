package rules

import (
	"math/bits"

	"github.com/outflow-gpu/outflow/streamout"
)

// One wrong number puts an output out of its place, and much follows from that:
// it collides with others, ends behind the stride, and leaves a gap where it
// belongs. The first rule that tells of it is enough; those that come later ask
// here.

// crosses says whether an output shares a dword with another of its buffer.
func crosses(i *streamout.Info, o *streamout.InfoOutput) bool {
	for p := range i.In(int(o.OutputBuffer)) {
		if p.Index != o.Index && o.Overlaps(p) {
			return true
		}
	}
	return false
}

// contested says whether an error has told that an output is in the way of
// others: it shares a dword with one, or its buffer with another stream.
func contested(v *streamout.View, o *streamout.InfoOutput) bool {
	return said(v, "so-overlap", "so-overlap-multi-stream") && crosses(v.Info, o) || v.Reported("so-buffer-multi-stream") && mixed(v.Info, o)
}

// mixed says whether outputs of several streams are in the buffer of an output.
func mixed(i *streamout.Info, o *streamout.InfoOutput) bool {
	return bits.OnesCount8(i.Streams(int(o.OutputBuffer))) > 1
}

// tooFar says whether an error has told that an output ends behind the stride.
func tooFar(v *streamout.View, o *streamout.InfoOutput) bool {
	b := int(min(o.OutputBuffer, buffers))
	return b < buffers && misfit(v, b) && o.End() > v.Info.Stride[b]
}

// astray says whether an error has told that an output is not where it should be.
func astray(v *streamout.View, o *streamout.InfoOutput) bool {
	const strideZero = "so-stride-zero-with-outputs"
	return o.Flaws&(streamout.BadBuffer|streamout.BadComponents|streamout.BadOffset) != 0 || contested(v, o) || tooFar(v, o) ||
		v.Reported(strideZero) && v.ReportedAt(strideZero, stridePath(int(o.OutputBuffer)))
}

// displaced is vacated for a gap that was counted in the order of the list, which
// must be that of the places.
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
		if here && v.Reported("so-split-64bit") && v.ReportedAt("so-split-64bit", outputPath(k, "start_component")) {
			return true
		}
		if (here || from <= o.DstOffset && o.End() <= to) && astray(v, o) {
			return true
		}
	}
	return false
}
