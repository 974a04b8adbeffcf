// The auditor's three questions, as far as this tool can be asked them: the
// equal of `outflow audit` when their costs are compared (see compare.sh).
@ disable decl_init @
identifier s, m;
identifier f != {memset, memcpy, assert};
expression E, X;
@@
* struct pipe_shader_state s;
  ... when != s = E
      when != s.stream_output = E
      when != memset(&s, ...)
      when != memcpy(&s, ...)
      when != memset(&s.stream_output, ...)
(
* f(..., &s, ...)
|
* X->m(..., &s, ...)
)

@@
identifier p, f;
expression E;
identifier a = {malloc, MALLOC, MALLOC_STRUCT, ralloc_size};
@@
* p = a(...)
  ... when != *p = E
      when != p->stream_output = E
      when != memset(p, ...)
* p->tokens = E;
  ... when != *p = E
      when != p->stream_output = E
      when != memset(p, ...)
(
* return p;
|
* f(..., p, ...)
)

@@
identifier fn, t;
expression D, E;
@@
fn(..., const struct pipe_shader_state *t, ...)
{
  ... when != D.stream_output = E
      when != D = *t
* D.tokens = E;
  ... when != D.stream_output = E
      when != D = *t
}
