package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace/audit/source"
)

// TestDeepText feeds text nested and chained beyond any sense: it is passed
// over, and what follows it is still read where brackets allow.
func TestDeepText(t *testing.T) {
	const n = 20000
	const fault = "void f(struct ctx *c) { struct pipe_shader_state s; s.tokens = t; c->create_vs_state(c, &s); }\n"
	for name, src := range map[string]string{
		"dead conditionals": strings.Repeat("#if 0\nx;\n", n) + strings.Repeat("#endif\n", n) + fault,
		"conditionals":      strings.Repeat("#if A\n", n) + strings.Repeat("#endif\n", n) + fault,
		"members":           "void g(void) { s" + strings.Repeat(".a", n) + " = 1; }\n" + fault,
		"parentheses":       "void g(void) { x = " + strings.Repeat("(", n) + strings.Repeat(")", n) + "; }\n" + fault,
		"blocks":            "void g(void) " + strings.Repeat("{", n) + strings.Repeat("}", n) + "\n" + fault,
		"stars":             "void g(void) { " + strings.Repeat("*", n) + "p = 0; }\n" + fault,
		"else":              "void g(void) { " + strings.Repeat("if (x) ; else ", n) + "; }\n" + fault,
		"structs":           strings.Repeat("struct a { ", n) + strings.Repeat("} b;", n) + "\n" + fault,
		"sums":              "void g(void) { x = 1" + strings.Repeat(" + 1", n) + "; }\n" + fault,
	} {
		t.Run(name, func(t *testing.T) {
			require.Len(t, source.File("a.c", src, source.Options{}).Findings, 1)
		})
	}
}
