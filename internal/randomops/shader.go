package randomops

import (
	"fmt"
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

// shader is a shader and what it captures.
type shader struct {
	handle  pipe.Handle
	stage   pipe.Stage
	buffers uint8
	stride  [pipe.MaxStreamOutputBuffers]int // bytes
	stream  [pipe.MaxStreamOutputBuffers]int
}

// maxShaders is how many shaders of a stage live at once.
const maxShaders = 12

func (x *context) newShader(stage pipe.Stage) {
	if len(x.shaders[stage]) >= maxShaders {
		return
	}
	s := &shader{stage: stage}
	state := pipe.ShaderState{}
	registers := 2 + x.r.IntN(5)
	streams := 1
	if stage == pipe.Geometry && x.r.IntN(3) == 0 {
		streams = 2 + x.r.IntN(3)
	}
	state.Tokens = []byte(x.text(stage, registers, streams))
	if stage.CanStreamOut() && x.r.IntN(4) != 0 {
		x.fill(s, &state.StreamOutput, registers, streams)
	}
	s.handle = x.made(x.CreateShader(stage, &state))
	x.shaders[stage] = append(x.shaders[stage], s)
}

// fill makes an info: each register at most once, buffers filled without gaps
// but for some at the end of a vertex, every buffer of one stream.
func (x *context) fill(s *shader, info *pipe.StreamOutputInfo, registers, streams int) {
	var end [pipe.MaxStreamOutputBuffers]int
	used := 1 + x.r.IntN(pipe.MaxStreamOutputBuffers)
	used = max(used, streams)
	for b := range used {
		s.stream[b] = b % streams
	}
	for register := range registers {
		// Of several streams, register r is written by stream r modulo their number.
		b := x.r.IntN(used)
		if streams > 1 {
			b = register % streams
		}
		start := x.r.IntN(4)
		n := 1 + x.r.IntN(4-start)
		if register == 0 {
			start, n = 0, 4 // the position is captured whole
		}
		word, err := pipe.OutputNumbers{RegisterIndex: uint64(register), StartComponent: uint64(start), NumComponents: uint64(n),
			OutputBuffer: uint64(b), DstOffset: uint64(end[b]), Stream: uint64(s.stream[b])}.Pack()
		x.note(err)
		info.Output[info.NumOutputs] = word
		info.NumOutputs++
		end[b] += n
		s.buffers |= 1 << b
	}
	for b := range end {
		if end[b] == 0 {
			continue
		}
		end[b] += x.r.IntN(3)
		info.Stride[b] = uint16(end[b])
		s.stride[b] = 4 * end[b]
	}
}

// text writes TGSI that writes all components of registers outputs.
func (x *context) text(stage pipe.Stage, registers, streams int) string {
	var b strings.Builder
	line := 0
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	do := func(format string, args ...any) {
		say("%3d: "+format, append([]any{line}, args...)...)
		line++
	}
	in := "IN[0]"
	switch stage {
	case pipe.Vertex:
		say("VERT\nDCL IN[0]")
	case pipe.TessCtrl:
		say("TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], POSITION\nDCL OUT[0], TESSOUTER\nDCL OUT[1], TESSINNER\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}")
		do("MOV OUT[0], IMM[0]")
		do("MOV OUT[1], IMM[0]")
		do("END")
		return b.String()
	case pipe.TessEval:
		say("TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 0\nPROPERTY TES_VERTEX_ORDER_CW 0\nPROPERTY TES_POINT_MODE 0\nDCL IN[][0], POSITION")
		in = "IN[0][0]"
	case pipe.Geometry:
		output := oneOf(x.r, "POINTS", "LINE_STRIP", "TRIANGLE_STRIP")
		if streams > 1 {
			output = "POINTS"
		}
		say("GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE %s\nPROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION", output)
		in = "IN[0][0]"
	case pipe.Fragment:
		say("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR")
		for range x.r.IntN(4) {
			do("ADD OUT[0], IN[0], IN[0]")
		}
		do("MOV OUT[0], IN[0]")
		do("END")
		return b.String()
	}
	for i := range registers {
		semantic := fmt.Sprintf("GENERIC[%d]", i)
		if i == 0 {
			semantic = "POSITION"
		}
		if streams > 1 {
			stream := i % streams
			semantic += fmt.Sprintf(", STREAM(%d, %d, %d, %d)", stream, stream, stream, stream)
		}
		say("DCL OUT[%d], %s", i, semantic)
	}
	if stage == pipe.Geometry {
		say("IMM[0] UINT32 {0, 1, 2, 3}")
	}
	for i := range registers {
		do("MOV OUT[%d], %s", i, in)
	}
	if stage == pipe.Geometry {
		for stream := range streams {
			swizzle := strings.Repeat("xyzw"[stream:stream+1], 4)
			do("EMIT IMM[0].%s", swizzle)
			do("ENDPRIM IMM[0].%s", swizzle)
		}
	}
	do("END")
	return b.String()
}

// dropShader deletes a shader that is not bound.
func (x *context) dropShader() {
	stage := pipe.Stage(x.r.IntN(int(pipe.Compute)))
	list := x.shaders[stage]
	i := x.r.IntN(len(list))
	if len(list) < 3 || list[i] == x.bound[stage] {
		return
	}
	x.note(x.DeleteShader(stage, list[i].handle))
	x.shaders[stage] = append(list[:i:i], list[i+1:]...)
}
