package state_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/pipe"
)

// history is the slow model of the machine: it keeps every operation and, asked
// for something, reads them backwards or plays them vertex by vertex.
type history []pipe.Op

// world returns the operations since the last header.
func (h history) world() history {
	for i := len(h) - 1; i >= 0; i-- {
		if _, ok := h[i].Call.(*pipe.NewWorld); ok {
			return h[i+1:]
		}
	}
	return h
}

// born returns where a target of that address was last created before end, -1 if never.
func (h history) born(target pipe.Handle, end int) int {
	for i := end - 1; i >= 0; i-- {
		if _, ok := h[i].Call.(*pipe.CreateStreamOutputTarget); ok && h[i].Ret.Handle == target {
			return i
		}
	}
	return -1
}

// dead says whether the target created at i has ended by the end.
func (h history) dead(i int) bool {
	for _, op := range h[i+1:] {
		switch call := op.Call.(type) {
		case *pipe.CreateStreamOutputTarget:
			if op.Ret.Handle == h[i].Ret.Handle {
				return true
			}
		case *pipe.DestroyStreamOutputTarget:
			if call.Target == h[i].Ret.Handle {
				return true
			}
		case *pipe.ContextDestroy:
			if op.Context == h[i].Context {
				return true
			}
		}
	}
	return false
}

// contextBegins is where what is bound in the context begins, before end.
func (h history) contextBegins(context pipe.Handle, end int) int {
	for i := end - 1; i >= 0; i-- {
		if _, ok := h[i].Call.(*pipe.ContextDestroy); ok && h[i].Context == context {
			return i + 1
		}
	}
	return 0
}

// bound returns the births of the targets in the slots of a context before
// end, -1 for none, and where they were set.
func (h history) bound(context pipe.Handle, end int) (births [4]int, set int) {
	births = [4]int{-1, -1, -1, -1}
	for i := end - 1; i >= h.contextBegins(context, end); i-- {
		call, ok := h[i].Call.(*pipe.SetStreamOutputTargets)
		if !ok || h[i].Context != context {
			continue
		}
		for slot := range min(4, len(call.Targets)) {
			if call.Targets[slot] != 0 {
				births[slot] = h.born(call.Targets[slot], i)
			}
		}
		return births, i
	}
	return births, -1
}

// shader returns the create of the bound vertex shader of a context before end.
func (h history) shader(context pipe.Handle, end int) *pipe.CreateShader {
	for i := end - 1; i >= h.contextBegins(context, end); i-- {
		call, ok := h[i].Call.(*pipe.BindState)
		if !ok || h[i].Context != context {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			if create, ok := h[j].Call.(*pipe.CreateShader); ok && h[j].Ret.Handle == call.State {
				return create
			}
		}
		return nil
	}
	return nil
}

// position is where a target is, by drivers of either rule for the last vertex.
type position struct {
	bytes [2]int64
	lost  bool
}

// positions plays all binds and draws and returns where the targets are by
// birth. It writes vertex by vertex, as the draw module does.
func (h history) positions() map[int]*position {
	at := map[int]*position{}
	for i, op := range h {
		switch call := op.Call.(type) {
		case *pipe.CreateStreamOutputTarget:
			at[i] = &position{}
		case *pipe.SetStreamOutputTargets:
			births, _ := h.bound(op.Context, i+1)
			for slot, birth := range births {
				if birth >= 0 && call.Offsets[slot] != pipe.AppendOffset {
					at[birth] = &position{bytes: [2]int64{int64(call.Offsets[slot]), int64(call.Offsets[slot])}}
				}
			}
		case *pipe.Draw:
			h.play(i, call, at)
		}
	}
	return at
}

// play writes the primitives of the draw at i.
func (h history) play(i int, d *pipe.Draw, at map[int]*position) {
	births, _ := h.bound(h[i].Context, i)
	create := h.shader(h[i].Context, i)
	if create == nil || births == [4]int{-1, -1, -1, -1} {
		return
	}
	info := create.State.StreamOutput.Numbers()
	extent := map[int]int64{}
	lost := false
	for _, o := range info.Output {
		slot := int(o.OutputBuffer)
		extent[slot] = max(extent[slot], int64(o.DstOffset+o.NumComponents)*4)
		lost = lost || births[slot] < 0 || at[births[slot]].lost
	}
	perPrim := map[pipe.PrimitiveType]int{pipe.Points: 1, pipe.Lines: 2, pipe.Triangles: 3}[d.Info.Mode]
	for rule := range 2 {
		for range int(d.Draws[0].Count) / perPrim * int(d.Info.InstanceCount) {
			fits := !lost
			for slot, size := range extent {
				if !fits {
					break
				}
				end := at[births[slot]].bytes[rule]
				for range perPrim {
					last := end + size
					if rule == 1 {
						last = end + int64(info.Stride[slot])*4
					}
					fits = fits && last <= int64(h[births[slot]].Call.(*pipe.CreateStreamOutputTarget).BufferSize)
					end += int64(info.Stride[slot]) * 4
				}
			}
			if !fits {
				break // later primitives are as large
			}
			for slot := range extent {
				at[births[slot]].bytes[rule] += int64(perPrim) * int64(info.Stride[slot]) * 4
			}
		}
	}
	for slot := range extent {
		if birth := births[slot]; birth >= 0 && (lost || at[birth].bytes[0] != at[birth].bytes[1]) {
			lost = true
		}
	}
	for slot := range extent {
		if birth := births[slot]; birth >= 0 && lost {
			at[birth].lost = true
		}
	}
}

// someOp makes one of the operations that the model knows.
func someOp(r *rand.Rand, shaders []*pipe.CreateShader) pipe.Op {
	op := pipe.Op{Context: pipe.Handle(2 + r.IntN(2))}
	address := func() pipe.Handle { return pipe.Handle(0x60 + r.IntN(4)) }
	switch r.IntN(20) {
	case 0, 1, 2:
		op.Call, op.Ret.Handle = &pipe.CreateStreamOutputTarget{Resource: 9, BufferSize: uint32(r.IntN(40) * 4)}, address()
	case 3:
		op.Call = &pipe.DestroyStreamOutputTarget{Target: address()}
	case 4, 5, 6, 7, 8, 9:
		call := &pipe.SetStreamOutputTargets{}
		for i := range r.IntN(5) {
			h := address() + pipe.Handle(4*i) // no target in two slots
			if r.IntN(6) == 0 {
				h = 0
			}
			call.Targets = append(call.Targets, h)
			call.Offsets = append(call.Offsets, []uint32{0, 0, 16, 48, pipe.AppendOffset, pipe.AppendOffset, 0xFFFFFFF0}[r.IntN(7)])
		}
		call.NumTargets = uint32(len(call.Targets))
		op.Call = call
	case 10, 11, 12:
		op.Call = &pipe.BindState{Kind: pipe.ShaderKind(pipe.Vertex), State: pipe.Handle(0x50 + r.IntN(len(shaders)))}
	case 13:
		switch r.IntN(6) {
		case 0:
			op.Call = &pipe.ContextDestroy{}
		case 1:
			op = pipe.Op{Call: &pipe.NewWorld{}}
		default:
			op.Call = &pipe.Flush{}
		}
	default:
		op.Call = &pipe.Draw{Info: pipe.DrawInfo{Mode: []pipe.PrimitiveType{pipe.Points, pipe.Lines, pipe.Triangles}[r.IntN(3)],
			InstanceCount: uint32(1 + r.IntN(2))}, Draws: []pipe.DrawRange{{Count: uint32(r.IntN(9))}}, NumDraws: 1}
	}
	// Addresses of targets are in four ranges, one for each slot.
	if _, ok := op.Call.(*pipe.CreateStreamOutputTarget); ok {
		op.Ret.Handle += pipe.Handle(4 * r.IntN(4))
	}
	if d, ok := op.Call.(*pipe.DestroyStreamOutputTarget); ok {
		d.Target += pipe.Handle(4 * r.IntN(4))
	}
	return op
}

// modelShaders are the shaders of the property test, in their order of address.
func modelShaders() []*pipe.CreateShader {
	var list []*pipe.CreateShader
	for _, n := range []pipe.StreamOutputNumbers{
		{},
		{Stride: []uint64{4}, Output: []pipe.OutputNumbers{{NumComponents: 4}}},
		{Stride: []uint64{4}, Output: []pipe.OutputNumbers{{NumComponents: 3}}},
		{Stride: []uint64{4, 2}, Output: []pipe.OutputNumbers{{NumComponents: 4}, {NumComponents: 2, OutputBuffer: 1}}},
		{Stride: []uint64{0, 5}, Output: []pipe.OutputNumbers{{NumComponents: 1, OutputBuffer: 1}, {NumComponents: 2, OutputBuffer: 1, DstOffset: 2}}},
	} {
		n.NumOutputs = uint64(len(n.Output))
		c := &pipe.CreateShader{Stage: pipe.Vertex}
		n.Pack(&c.State.StreamOutput)
		list = append(list, c)
	}
	return list
}

func TestMachineAgreesWithHistory(t *testing.T) {
	shaders := modelShaders()
	lost, known := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		p, h := newTape(), history{}
		add := func(op pipe.Op) {
			p.do(op.Context, op.Call, op.Ret.Handle)
			if h = append(h, op); len(h.world()) == 0 { // shaders do not outlive a world
				for i, s := range shaders {
					p.do(2, s, pipe.Handle(0x50+i))
					h = append(h, pipe.Op{Call: s, Context: 2, Ret: pipe.Result{Handle: pipe.Handle(0x50 + i)}})
				}
			}
		}
		add(pipe.Op{Call: &pipe.NewWorld{}})
		for i := range 60 {
			if add(someOp(r, shaders)); i%6 == 5 {
				l, k := agree(t, p, h.world(), seed)
				lost, known = lost+l, known+k
			}
		}
	}
	require.Greater(t, lost, 100, "the sequences are to lose positions now and then")
	require.Greater(t, known, 1000, "and to know most of them")
}

// agree holds what the machine says against the model, and returns how many
// positions were lost and known.
func agree(t *testing.T, p *tape, h history, seed uint64) (lost, known int) {
	t.Helper()
	at := h.positions()
	for address := pipe.Handle(0x60); address < 0x60+16; address++ {
		birth, got := h.born(address, len(h)), p.m.Target(address)
		if birth < 0 {
			require.Nil(t, got, "seed %d: %v was never created", seed, address)
			continue
		}
		require.Equal(t, h.dead(birth), got.Dead, "seed %d: end of %v", seed, address)
		want := at[birth]
		require.Equal(t, !want.lost, got.Fill.Known, "seed %d: position of %v", seed, address)
		if want.lost {
			lost++
			continue
		}
		known++
		require.Equal(t, want.bytes[0], int64(got.Fill.Bytes), "seed %d: position of %v", seed, address)
	}
	for context := pipe.Handle(2); context < 4; context++ {
		births, set := h.bound(context, len(h))
		c := p.m.Context(context)
		if c == nil {
			require.Equal(t, -1, set, "seed %d: context %v", seed, context)
			continue
		}
		for slot, birth := range births {
			if o := c.Targets[slot].Object; birth < 0 {
				require.Nil(t, o, "seed %d: slot %d of context %v", seed, slot, context)
			} else {
				require.Equal(t, h[birth].Ret.Handle, o.Handle, "seed %d: slot %d of context %v", seed, slot, context)
				require.Equal(t, h.dead(birth), o.Dead, "seed %d: slot %d of context %v", seed, slot, context)
			}
		}
		last, ok := c.LastVertexStage()
		require.True(t, ok)
		if want := h.shader(context, len(h)); want == nil {
			require.Nil(t, last)
		} else {
			require.True(t, want.State.StreamOutput.Equal(&last.Info))
		}
	}
	return lost, known
}
