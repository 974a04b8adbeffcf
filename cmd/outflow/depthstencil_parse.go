package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
)

// parseFragmentShader reads what a fragment shader does; nothing is not known.
func parseFragmentShader(s string) (*cso.FragmentShader, error) {
	if s == "" {
		return nil, nil
	}
	var fs cso.FragmentShader
	for word := range strings.SplitSeq(s, ",") {
		switch word {
		case "plain":
		case "discards":
			fs.Discards = true
		case "writes-depth":
			fs.WritesDepth = true
		default:
			return nil, fmt.Errorf("shader is %q, expected plain, discards, writes-depth or discards,writes-depth", s)
		}
	}
	return &fs, nil
}

// parseStencilRef reads one reference for both facings, or front,back.
func parseStencilRef(s string) (cso.StencilRef, error) {
	front, back, two := strings.Cut(s, ",")
	if !two {
		back = front
	}
	r := cso.StencilRef{Known: true}
	for i, text := range []string{front, back} {
		v, err := strconv.ParseUint(text, 0, 8)
		if err != nil {
			return r, fmt.Errorf("ref is %q, expected one or two numbers from 0 to 255", s)
		}
		r.Value[i] = uint8(v)
	}
	return r, nil
}

func parseBounds(s string) (low, high float64, err error) {
	first, second, _ := strings.Cut(s, ",")
	if low, err = strconv.ParseFloat(first, 64); err == nil {
		high, err = strconv.ParseFloat(second, 64)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("bounds is %q, expected MIN,MAX", s)
	}
	return low, high, nil
}

func parseAlphaTest(s string) (f pipe.CompareFunc, ref float32, err error) {
	name, text, _ := strings.Cut(s, ",")
	if f, err = cso.ParseDepthStencilFunc(name); err != nil {
		return f, 0, fmt.Errorf("alpha: %w", err)
	}
	v, err := strconv.ParseFloat(text, 32)
	if err != nil {
		return f, 0, fmt.Errorf("alpha is %q, expected FUNC,REF", s)
	}
	return f, float32(v), nil
}

// parseStencilFace reads func,fail,zpass,zfail,valuemask,writemask, of which
// the last may be missing.
func parseStencilFace(s string) (pipe.StencilState, error) {
	face := pipe.StencilState{Enabled: true, ValueMask: 0xff, WriteMask: 0xff}
	words := strings.Split(s, ",")
	if len(words) > 6 {
		return face, fmt.Errorf("%q has %d parts, at most 6: func,fail,zpass,zfail,valuemask,writemask", s, len(words))
	}
	ops := [...]*pipe.StencilOp{&face.FailOp, &face.ZPassOp, &face.ZFailOp}
	masks := [...]*uint8{&face.ValueMask, &face.WriteMask}
	var err error
	for i, word := range words {
		switch {
		case i == 0:
			face.Func, err = cso.ParseDepthStencilFunc(word)
		case i <= len(ops):
			*ops[i-1], err = cso.ParseDepthStencilOp(word)
		default:
			*masks[i-1-len(ops)], err = parseStencilMask(word)
		}
		if err != nil {
			return face, err
		}
	}
	return face, nil
}

func parseStencilMask(s string) (uint8, error) {
	v, err := strconv.ParseUint(s, 0, 8)
	if err != nil {
		return 0, fmt.Errorf("mask is %q, expected a number from 0 to 255", s)
	}
	return uint8(v), nil
}
