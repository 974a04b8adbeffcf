package shader_test

import (
	"strings"
	"testing"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/shader"
)

func benchmark(b *testing.B, text string) {
	data := []byte(text)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		shader.Parse(pipe.Vertex, data)
	}
}

// alu is arithmetic as most of a text is.
const alu = "    32   %164 = fmul %152.x, %160.y\n    32x4 %165 = load_const (0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000) = (1.000000, 1.000000, 1.000000, 1.000000)\n    32   %166 = ffma %152.x, %160.y, %164\n    32   %167 = fadd %165 (1.000000, 1.000000, 1.000000, 1.000000).x, %166\n"

func BenchmarkNIRSmall(b *testing.B) {
	benchmark(b, nirText(shader.NIRPercent, pipe.Vertex, "outputs: 2\n", plainDeclarations, strings.Repeat(alu, 8)+plainBody))
}

func BenchmarkNIRLarge(b *testing.B) {
	benchmark(b, nirText(shader.NIRPercent, pipe.Vertex, "outputs: 2\n", plainDeclarations, strings.Repeat(alu, 5000)+plainBody))
}

func BenchmarkTGSI(b *testing.B) {
	benchmark(b, "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL CONST[0][0..4]\nDCL TEMP[0..3]\n"+
		strings.Repeat("  1: MAD TEMP[0], CONST[0][0], IN[0].xxxx, TEMP[0]\n  2: MOV OUT[0].xy, TEMP[0].xyyy\n", 200)+"  3: END\n")
}
