package cmask_test

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/outflow-gpu/outflow/dump/cmask"
	"github.com/outflow-gpu/outflow/internal/jsonlines"
)

// FuzzAnswer feeds queries; what is answered must marshal, and addresses must make sense.
func FuzzAnswer(f *testing.F) {
	for _, q := range []string{
		`{"query":"select","gen":"one","samples":1,"vrs_hints":false,"fast_clear":true,"bpp":32,"tile":"THIN"}`,
		`{"query":"quad","nibble":5,"mode":3,"quad_x":1,"quad_y":2}`,
		`{"query":"nibble","samples":4,"variant":2,"nibble":14}`,
		`{"query":"address","layout":"linear","width":100,"height":40,"x":99,"y":39,"slice":2}`,
		`{"query":"address","layout":"gfx6-8 tiled","pipe_config":"P4_16x16","width":100,"height":40,"x":99,"y":39,"slice":2}`,
		`{"query":"address","layout":"gfx9","width":16,"height":16,"x":9,"y":3,"meta_block":[16,16],"pitch":16,"padded_height":16,` +
			`"equation":[[["x",3]],[["y",3],["z",0]],[["m",0]]],"pipe_bits":1,"pipe_xor":1,"interleave_log2":0}`,
		`{"query":"address","layout":"gfx10","width":16,"height":8,"x":9,"y":3,"meta_block":[8,8],"pitch":16,"padded_height":8,"equation":[[["x",3]]]}`,
	} {
		f.Add([]byte(q))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		result, err := answerLine(line)
		if err != nil {
			return
		}
		text, err := json.Marshal(result)
		if err != nil {
			t.Fatal(err)
		}
		var a struct {
			Byte int64
			Bit  int
		}
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		if a.Byte < 0 {
			t.Fatalf("negative address %s", text)
		}
	})
}

// FuzzDecode feeds dumps; what is decoded must report, draw and encode back to the same bits.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x1F, 0x02}, uint16(12), uint16(10), uint8(0), uint8(1), uint8(0), uint8(0))
	f.Add(make([]byte, 1024), uint16(100), uint16(100), uint8(3), uint8(2), uint8(2), uint8(1))
	f.Add(make([]byte, 64), uint16(33), uint16(9), uint8(1), uint8(3), uint8(3), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, w, h uint16, layout, variant, samplesLog2, slice uint8) {
		var a cmask.Addresser
		var err error
		switch configs := cmask.PipeConfigs(); {
		case layout == 0:
			a, err = cmask.NewLinear(int(w), int(h))
		case layout == 1:
			a, err = cmask.NewLinearBytes(int(w), int(h))
		default:
			a, err = cmask.NewTiled(int(w), int(h), configs[int(layout)%len(configs)])
		}
		if err != nil {
			return
		}
		checkDecoded(t, data, a, cmask.Variant(variant), 1<<(samplesLog2%8), int(slice))
	})
}

func checkDecoded(t *testing.T, data []byte, a cmask.Addresser, variant cmask.Variant, samples, slice int) {
	t.Helper()
	s, err := cmask.Decode(data, a, slice, variant, samples)
	if err != nil {
		return
	}
	back := append([]byte(nil), data...)
	if err := s.Encode(back, a, slice); err != nil {
		t.Fatal(err)
	}
	if string(back) != string(data) {
		t.Fatal("encoding what was decoded changed the data")
	}
	for _, m := range cmask.Modes() {
		v, err := s.View(m)
		if err != nil {
			continue
		}
		if r := v.Report(); r.TouchedPixels > r.Pixels || r.Bounds.Empty() != (r.TouchedPixels == 0) {
			t.Fatalf("%+v", r)
		}
		if err := v.WritePNG(io.Discard, cmask.PerQuad); err != nil {
			t.Fatal(err)
		}
		if err := v.WriteASCII(io.Discard, cmask.PerTile); err != nil {
			t.Fatal(err)
		}
	}
}

// FuzzEquation feeds equations and dumps.
func FuzzEquation(f *testing.F) {
	f.Add([]byte(`{"meta_block":[16,16],"pitch":32,"padded_height":16,"equation":[[["x",3]],[["y",3],["z",0]],[["m",0]]],"pipe_bits":1,"pipe_xor":1,"interleave_log2":0}`),
		make([]byte, 64), uint16(30), uint16(9), uint8(2), false)
	f.Add([]byte(`{"meta_block":[16,8],"pitch":16,"padded_height":8,"equation":[[["x",3],["y",4]]],"slice_bytes":8}`),
		make([]byte, 64), uint16(16), uint16(8), uint8(1), true)
	f.Fuzz(func(t *testing.T, equation, data []byte, w, h uint16, slice uint8, gfx10 bool) {
		from, err := jsonlines.Parse(equation)
		if err != nil {
			return
		}
		c, err := cmask.ParseEquation(from)
		if err != nil {
			return
		}
		if gfx10 {
			c.Form = cmask.GFX10
		}
		a, err := cmask.NewEquation(int(w), int(h), c)
		if err != nil {
			return
		}
		checkDecoded(t, data, a, cmask.FastClear, 1, int(slice))
	})
}
