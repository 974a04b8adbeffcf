package source_test

import (
	"os"
	"strings"
	"testing"

	"github.com/outflow-gpu/outflow/trace/audit/source"
)

// BenchmarkFile audits a text of many functions, one in eight of which uses
// the struct.
func BenchmarkFile(b *testing.B) {
	plain := "static int g(int a, struct x *p) { for (int i = 0; i < a; i++) { if (p->n[i] > 3) p->m += f(p, i, \"text\"); } return p->m; }\n"
	used := "void f(struct ctx *c) { struct pipe_shader_state s = {0}; s.tokens = t; c->create_vs_state(c, &s); }\n"
	src := strings.Repeat(strings.Repeat(plain, 7)+used, 200)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		source.File("a.c", src, source.Options{})
	}
}

// BenchmarkTree audits the tree of OUTFLOW_C_TREE.
func BenchmarkTree(b *testing.B) {
	root := os.Getenv("OUTFLOW_C_TREE")
	if root == "" {
		b.Skip("OUTFLOW_C_TREE is not set")
	}
	for b.Loop() {
		rep, err := source.Directory(os.DirFS(root), source.Options{Root: root})
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(rep.Bytes)
	}
}
