/* What xfb can run. Each function draws, checks what was captured, and returns only when all of it was right. */
#ifndef GEN_SCENARIOS_H
#define GEN_SCENARIOS_H

#include "gl.h"

/* layouts.c: which variables, and where they lie in a vertex */
void run_separate(const struct window *w);
void run_interleaved(const struct window *w);
void run_qualifiers(const struct window *w);
void run_stride_only(const struct window *w);
void run_arrays(const struct window *w);
void run_matrices(const struct window *w);
void run_doubles(const struct window *w);
void run_clip(const struct window *w);
void run_registers(const struct window *w);

/* stages.c: which shader stage is captured */
void run_streams(const struct window *w);
void run_tessellation(const struct window *w);
void run_adjacency(const struct window *w);

/* draws.c: how it is drawn */
void run_modes(const struct window *w);
void run_restart(const struct window *w);
void run_instanced(const struct window *w);
void run_discard(const struct window *w);
void run_overflow(const struct window *w);

/* objects.c: transform feedback objects, queries, contexts */
void run_pause(const struct window *w);
void run_drawauto(const struct window *w);
void run_drawauto_stream(const struct window *w);
void run_queries(const struct window *w);
void run_overflow_queries(const struct window *w);
void run_contexts(const struct window *w);
void run_lifetimes(const struct window *w);
void run_cut(const struct window *w);
void run_cut_between(const struct window *w);

/* capture_grid.c and tess_grid.c: many draws, each printed as one line of JSON */
void run_capture_grid(const struct window *w);
void run_tess_grid(const struct window *w);

#endif
