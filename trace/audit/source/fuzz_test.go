package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace/audit/source"
)

// FuzzFile feeds any bytes as C: the reader never panics, and what it reports
// lies in the text.
func FuzzFile(f *testing.F) {
	for _, src := range []string{
		header,
		`void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }`,
		"#if A\nvoid f(int x) {\n#elif B\n{\n#else\n#if 0\n}\n#endif\nvoid f() {\n#endif\nswitch (x) { case 1: do { goto l; } while (0); l:; } }",
		"#define X(a) \\\n static void a##_b(const struct pipe_shader_state *p) { *q = *p; }\n",
		"namespace a { template <class T> struct b : c<T> { void f() const { auto x = [&](int y) -> T { return (T)y; }; new (p) pipe_shader_state; } }; }",
		"struct a { struct { struct pipe_shader_state s[2]; } b; union { int c:3, d; }; }; typedef struct a *ap; ap f(ap x) { return &(*x).b.s[1], x; }",
		"void dump(struct pipe_stream_output_info *i) { m(f, uint, &i->output[0], stream); memcpy(&x, i, sizeof *i); }",
		"R\"x(\n)x\" '\\'' \"\\\n\" /* ... // \n*/ 0x1p-3 1'000 ... -> :: ## <<=",
		"void *f(const struct pipe_shader_state *t) { struct q *c = (struct q *)malloc(sizeof *c); c->s.tokens = t->tokens; if (x) for (;;) break; else return c; }",
		strings.Repeat("(", 300) + strings.Repeat("{", 300),
		"void f(pipe_shader_state *p) { p = &p->ir; p = &q; q = &p; g(p, q); f(q); }",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		lines := strings.Count(src, "\n") + 1
		for _, fd := range source.File("a.c", src, source.Options{}).Findings {
			require.Positive(t, fd.Line)
			require.LessOrEqual(t, fd.Line, lines)
			require.NotEmpty(t, fd.Reason)
			for _, s := range fd.Path {
				require.LessOrEqual(t, s.Line, lines)
			}
		}
	})
}

// FuzzDirectives checks the resolving of conditionals against a plain reading:
// a text whose conditions are all decided gives the findings of the text with
// the dead parts cut out.
func FuzzDirectives(f *testing.F) {
	f.Add(uint16(0b1011), "s.tokens = t;", "memset(&s, 0, sizeof s);")
	f.Add(uint16(0b0110), "", "c->create_vs_state(c, &s);")
	f.Fuzz(func(t *testing.T, pattern uint16, a, b string) {
		if strings.ContainsAny(a+b, "#\\\n\r{}()'\"/") || len(a)+len(b) > 200 {
			return
		}
		var all, live strings.Builder
		all.WriteString("void f(struct ctx *c) { struct pipe_shader_state s;\n")
		live.WriteString("void f(struct ctx *c) { struct pipe_shader_state s;\n")
		for i := range 4 {
			part := []string{a + ";", b + ";"}[pattern>>(4+i)&1]
			if pattern>>i&1 == 1 {
				all.WriteString("#if 1\n" + part + "\n#else\nmemset(&s, 0, sizeof s);\n#endif\n")
				live.WriteString(part + "\n")
			} else {
				all.WriteString("#if 0\n" + part + "\n#endif\n")
			}
		}
		all.WriteString("c->create_vs_state(c, &s); }\n")
		live.WriteString("c->create_vs_state(c, &s); }\n")
		one := source.File("a.c", all.String(), source.Options{}).Findings
		two := source.File("a.c", live.String(), source.Options{}).Findings
		require.Len(t, one, len(two))
		for i := range one {
			require.Equal(t, two[i].Key(), one[i].Key())
			require.Equal(t, two[i].Severity, one[i].Severity)
		}
	})
}
