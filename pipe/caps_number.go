package pipe

import "strings"

// capNumbers are the numbers of capFields, in its order, in one release.
type capNumbers struct {
	release string
	numbers [len(capFields)]int16
}

// noCap marks a capability that a release did not have yet.
const noCap = -1

// capNumberTable is the numbering of enum pipe_cap in each release whose traces
// print numbers, as it stood when the release was branched off (p_defines.h).
// Mesa 22.0 and later print names.
var capNumberTable = [...]capNumbers{
	{"10.0", [...]int16{30, 55, 56, noCap, 57, noCap, noCap, noCap}},
	{"10.1", [...]int16{30, 55, 56, noCap, 57, noCap, noCap, noCap}},
	{"10.2", [...]int16{30, 55, 56, noCap, 57, noCap, noCap, noCap}},
	{"10.3", [...]int16{30, 55, 56, 100, 57, noCap, noCap, noCap}},
	{"10.4", [...]int16{30, 55, 56, 100, 57, noCap, noCap, noCap}},
	{"10.5", [...]int16{30, 55, 56, 100, 57, noCap, noCap, noCap}},
	{"10.6", [...]int16{30, 55, 56, 100, 57, noCap, noCap, noCap}},
	{"11.0", [...]int16{16, 37, 38, 81, 39, noCap, noCap, noCap}},
	{"11.1", [...]int16{16, 37, 38, 81, 39, noCap, 104, noCap}},
	{"11.2", [...]int16{16, 37, 38, 82, 39, noCap, 105, noCap}},
	{"12.0", [...]int16{16, 37, 38, 82, 39, noCap, 105, noCap}},
	{"13.0", [...]int16{16, 37, 38, 82, 39, noCap, 105, noCap}},
	{"17.0", [...]int16{16, 37, 38, 82, 39, 135, 105, noCap}},
	{"17.1", [...]int16{16, 37, 38, 81, 39, 134, 104, noCap}},
	{"17.2", [...]int16{16, 37, 38, 81, 39, 134, 104, noCap}},
	{"17.3", [...]int16{16, 37, 38, 81, 39, 134, 104, 154}},
	{"18.0", [...]int16{14, 35, 36, 78, 37, 131, 101, 151}},
	{"18.1", [...]int16{14, 35, 36, 78, 37, 131, 101, 151}},
	{"18.2", [...]int16{14, 35, 36, 79, 37, 132, 102, 152}},
	{"18.3", [...]int16{14, 36, 37, 80, 38, 134, 103, 154}},
	{"19.0", [...]int16{14, 36, 37, 80, 38, 134, 103, 155}},
	{"19.1", [...]int16{14, 36, 37, 81, 38, 135, 104, 156}},
	{"19.2", [...]int16{14, 36, 37, 81, 38, 136, 104, 157}},
	{"19.3", [...]int16{15, 37, 38, 82, 39, 137, 105, 158}},
	{"20.0", [...]int16{15, 37, 38, 82, 39, 137, 105, 158}},
	{"20.1", [...]int16{15, 37, 38, 82, 39, 138, 105, 159}},
	{"20.2", [...]int16{15, 38, 39, 83, 40, 140, 107, 161}},
	{"20.3", [...]int16{15, 38, 39, 83, 40, 140, 107, 161}},
	{"21.0", [...]int16{15, 38, 39, 84, 40, 141, 108, 162}},
	{"21.1", [...]int16{15, 38, 39, 84, 40, 141, 108, 162}},
	{"21.2", [...]int16{15, 38, 39, 84, 40, 140, 108, 161}},
	{"21.3", [...]int16{15, 39, 40, 85, 41, 141, 109, 162}},
}

// CapName returns the name of the capability that a trace of Mesa's release,
// "20.3" or "20.3.5", prints as number, "PIPE_CAP_MAX_VERTEX_STREAMS". It is
// false for a release that is not known to print numbers, since the numbering
// changed with nearly every one, and for capabilities that do not concern
// stream output.
func CapName(release string, number uint64) (string, bool) {
	parts := strings.SplitN(release, ".", 3)
	if len(parts) < 2 {
		return "", false
	}
	branch := parts[0] + "." + parts[1]
	for _, row := range capNumberTable {
		if row.release != branch {
			continue
		}
		for i, n := range row.numbers {
			if n != noCap && uint64(n) == number {
				return capPrefix + capFields[i].name, true
			}
		}
	}
	return "", false
}
