package pipe

import "encoding/hex"

// Blob is a run of bytes that is kept as it came: as bytes, or as the
// hexadecimal digits of a trace, which are decoded only when asked for. It
// shares memory with its source.
type Blob struct {
	bytes []byte
	hex   []byte
}

// BytesBlob returns b as a Blob.
func BytesBlob(b []byte) Blob { return Blob{bytes: b} }

// HexBlob returns the bytes that digits spell, two for each.
func HexBlob(digits []byte) Blob { return Blob{hex: digits} }

// Len returns the number of bytes.
func (b Blob) Len() int { return len(b.bytes) + len(b.hex)/2 }

// Append appends the bytes. It is an error when the digits are not
// hexadecimal; what was decoded before is appended.
func (b Blob) Append(dst []byte) ([]byte, error) {
	dst = append(dst, b.bytes...)
	return hex.AppendDecode(dst, b.hex)
}

// AppendHex appends the bytes as upper-case hexadecimal digits, as traces do.
func (b Blob) AppendHex(dst []byte) []byte {
	const digits = "0123456789ABCDEF"
	for _, c := range b.bytes {
		dst = append(dst, digits[c>>4], digits[c&15])
	}
	return append(dst, b.hex...)
}
