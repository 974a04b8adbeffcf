/* Many captured draws, each printed as one line of JSON: how it was drawn, and every byte of its buffers afterwards. */
#include "capture.h"
#include "scenarios.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_BUFFERS = 3, MAX_INDICES = 16, SLACK = 16, RESTART = 0xFFFF };

struct layout {
	const char *name;
	GLenum mode;
	int buffers;
	int strides[MAX_BUFFERS]; /* bytes */
	const char *varyings[7];
};

/* What each vertex holds is told in testdata/capture/README.md. */
static const struct layout layouts[] = {
	{"plain", GL_INTERLEAVED_ATTRIBS, 1, {8}, {"a"}},
	{"interleaved", GL_INTERLEAVED_ATTRIBS, 1, {24}, {"a", "gl_SkipComponents1", "b"}},
	{"separate", GL_SEPARATE_ATTRIBS, 3, {8, 12, 4}, {"a", "b", "c"}},
	{"next-buffer", GL_INTERLEAVED_ATTRIBS, 2, {12, 16},
	 {"b", "gl_NextBuffer", "gl_SkipComponents2", "c", "gl_SkipComponents1"}},
};

enum layout_index { PLAIN, INTERLEAVED, SEPARATE, NEXT_BUFFER, LAYOUTS };

struct primitive {
	const char *name;
	GLenum mode, capture;
	const char *capture_name;
};

static const struct primitive primitives[] = {
	{"points", GL_POINTS, GL_POINTS, "points"},
	{"lines", GL_LINES, GL_LINES, "lines"},
	{"line_strip", GL_LINE_STRIP, GL_LINES, "lines"},
	{"line_loop", GL_LINE_LOOP, GL_LINES, "lines"},
	{"triangles", GL_TRIANGLES, GL_TRIANGLES, "triangles"},
	{"triangle_strip", GL_TRIANGLE_STRIP, GL_TRIANGLES, "triangles"},
	{"triangle_fan", GL_TRIANGLE_FAN, GL_TRIANGLES, "triangles"},
	{"quads", GL_QUADS, GL_TRIANGLES, "triangles"},
	{"quad_strip", GL_QUAD_STRIP, GL_TRIANGLES, "triangles"},
	{"polygon", GL_POLYGON, GL_TRIANGLES, "triangles"},
};

enum primitive_index { POINTS, LINES, LINE_STRIP, LINE_LOOP, TRIANGLES, TRIANGLE_STRIP, PRIMITIVES = 10 };

static const GLenum provoking[] = {GL_FIRST_VERTEX_CONVENTION, GL_LAST_VERTEX_CONVENTION};

struct draw {
	enum primitive_index primitive;
	int provoking; /* index into the table */
	enum layout_index layout;
	int first, count, instances;
	const GLushort *indices; /* NULL: not indexed */
	int restart;             /* whether index RESTART restarts */
	int base_vertex;
	int offset;              /* bytes, of buffer 0; each further one begins 8 later */
	int room[MAX_BUFFERS];   /* bytes; 0: enough for all that is drawn */
	int draws;               /* how often it is drawn in one capture */
	int paused;              /* drawn once more after the first, while capture is paused */
};

struct bound {
	GLuint buffer;
	int offset, room, size; /* bytes; size is that of the whole buffer */
};

struct grid {
	GLuint programs[LAYOUTS], elements;
	int number;
};

static void build_programs(struct grid *g)
{
	static const struct stages stages = {.vertex =
		"#version 330\n"
		"flat out ivec2 a; out vec3 b; flat out int c;\n"
		"void main() {\n"
		"	a = ivec2(gl_VertexID, gl_InstanceID);\n"
		"	b = vec3(gl_VertexID, float(gl_VertexID) + 0.25, float(gl_InstanceID) + 0.5);\n"
		"	c = gl_VertexID * 3 + 1;\n"
		"	gl_Position = vec4(0.0, 0.0, 0.0, 1.0);\n"
		"}\n"};

	for (int i = 0; i < LAYOUTS; i++)
		g->programs[i] = build_program(&stages, layouts[i].varyings, layouts[i].mode);
}

static void bind_buffers(const struct draw *d, struct bound *bound)
{
	const struct layout *layout = &layouts[d->layout];

	for (int i = 0; i < layout->buffers; i++) {
		struct bound *b = &bound[i];
		b->offset = d->offset + 8 * i * (d->offset != 0);
		/* No primitive type makes more than three vertices from one. */
		b->room = d->room[i] ? d->room[i] : d->count * 3 * d->instances * d->draws * layout->strides[i];
		b->size = b->offset + b->room + SLACK;
		b->buffer = make_buffer(b->size);
		glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, (GLuint)i, b->buffer, b->offset, b->room);
	}
}

static void issue(const struct draw *d)
{
	GLenum mode = primitives[d->primitive].mode;

	if (!d->indices)
		glDrawArraysInstanced(mode, d->first, d->count, d->instances);
	else if (d->instances == 1)
		glDrawElementsBaseVertex(mode, d->count, GL_UNSIGNED_SHORT, NULL, d->base_vertex);
	else
		glDrawElementsInstanced(mode, d->count, GL_UNSIGNED_SHORT, NULL, d->instances);
}

static void capture(const struct draw *d)
{
	glBeginTransformFeedback(primitives[d->primitive].capture);
	issue(d);
	if (d->paused) {
		glPauseTransformFeedback();
		issue(d);
		glResumeTransformFeedback();
	}
	for (int i = 1; i < d->draws; i++)
		issue(d);
	glEndTransformFeedback();
}

static void print_indices(const struct draw *d)
{
	if (!d->indices)
		return;
	printf(",\"indices\":[");
	for (int i = 0; i < d->count; i++)
		printf("%s%u", i ? "," : "", d->indices[i]);
	printf("],\"restart\":%s,\"baseVertex\":%d", d->restart ? "true" : "false", d->base_vertex);
}

static void print_buffer(const struct bound *b, int stride)
{
	unsigned char *bytes = malloc((size_t)b->size);

	if (!bytes)
		fail("no memory for %d bytes", b->size);
	read_buffer(b->buffer, 0, b->size, bytes);
	printf("{\"strideBytes\":%d,\"offsetBytes\":%d,\"sizeBytes\":%d,\"hex\":\"", stride, b->offset, b->room);
	for (int i = 0; i < b->size; i++)
		printf("%02x", bytes[i]);
	printf("\"}");
	free(bytes);
}

static void print_draw(const struct draw *d, int number)
{
	printf("{\"case\":%d,\"primitive\":\"%s\",\"captureMode\":\"%s\",\"provoking\":\"%s\",\"layout\":\"%s\"",
	       number, primitives[d->primitive].name, primitives[d->primitive].capture_name,
	       d->provoking ? "last" : "first", layouts[d->layout].name);
	printf(",\"first\":%d,\"count\":%d,\"instances\":%d", d->first, d->count, d->instances);
	print_indices(d);
	printf(",\"draws\":%d,\"paused\":%s", d->draws, d->paused ? "true" : "false");
}

static void run_draw(struct grid *g, const struct draw *d)
{
	const struct layout *layout = &layouts[d->layout];
	struct bound bound[MAX_BUFFERS];
	GLuint generated, written;

	glUseProgram(g->programs[d->layout]);
	glProvokingVertex(provoking[d->provoking]);
	if (d->restart)
		glEnable(GL_PRIMITIVE_RESTART);
	else
		glDisable(GL_PRIMITIVE_RESTART);
	if (d->indices)
		glBufferData(GL_ELEMENT_ARRAY_BUFFER, d->count * 2, d->indices, GL_STREAM_DRAW);
	bind_buffers(d, bound);

	generated = begin_query(GL_PRIMITIVES_GENERATED, 0);
	written = begin_query(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, 0);
	capture(d);
	glEndQuery(GL_PRIMITIVES_GENERATED);
	glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
	check_gl("run_draw");

	print_draw(d, ++g->number);
	printf(",\"generated\":%u,\"written\":%u,\"buffers\":[", query_result(generated), query_result(written));
	for (int i = 0; i < layout->buffers; i++) {
		printf("%s", i ? "," : "");
		print_buffer(&bound[i], layout->strides[i]);
		glDeleteBuffers(1, &bound[i].buffer);
	}
	printf("]}\n");
}

/* Every primitive type, both provoking modes, whole and with left-over vertices, one instance and three. */
static void run_primitives(struct grid *g)
{
	for (int primitive = 0; primitive < PRIMITIVES; primitive++)
		for (int last = 0; last < 2; last++) {
			for (int count = 1; count <= 8; count++)
				run_draw(g, &(struct draw){.primitive = primitive, .provoking = last, .first = count % 3,
							   .count = count, .instances = 1, .draws = 1});
			run_draw(g, &(struct draw){.primitive = primitive, .provoking = last, .first = 4, .count = 5,
						   .instances = 3, .draws = 1});
		}
}

/* Indices, with restarts that cut primitives, follow each other, and end the draw. */
static void run_indexed(struct grid *g)
{
	static const GLushort plain[] = {9, 3, 3, 5, 0, 7, 2, 11};
	static const GLushort cut[MAX_INDICES] = {0, 1, 2, 3, RESTART, 4, 5, 6, 7, 8, RESTART, RESTART, 9, 10, 11, RESTART};

	for (int primitive = 0; primitive < PRIMITIVES; primitive++)
		for (int last = 0; last < 2; last++) {
			struct draw d = {.primitive = primitive, .provoking = last, .indices = plain, .count = 8,
					 .instances = 1, .draws = 1};
			run_draw(g, &d);
			d.indices = cut, d.count = MAX_INDICES, d.restart = 1, d.base_vertex = 100;
			run_draw(g, &d);
			d.base_vertex = 0, d.instances = 2;
			run_draw(g, &d);
		}
}

static int vertices_of(GLenum capture_mode)
{
	return capture_mode == GL_POINTS ? 1 : capture_mode == GL_LINES ? 2 : 3;
}

/* Buffers that end at every dword of the second primitive and of the third, each buffer of the layout in turn. */
static void run_overflow_at_remainders(struct grid *g, struct draw d)
{
	int vertices = vertices_of(primitives[d.primitive].capture);

	for (int buffer = 0; buffer < layouts[d.layout].buffers; buffer++) {
		int size = vertices * layouts[d.layout].strides[buffer];
		for (int room = size; room < 3 * size; room += 4) {
			struct draw short_of = d;
			short_of.room[buffer] = room;
			run_draw(g, &short_of);
		}
	}
}

static void run_overflows(struct grid *g)
{
	const struct draw d = {.provoking = 1, .count = 12, .instances = 1, .draws = 1};
	struct draw points = d, lines = d, triangles = d, strip = d, twice = d, instances = d;

	points.primitive = POINTS, points.layout = NEXT_BUFFER;
	lines.primitive = LINES, lines.layout = INTERLEAVED;
	triangles.primitive = TRIANGLES, triangles.layout = SEPARATE;
	strip.primitive = TRIANGLE_STRIP, strip.layout = PLAIN, strip.count = 6;
	twice.primitive = TRIANGLES, twice.layout = PLAIN, twice.count = 6, twice.draws = 2, twice.paused = 1;
	instances.primitive = LINE_STRIP, instances.layout = PLAIN, instances.count = 3, instances.instances = 3;
	run_overflow_at_remainders(g, points);
	run_overflow_at_remainders(g, lines);
	run_overflow_at_remainders(g, triangles);
	run_overflow_at_remainders(g, strip);
	run_overflow_at_remainders(g, twice);
	run_overflow_at_remainders(g, instances);

	/* Less room than one primitive takes. */
	triangles.room[1] = 4;
	run_draw(g, &triangles);
	lines.room[0] = 44;
	run_draw(g, &lines);
}

/* Layouts, buffer offsets, several draws in one capture, and pauses. */
static void run_offsets(struct grid *g)
{
	static const int offsets[] = {4, 16, 20};

	for (int layout = 0; layout < LAYOUTS; layout++)
		for (int i = 0; i < 3; i++)
			for (int draws = 1; draws <= 2; draws++) {
				struct draw d = {.primitive = TRIANGLE_STRIP, .layout = layout, .offset = offsets[i],
						 .first = 2, .count = 5, .instances = 2, .draws = draws};
				run_draw(g, &d);
				d.paused = 1, d.primitive = LINE_LOOP, d.instances = 1;
				run_draw(g, &d);
			}
}

void run_capture_grid(const struct window *w)
{
	struct grid g = {0};

	(void)w;
	glEnable(GL_RASTERIZER_DISCARD);
	glPrimitiveRestartIndex(RESTART);
	build_programs(&g);
	glGenBuffers(1, &g.elements);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, g.elements);
	run_primitives(&g);
	run_indexed(&g);
	run_overflows(&g);
	run_offsets(&g);
}
