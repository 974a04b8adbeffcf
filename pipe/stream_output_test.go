package pipe

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// bitString spells the word of an output as 32 binary digits, highest first, by
// concatenating its fields: the oracle of packing.
func bitString(register, mask, buffer, dst, stream uint64) string {
	r := fmt.Sprintf("%08b", register)
	return r[:3] + fmt.Sprintf("%02b%016b%04b", stream, dst, mask) + r[3:] + fmt.Sprintf("%02b", buffer)
}

func requirePacks(t *testing.T, register, mask, buffer, dst, stream uint64) {
	t.Helper()
	o, err := PackMask(register, mask, buffer, dst, stream)
	require.NoError(t, err)
	require.Equal(t, bitString(register, mask, buffer, dst, stream), fmt.Sprintf("%032b", uint32(o)))
	require.Equal(t, []uint64{register, mask, buffer, dst, stream},
		[]uint64{uint64(o.Register()), uint64(o.Mask()), uint64(o.Buffer()), uint64(o.DstOffset()), uint64(o.Stream())})
}

func TestPackMaskEveryValueOfEachField(t *testing.T) {
	for register := range uint64(256) {
		for mask := uint64(1); mask < 16; mask++ {
			requirePacks(t, register, mask, register&3, register*257, mask&3)
		}
	}
	for buffer := range uint64(4) {
		for stream := range uint64(4) {
			requirePacks(t, 0xa5, 15, buffer, 0, stream)
		}
	}
	for dst := range uint64(1 << 16) {
		o, err := PackMask(255, 15, 3, dst, 3)
		if err != nil || o.DstOffset() != int(dst) || o.Register() != 255 || o.Mask() != 15 || o.Buffer() != 3 || o.Stream() != 3 {
			t.Fatalf("dst_offset %d became %d, %v", dst, o.DstOffset(), err)
		}
	}
}

func TestPackMaskAgainstBitStrings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		requirePacks(t, rng.Uint64N(256), 1+rng.Uint64N(15), rng.Uint64N(4), rng.Uint64N(1<<16), rng.Uint64N(4))
	}
}

func TestEveryWordUnpacksAndPacks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		o := StreamOutput(rng.Uint32())
		if o.Mask() == 0 {
			continue
		}
		again, err := PackMask(uint64(o.Register()), uint64(o.Mask()), uint64(o.Buffer()), uint64(o.DstOffset()), uint64(o.Stream()))
		require.NoError(t, err)
		require.Equal(t, o, again)
		if o.Contiguous() {
			again, err = o.Numbers().Pack()
			require.NoError(t, err)
			require.Equal(t, o, again)
		}
	}
}

func TestNumbersPackStartAndCount(t *testing.T) {
	for start := range uint64(6) {
		for count := range uint64(9) {
			o, err := OutputNumbers{RegisterIndex: 1, StartComponent: start, NumComponents: count}.Pack()
			if start > 3 || count == 0 || start+count > 4 {
				require.Error(t, err, "start %d count %d", start, count)
				require.Zero(t, o)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, strings.Repeat("1", int(count))+strings.Repeat("0", int(start)), fmt.Sprintf("%b", o.Mask()))
			require.True(t, o.Contiguous())
			require.Equal(t, int(start), o.StartComponent())
			require.Equal(t, int(count), o.NumComponents())
		}
	}
}

func TestPackRefuses(t *testing.T) {
	good := OutputNumbers{RegisterIndex: 1, StartComponent: 0, NumComponents: 4}
	for _, tc := range []struct {
		name   string
		change func(*OutputNumbers)
		words  string
	}{
		{"register of nine bits", func(n *OutputNumbers) { n.RegisterIndex = 256 }, "register_index is 256, at most 255"},
		{"register that wraps to a good one", func(n *OutputNumbers) { n.RegisterIndex = 300 }, "register_index is 300, at most 255"},
		{"register of 64 bits", func(n *OutputNumbers) { n.RegisterIndex = 1 << 63 }, "register_index is 9223372036854775808"},
		{"buffer four", func(n *OutputNumbers) { n.OutputBuffer = 4 }, "output_buffer is 4, at most 3"},
		{"buffer five", func(n *OutputNumbers) { n.OutputBuffer = 5 }, "output_buffer is 5, at most 3"},
		{"stream four", func(n *OutputNumbers) { n.Stream = 4 }, "stream is 4, at most 3"},
		{"place of 17 bits", func(n *OutputNumbers) { n.DstOffset = 65536 }, "dst_offset is 65536 dw, at most 65535 dw"},
		{"five components", func(n *OutputNumbers) { n.NumComponents = 5 }, "start_component 0 with num_components 5"},
		{"no component", func(n *OutputNumbers) { n.NumComponents = 0 }, "start_component 0 with num_components 0"},
		{"past w", func(n *OutputNumbers) { n.StartComponent = 1 }, "start_component 1 with num_components 4"},
		{"sum that overflows", func(n *OutputNumbers) { n.StartComponent, n.NumComponents = 3, 1<<64-2 }, "start_component 3"},
		{"start that overflows", func(n *OutputNumbers) { n.StartComponent, n.NumComponents = 1<<64-1, 2 }, "start_component 18446744073709551615"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			n := good
			tc.change(&n)
			o, err := n.Pack()
			require.ErrorContains(t, err, tc.words)
			require.Zero(t, o)
		})
	}
	for _, n := range []OutputNumbers{{RegisterIndex: 77, NumComponents: 4}, {RegisterIndex: 255, NumComponents: 1}, {DstOffset: 65535, NumComponents: 1}} {
		o, err := n.Pack()
		require.NoError(t, err)
		require.Equal(t, n, o.Numbers())
	}
	_, err := PackMask(0, 0, 0, 0, 0)
	require.ErrorContains(t, err, "register_mask is 0x0")
	_, err = PackMask(0, 16, 0, 0, 0)
	require.ErrorContains(t, err, "register_mask is 0x10")
}

func TestRuns(t *testing.T) {
	type run struct{ start, count, dst uint64 }
	want := map[uint64][]run{
		0b0000: nil,
		0b0001: {{0, 1, 4}}, 0b0010: {{1, 1, 4}}, 0b0100: {{2, 1, 4}}, 0b1000: {{3, 1, 4}},
		0b0011: {{0, 2, 4}}, 0b0110: {{1, 2, 4}}, 0b1100: {{2, 2, 4}},
		0b0111: {{0, 3, 4}}, 0b1110: {{1, 3, 4}}, 0b1111: {{0, 4, 4}},
		0b0101: {{0, 1, 4}, {2, 1, 5}}, 0b1010: {{1, 1, 4}, {3, 1, 5}}, 0b1001: {{0, 1, 4}, {3, 1, 5}},
		0b1011: {{0, 2, 4}, {3, 1, 6}}, 0b1101: {{0, 1, 4}, {2, 2, 5}},
	}
	require.Len(t, want, 16)
	for mask, runs := range want {
		o := StreamOutput(mask<<maskShift | 4<<dstOffsetShift | 2<<bufferShift | 3<<streamShift | 9<<registerLowShift)
		var got []run
		for n := range o.Runs() {
			require.Equal(t, OutputNumbers{RegisterIndex: 9, OutputBuffer: 2, Stream: 3,
				StartComponent: n.StartComponent, NumComponents: n.NumComponents, DstOffset: n.DstOffset}, n)
			got = append(got, run{n.StartComponent, n.NumComponents, n.DstOffset})
		}
		require.Equal(t, runs, got, "mask %04b", mask)
		require.Equal(t, len(runs) == 1, o.Contiguous(), "mask %04b", mask)
	}
}

func TestRunsStops(t *testing.T) {
	count := 0
	for range StreamOutput(0b1010 << maskShift).Runs() {
		count++
		break
	}
	require.Equal(t, 1, count)
}

// TestStreamOutputInfoSize holds the layout: 12 bytes and 4 for each output.
// The field that forbids == is as aligned as a pointer, so that a 64-bit build
// pads the whole by 4 bytes.
func TestStreamOutputInfoSize(t *testing.T) {
	var info StreamOutputInfo
	require.EqualValues(t, 0, unsafe.Offsetof(info.NumOutputs))
	require.EqualValues(t, 4, unsafe.Offsetof(info.Stride))
	require.EqualValues(t, 12, unsafe.Offsetof(info.Output))
	end := unsafe.Offsetof(info.Output) + unsafe.Sizeof(info.Output)
	require.EqualValues(t, 524, end)
	align := unsafe.Alignof(uintptr(0))
	require.Equal(t, (end+align-1)/align*align, unsafe.Sizeof(info))
	require.EqualValues(t, 4, unsafe.Sizeof(StreamOutput(0)))
}

func TestStreamOutputInfoCannotBeCompared(t *testing.T) {
	require.False(t, reflect.TypeFor[StreamOutputInfo]().Comparable())
	require.False(t, reflect.TypeFor[ShaderState]().Comparable())
	require.True(t, reflect.TypeFor[StreamOutput]().Comparable())
}

func TestZeroInfoIsNoStreamOutput(t *testing.T) {
	var s ShaderState
	require.True(t, s.StreamOutput.Clean())
	require.Empty(t, s.StreamOutput.Outputs())
	require.Equal(t, []byte{0, 0, 0, 0}, s.StreamOutput.AppendCanonical(nil))
}

func out(t testing.TB, register, start, count, buffer, dst, stream uint64) StreamOutput {
	t.Helper()
	o, err := OutputNumbers{register, start, count, buffer, dst, stream}.Pack()
	require.NoError(t, err)
	return o
}

func TestAppendCanonical(t *testing.T) {
	info, err := NewStreamOutputInfo([4]uint16{0x0102, 0, 0, 0xffff}, StreamOutput(0x80000001), StreamOutput(0x11223344))
	require.NoError(t, err)
	info.Output[2] = 77
	require.Equal(t, []byte{'x', 2, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0xff, 0xff, 1, 0, 0, 0x80, 0x44, 0x33, 0x22, 0x11},
		info.AppendCanonical([]byte("x")))
}

func TestEqualAgreesWithCanonical(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	equal := 0
	for range 20000 {
		a, b := randomInfo(rng), randomInfo(rng)
		same := string(a.AppendCanonical(nil)) == string(b.AppendCanonical(nil))
		if same {
			equal++
		}
		require.Equal(t, same, a.Equal(&b))
		require.Equal(t, same, b.Equal(&a))
		require.True(t, a.Equal(&a))
	}
	require.Greater(t, equal, 100, "the random infos never were equal")
}

// randomInfo draws from so few values that equal infos are common, with dirt
// behind the used outputs and a num_outputs that may lie.
func randomInfo(rng *rand.Rand) (info StreamOutputInfo) {
	info.NumOutputs = []uint32{0, 1, 2, MaxStreamOutputs + 1}[rng.IntN(4)]
	info.Stride[rng.IntN(2)] = uint16(rng.IntN(2))
	for k := range 3 {
		info.Output[k] = StreamOutput(rng.IntN(2))
	}
	return info
}

func TestEqualLooksAtTheUsedPartOnly(t *testing.T) {
	a, _ := NewStreamOutputInfo([4]uint16{4}, out(t, 1, 0, 4, 0, 0, 0))
	for _, tc := range []struct {
		name   string
		change func(*StreamOutputInfo)
		equal  bool
	}{
		{"an unused output", func(i *StreamOutputInfo) { i.Output[1] = 1 }, true},
		{"the last output", func(i *StreamOutputInfo) { i.Output[MaxStreamOutputs-1] = 1 }, true},
		{"a used output", func(i *StreamOutputInfo) { i.Output[0]++ }, false},
		{"a stride", func(i *StreamOutputInfo) { i.Stride[3] = 1 }, false},
		{"one more", func(i *StreamOutputInfo) { i.NumOutputs = 2 }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := a
			tc.change(&b)
			require.Equal(t, tc.equal, a.Equal(&b))
		})
	}
	none, strided := StreamOutputInfo{}, StreamOutputInfo{Stride: [4]uint16{9}}
	require.True(t, none.Equal(&strided), "strides without outputs capture nothing")
}

func TestClean(t *testing.T) {
	for _, tc := range []struct {
		name  string
		info  StreamOutputInfo
		clean bool
	}{
		{"the zero value", StreamOutputInfo{}, true},
		{"a stride without outputs", StreamOutputInfo{Stride: [4]uint16{0, 0, 0, 1}}, false},
		{"an output without num_outputs", StreamOutputInfo{Output: [MaxStreamOutputs]StreamOutput{1}}, false},
		{"a used output", StreamOutputInfo{NumOutputs: 1, Stride: [4]uint16{1}, Output: [MaxStreamOutputs]StreamOutput{1}}, true},
		{"dirt behind the used ones", StreamOutputInfo{NumOutputs: 1, Output: [MaxStreamOutputs]StreamOutput{1, 2}}, false},
		{"dirt in the last entry", StreamOutputInfo{NumOutputs: 1, Output: [MaxStreamOutputs]StreamOutput{127: 2}}, false},
		{"num_outputs past the array", StreamOutputInfo{NumOutputs: 1<<32 - 1, Output: [MaxStreamOutputs]StreamOutput{127: 2}}, true},
	} {
		t.Run(tc.name, func(t *testing.T) { require.Equal(t, tc.clean, tc.info.Clean()) })
	}
}

func TestLyingNumOutputs(t *testing.T) {
	info := StreamOutputInfo{NumOutputs: 3203391149}
	require.Len(t, info.Outputs(), MaxStreamOutputs)
	require.Len(t, info.AppendCanonical(nil), 12+4*MaxStreamOutputs)
	require.EqualValues(t, 1, info.Buffers())
	require.Zero(t, info.Extent(1))
}

func TestNewStreamOutputInfo(t *testing.T) {
	full := make([]StreamOutput, MaxStreamOutputs)
	info, err := NewStreamOutputInfo([4]uint16{}, full...)
	require.NoError(t, err)
	require.EqualValues(t, MaxStreamOutputs, info.NumOutputs)
	_, err = NewStreamOutputInfo([4]uint16{}, append(full, 0)...)
	require.ErrorContains(t, err, "num_outputs is 129, at most 128")
}

func TestBuffersAndExtent(t *testing.T) {
	info, err := NewStreamOutputInfo([4]uint16{8, 0, 65535, 0},
		out(t, 0, 0, 4, 0, 4, 0), out(t, 1, 0, 1, 0, 0, 0), out(t, 2, 1, 3, 2, 65535, 1))
	require.NoError(t, err)
	require.EqualValues(t, 0b0101, info.Buffers())
	require.Equal(t, []int{8, 0, 65538, 0}, []int{info.Extent(0), info.Extent(1), info.Extent(2), info.Extent(3)})
}

func TestInfoNumbers(t *testing.T) {
	holes, _ := PackMask(3, 0b1010, 1, 4, 2)
	info, err := NewStreamOutputInfo([4]uint16{1, 2, 3, 4}, out(t, 1, 0, 4, 0, 0, 0), holes, StreamOutput(0))
	require.NoError(t, err)
	require.Equal(t, &StreamOutputNumbers{NumOutputs: 4, Stride: []uint64{1, 2, 3, 4}, Output: []OutputNumbers{
		{RegisterIndex: 1, NumComponents: 4},
		{3, 1, 1, 1, 4, 2},
		{3, 3, 1, 1, 5, 2},
		{}, // an empty mask is an output all the same
	}}, info.Numbers())
}

func TestInfoNumbersPackHostile(t *testing.T) {
	full := slices.Repeat([]OutputNumbers{{NumComponents: 1}}, MaxStreamOutputs+1)
	for _, tc := range []struct {
		name     string
		numbers  StreamOutputNumbers
		num      uint32
		problems []string
	}{
		{"nothing", StreamOutputNumbers{}, 0, nil},
		{"a wild count over no output", StreamOutputNumbers{NumOutputs: 3203391149}, 0, []string{"num_outputs is 3203391149, at most 128"}},
		{"all bits set", StreamOutputNumbers{NumOutputs: 4294967295, Output: full}, 128, []string{"num_outputs is 4294967295, at most 128"}},
		{"64 bits set", StreamOutputNumbers{NumOutputs: 1<<64 - 1}, 0, []string{"num_outputs is 18446744073709551615, at most 128"}},
		{"one too many", StreamOutputNumbers{NumOutputs: 129, Output: full}, 128, []string{"num_outputs is 129, at most 128"}},
		{"exactly full", StreamOutputNumbers{NumOutputs: 128, Output: full[:128]}, 128, nil},
		{"more counted than there", StreamOutputNumbers{NumOutputs: 2, Output: full[:1]}, 1, []string{"num_outputs is 2, but 1 outputs are there"}},
		{"fewer counted than there", StreamOutputNumbers{NumOutputs: 1, Output: full[:2]}, 1, []string{"num_outputs is 1, but 2 outputs are there"}},
		{"a stride of 17 bits", StreamOutputNumbers{Stride: []uint64{65535, 65536}}, 0, []string{"stride[1] is 65536 dw, at most 65535 dw"}},
		{"five strides", StreamOutputNumbers{Stride: []uint64{1, 2, 3, 4, 5}}, 0, []string{"stride has 5 entries, at most 4"}},
		{"buffer and register", StreamOutputNumbers{NumOutputs: 3, Output: []OutputNumbers{
			{NumComponents: 1, OutputBuffer: 5}, {NumComponents: 4, RegisterIndex: 77}, {NumComponents: 1, RegisterIndex: 300}}},
			3, []string{"output[0]: output_buffer is 5, at most 3", "output[2]: register_index is 300, at most 255"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			info := StreamOutputInfo{NumOutputs: 9, Output: [MaxStreamOutputs]StreamOutput{127: 5}}
			var got []string
			for _, err := range tc.numbers.Pack(&info) {
				got = append(got, err.Error())
			}
			require.Equal(t, tc.problems, got)
			require.Equal(t, tc.num, info.NumOutputs)
			require.True(t, info.NumOutputs == 0 || info.Clean(), "what was there before is gone")
			for k, o := range info.Outputs() {
				if want, err := tc.numbers.Output[k].Pack(); err == nil {
					require.Equal(t, want, o)
				} else {
					require.Zero(t, o.Mask())
				}
			}
		})
	}
}

func TestInfoNumbersRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		var info StreamOutputInfo
		info.NumOutputs = uint32(rng.IntN(MaxStreamOutputs + 1))
		for b := range info.Stride {
			info.Stride[b] = uint16(rng.Uint32())
		}
		for k := range info.Outputs() {
			for !info.Output[k].Contiguous() {
				info.Output[k] = StreamOutput(rng.Uint32())
			}
		}
		var again StreamOutputInfo
		require.Empty(t, info.Numbers().Pack(&again))
		require.True(t, info.Equal(&again))
		require.Equal(t, info.Stride, again.Stride)
	}
}

func TestHotMethodsDoNotAllocate(t *testing.T) {
	a, _ := NewStreamOutputInfo([4]uint16{8}, out(t, 1, 0, 4, 0, 0, 0), out(t, 2, 0, 4, 1, 0, 0))
	b := a
	buf := make([]byte, 0, 1024)
	numbers := OutputNumbers{RegisterIndex: 77, NumComponents: 4, DstOffset: 65535}
	sum := 0
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if !a.Equal(&b) || !a.Clean() {
			sum++
		}
		buf = a.AppendCanonical(buf[:0])
		o, _ := numbers.Pack()
		for n := range o.Runs() {
			sum += int(n.NumComponents)
		}
		sum += a.Extent(0) + int(a.Buffers()) + o.End() + len(a.Outputs())
	}))
	require.NotZero(t, sum)
}

func BenchmarkAppendCanonical(b *testing.B) {
	info, _ := NewStreamOutputInfo([4]uint16{16}, out(b, 0, 0, 4, 0, 0, 0), out(b, 1, 0, 4, 0, 4, 0), out(b, 2, 0, 4, 0, 8, 0), out(b, 3, 0, 4, 0, 12, 0))
	buf := make([]byte, 0, 64)
	for b.Loop() {
		buf = info.AppendCanonical(buf[:0])
	}
}

func BenchmarkEqual(b *testing.B) {
	info, _ := NewStreamOutputInfo([4]uint16{16}, out(b, 0, 0, 4, 0, 0, 0), out(b, 1, 0, 4, 0, 4, 0), out(b, 2, 0, 4, 0, 8, 0), out(b, 3, 0, 4, 0, 12, 0))
	other := info
	for b.Loop() {
		if !info.Equal(&other) {
			b.Fatal("differ")
		}
	}
}
