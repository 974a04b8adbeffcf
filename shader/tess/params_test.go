package tess_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/shader/tess"
)

func newControl(t *testing.T) *tess.Control {
	c, err := tess.NewControl(tess.DefaultDevice(), nil)
	require.NoError(t, err)
	return c
}

func TestControlReadsBackWhatWasSet(t *testing.T) {
	c := newControl(t)
	want := params(tess.FlagOffchip, 17, 2.5, 4)
	require.NoError(t, c.Set(&want))
	_, err := c.Draw(workedDraw(t, tess.Uniform(3)), tess.Shaders{HullOffchip: true, DomainOffchip: true})
	require.NoError(t, err)
	got := tess.Params{Size: tess.ParamsSize}
	require.NoError(t, c.GetLastUsed(&got))
	require.Equal(t, want, got)
}

func TestControlReadsBackTheCorrection(t *testing.T) {
	c := newControl(t)
	wish := params(0, 500, 0, 0)
	require.NoError(t, c.Set(&wish))
	p, err := c.Draw(workedDraw(t, tess.Uniform(3)), tess.Shaders{})
	require.NoError(t, err)
	require.Equal(t, []tess.Adjustment{{Field: "PatchesPerThreadgroup", Requested: 500, Used: 64, Reason: "hw"}}, p.Adjustments)
	got := tess.Params{Size: tess.ParamsSize}
	require.NoError(t, c.GetLastUsed(&got))
	require.EqualValues(t, 64, got.PatchesPerThreadgroup)

	// A later Set is not yet used; a refused draw uses nothing.
	wish.PatchesPerThreadgroup = 8
	require.NoError(t, c.Set(&wish))
	_, err = c.Draw(tess.Draw{}, tess.Shaders{})
	require.Error(t, err)
	require.NoError(t, c.GetLastUsed(&got))
	require.EqualValues(t, 64, got.PatchesPerThreadgroup)

	require.NoError(t, c.Set(nil))
	p, err = c.Draw(workedDraw(t, tess.Uniform(3)), tess.Shaders{})
	require.NoError(t, err)
	require.Empty(t, p.Adjustments)
	require.NoError(t, c.GetLastUsed(&got))
	require.Equal(t, params(0, 64, 0, 0), got, "the driver's own choice is told")
}

func TestControlRefuses(t *testing.T) {
	c := newControl(t)
	for _, size := range []uint32{0, 16, 24} {
		require.ErrorIs(t, c.Set(&tess.Params{Size: size}), tess.ErrSize)
		got := tess.Params{Size: size, PatchesPerThreadgroup: 99}
		require.ErrorIs(t, c.GetLastUsed(&got), tess.ErrSize)
		require.Equal(t, tess.Params{Size: size, PatchesPerThreadgroup: 99}, got, "untouched")
	}
	got := params(0, 99, 0, 0)
	require.ErrorIs(t, c.GetLastUsed(&got), tess.ErrNoTessDraw)
	require.Equal(t, params(0, 99, 0, 0), got, "untouched")

	nan := params(0, 0, float32(math.NaN()), 0)
	require.ErrorIs(t, c.Set(&nan), tess.ErrThresholdNaN)
	unknown := params(2, 0, 0, 0)
	require.EqualError(t, c.Set(&unknown), "unknown Flags bits 0x2")

	for _, s := range []tess.Shaders{{HullOffchip: true}, {DomainOffchip: true}} {
		_, err := c.Draw(workedDraw(t, tess.Uniform(3)), s)
		require.ErrorIs(t, err, tess.ErrOffchipMismatch)
	}
	_, err := tess.NewControl(tess.Device{}, nil)
	require.EqualError(t, err, "device: wave is 0, expected 1 to 1048576")
}

func TestControlWarnsOfRecompilation(t *testing.T) {
	c := newControl(t)
	wish := params(tess.FlagOffchip, 0, 0, 0)
	require.NoError(t, c.Set(&wish))
	p, err := c.Draw(workedDraw(t, tess.Uniform(3)), tess.Shaders{})
	require.NoError(t, err)
	require.Equal(t, []string{tess.WarnRecompile}, p.Warnings)
	p, err = c.Draw(workedDraw(t, tess.Uniform(3)), tess.Shaders{HullOffchip: true, DomainOffchip: true})
	require.NoError(t, err)
	require.Empty(t, p.Warnings)
}
