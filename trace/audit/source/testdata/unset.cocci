// Locals of the struct whose address is given away before the member is set:
// the same question as the auditor's, asked of another tool.
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
