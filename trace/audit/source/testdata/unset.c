/* Sites that both the auditor and unset.cocci judge. */

void tokens_alone(struct ctx *c)
{
   struct pipe_shader_state s;
   s.tokens = build(c);
   c->create_vs_state(c, &s);
}

void cleared(struct ctx *c)
{
   struct pipe_shader_state s;
   memset(&s, 0, sizeof s);
   s.tokens = build(c);
   c->create_vs_state(c, &s);
}

void member_cleared(struct ctx *c)
{
   struct pipe_shader_state s;
   s.tokens = build(c);
   memset(&s.stream_output, 0, sizeof s.stream_output);
   c->create_vs_state(c, &s);
}

void member_assigned(struct ctx *c, const struct pipe_stream_output_info *so)
{
   struct pipe_shader_state s;
   s.tokens = build(c);
   s.stream_output = *so;
   c->create_vs_state(c, &s);
}

void copied(struct ctx *c, const struct pipe_shader_state *other)
{
   struct pipe_shader_state s;
   s = *other;
   c->create_vs_state(c, &s);
}

void initialised(struct ctx *c)
{
   struct pipe_shader_state s = {0};
   s.tokens = build(c);
   c->create_vs_state(c, &s);
}

void not_first(struct ctx *c, int n)
{
   int i;
   struct pipe_shader_state s;
   for (i = 0; i < n; i++)
      prepare(c, i);
   s.tokens = build(c);
   if (!s.tokens)
      return;
   draw_create_vertex_shader(c, &s);
}

void by_value(struct ctx *c)
{
   struct pipe_shader_state s;
   s.tokens = build(c);
   translate(c, s.tokens);
}

void in_a_block(struct ctx *c, int n)
{
   if (n) {
      struct pipe_shader_state s;
      s.tokens = build(c);
      c->create_gs_state(c, &s);
   }
}

void last_argument_of_a_variable(struct ctx *c)
{
   struct pipe_shader_state state;
   void *handle;
   state.tokens = build(c);
   handle = c->pipe->create_gs_state(c->pipe, &state);
   keep(handle);
}
