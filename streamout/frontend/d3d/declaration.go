package d3d

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout/frontend"
)

// NoRasterizedStream is the RasterizedStream of a pipeline that rasterizes
// nothing.
const NoRasterizedStream = 0xFFFFFFFF

// Limits of the API.
const (
	maxDeclarations      = 512
	maxDeclarations10    = 64
	maxStreamComponents  = 128
	maxWindow            = 128  // dwords of a slot
	maxStride            = 2048 // bytes
	level11              = 11
	maxSignatureRegister = 1 << 16
)

// Mask is a choice of xyzw, x in bit 0.
type Mask uint8

// UnmarshalText reads "zw".
func (m *Mask) UnmarshalText(b []byte) error {
	*m = 0
	for _, c := range string(b) {
		i := strings.IndexRune("xyzw", c)
		if i < 0 {
			return fmt.Errorf("mask %q is no choice of xyzw", b)
		}
		*m |= 1 << i
	}
	return nil
}

// String spells the mask.
func (m Mask) String() string {
	var s []byte
	for i := range 4 {
		if m>>i&1 != 0 {
			s = append(s, "xyzw"[i])
		}
	}
	return string(s)
}

// SignatureElement is an output of the shader, as its signature names it.
type SignatureElement struct {
	Stream        uint32 `json:"stream"`
	SemanticName  string `json:"semanticName"`
	SemanticIndex uint32 `json:"semanticIndex"`
	Register      uint32 `json:"register"`
	Mask          Mask   `json:"mask"` // xyzw when it is left out
}

// Declaration is a D3D11_SO_DECLARATION_ENTRY. Without a SemanticName it is a
// gap.
type Declaration struct {
	Stream         uint32  `json:"stream"`
	SemanticName   *string `json:"semanticName"`
	SemanticIndex  uint32  `json:"semanticIndex"`
	StartComponent uint32  `json:"startComponent"` // counts from the first component of the signature's mask
	ComponentCount uint32  `json:"componentCount"`
	OutputSlot     uint32  `json:"outputSlot"`
}

// gap says whether the declaration leaves dwords as they are.
func (d *Declaration) gap() bool { return d.SemanticName == nil }

// String spells what is captured: "TEXCOORD1".
func (d *Declaration) String() string {
	if d.gap() {
		return "gap"
	}
	if d.SemanticIndex == 0 {
		return *d.SemanticName
	}
	return fmt.Sprintf("%s%d", *d.SemanticName, d.SemanticIndex)
}

// Case is a shader and the declarations that it shall capture by.
type Case struct {
	API string `json:"api"` // d3d10, d3d11 or d3d12; d3d11 when empty
	// Source is the shader that the signature is of: geometry, or the vertex or
	// domain shader that a geometry shader without code passes through.
	Source       frontend.Stage     `json:"source"`
	Signature    []SignatureElement `json:"signature"`
	Declarations []Declaration      `json:"declarations"`
	// NumEntries is the count beside the declarations, where it is stated.
	NumEntries frontend.Number `json:"numEntries"`
	// Strides are in bytes; none are given when it is empty.
	Strides []uint32 `json:"strides"`
	// RasterizedStream is 0 to 3 or NoRasterizedStream.
	RasterizedStream uint32 `json:"rasterizedStream"`
	// FeatureLevel is that of the device; 0 is that of the API.
	FeatureLevel FeatureLevel `json:"featureLevel"`
	// AllowStreamOutput is the flag of the root signature, of Direct3D 12.
	AllowStreamOutput *bool `json:"allowStreamOutput"`
}

// FeatureLevel is the major number of a feature level: 10, 11, 12.
type FeatureLevel int

// UnmarshalJSON reads 11, "11_0", 11.1 or D3D_FEATURE_LEVEL's 0xb000.
func (l *FeatureLevel) UnmarshalJSON(b []byte) error {
	var n float64
	text := strings.Trim(string(b), `"`)
	if text == "null" {
		return nil
	}
	if _, err := fmt.Sscanf(text, "%f", &n); err != nil || n < 1 || n > 0xFFFF {
		return fmt.Errorf("%s is no feature level, want one like 11 or \"11_0\"", b)
	}
	if *l = FeatureLevel(n); *l >= 0x1000 {
		*l >>= 12
	}
	return nil
}

// level is the feature level.
func (c *Case) level() int {
	switch {
	case c.FeatureLevel != 0:
		return int(c.FeatureLevel)
	case c.API == "d3d10":
		return 10
	}
	return level11
}

// stage is the stage of Gallium that captures.
func (c *Case) stage() pipe.Stage { return c.Source.Or(pipe.Geometry) }

// ParseCase reads a JSON case. The error is a *frontend.Error.
func ParseCase(line []byte) (*Case, error) {
	c := &Case{}
	if err := frontend.ReadLine(line, c); err != nil {
		return nil, err
	}
	return c, nil
}

// first is the first component of the mask, and count how many lie behind it.
func (m Mask) first() int { return bits.TrailingZeros8(uint8(m)) & 3 }
