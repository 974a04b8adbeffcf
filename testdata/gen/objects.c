/* Scenarios about transform feedback objects, queries and contexts. */
#include "capture.h"
#include "scenarios.h"

#include <signal.h>
#include <unistd.h>

static const struct stages id_stages = {.vertex =
	"#version 330\n"
	"out float id;\n"
	"void main() { id = float(gl_VertexID); gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n"};

/* Takes attribute 0 and captures it with one added. */
static const struct stages add_stages = {.vertex =
	"#version 330\n"
	"layout(location = 0) in float value;\n"
	"out float sum;\n"
	"void main() { sum = value + 1.0; gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n"};

/* Stream 0 gets each vertex once, stream 1 three times. */
static const struct stages two_stream_stages = {
	.vertex =
	"#version 330\n"
	"out float id;\n"
	"void main() { id = float(gl_VertexID); gl_Position = vec4(0.0, 0.0, 0.0, 1.0); }\n",
	.geometry =
	"#version 330\n"
	"#extension GL_ARB_gpu_shader5 : require\n"
	"layout(points) in; layout(points, max_vertices = 4) out;\n"
	"in float id[];\n"
	"layout(stream = 0) out float a; layout(stream = 1) out float b;\n"
	"void main() {\n"
	"	gl_Position = gl_in[0].gl_Position;\n"
	"	a = id[0]; EmitStreamVertex(0);\n"
	"	for (int i = 0; i < 3; i++) { b = id[0] * 10.0 + float(i); EmitStreamVertex(1); }\n"
	"}\n"};

static GLuint bind_new_object(void)
{
	GLuint object;

	glGenTransformFeedbacks(1, &object);
	glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
	return object;
}

void run_pause(const struct window *w)
{
	GLuint first, first_buffer, second_buffer;

	(void)w;
	build_program(&id_stages, VARYINGS("id"), GL_INTERLEAVED_ATTRIBS);
	first = bind_new_object();
	first_buffer = bind_capture(0, 64);
	glBeginTransformFeedback(GL_POINTS);
	glDrawArrays(GL_POINTS, 10, 3);
	glPauseTransformFeedback();
	glDrawArrays(GL_POINTS, 20, 3); /* goes nowhere */

	bind_new_object();
	second_buffer = bind_capture(0, 64);
	capture_arrays(GL_POINTS, GL_POINTS, 30, 2);

	glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, first);
	glResumeTransformFeedback();
	glDrawArrays(GL_POINTS, 40, 2);
	glPauseTransformFeedback();
	glResumeTransformFeedback();
	glDrawArrays(GL_POINTS, 50, 1);
	glEndTransformFeedback();

	EXPECT_FLOATS("the paused object", first_buffer, 0, 10, 11, 12, 40, 41, 50);
	expect_untouched("the paused object", first_buffer, 24, 40);
	EXPECT_FLOATS("the object meanwhile", second_buffer, 0, 30, 31);
	expect_untouched("the object meanwhile", second_buffer, 8, 56);
}

void run_drawauto(const struct window *w)
{
	GLuint source, source_buffer, buffer;

	(void)w;
	build_program(&id_stages, VARYINGS("id"), GL_INTERLEAVED_ATTRIBS);
	source = bind_new_object();
	source_buffer = bind_capture(0, 64);
	glBeginTransformFeedback(GL_POINTS);
	glDrawArrays(GL_POINTS, 1, 3);
	glDrawArrays(GL_POINTS, 7, 2);
	glEndTransformFeedback();

	build_program(&add_stages, VARYINGS("sum"), GL_INTERLEAVED_ATTRIBS);
	bind_attribute(source_buffer, 1);
	bind_new_object();
	buffer = bind_capture(0, 64);
	glBeginTransformFeedback(GL_POINTS);
	glDrawTransformFeedback(GL_POINTS, source);
	glEndTransformFeedback();
	EXPECT_FLOATS("captured again", buffer, 0, 2, 3, 4, 8, 9);
	expect_untouched("captured again", buffer, 20, 44);
}

void run_drawauto_stream(const struct window *w)
{
	GLuint source, sources[2], buffer;

	(void)w;
	build_program(&two_stream_stages, VARYINGS("a", "gl_NextBuffer", "b"), GL_INTERLEAVED_ATTRIBS);
	source = bind_new_object();
	sources[0] = bind_capture(0, 64);
	sources[1] = bind_capture(1, 64);
	capture_arrays(GL_POINTS, GL_POINTS, 1, 2);
	EXPECT_FLOATS("stream 0", sources[0], 0, 1, 2);

	build_program(&add_stages, VARYINGS("sum"), GL_INTERLEAVED_ATTRIBS);
	bind_new_object();
	buffer = bind_capture(0, 128);
	glBeginTransformFeedback(GL_POINTS);
	bind_attribute(sources[1], 1);
	glDrawTransformFeedbackStream(GL_POINTS, source, 1);
	bind_attribute(sources[0], 1);
	glDrawTransformFeedbackInstanced(GL_POINTS, source, 2);
	glEndTransformFeedback();
	EXPECT_FLOATS("captured again", buffer, 0, 11, 12, 13, 21, 22, 23, 2, 3, 2, 3);
	expect_untouched("captured again", buffer, 40, 88);
}

void run_queries(const struct window *w)
{
	GLuint generated[2], written[2], available;

	(void)w;
	build_program(&two_stream_stages, VARYINGS("a", "gl_NextBuffer", "b"), GL_INTERLEAVED_ATTRIBS);
	bind_capture(0, 64);
	bind_capture(1, 5 * 4); /* five of the six vertices */
	for (GLuint stream = 0; stream < 2; stream++) {
		generated[stream] = begin_query(GL_PRIMITIVES_GENERATED, stream);
		written[stream] = begin_query(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, stream);
	}
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	for (GLuint stream = 0; stream < 2; stream++) {
		glEndQueryIndexed(GL_PRIMITIVES_GENERATED, stream);
		glEndQueryIndexed(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, stream);
	}
	glGetQueryObjectuiv(generated[0], GL_QUERY_RESULT_AVAILABLE, &available); /* asks without waiting */
	expect_query("generated, stream 0", generated[0], 2);
	expect_query("written, stream 0", written[0], 2);
	expect_query("generated, stream 1", generated[1], 6);
	expect_query("written, stream 1", written[1], 5);
}

void run_overflow_queries(const struct window *w)
{
	GLuint any, first, second;

	(void)w;
	build_program(&two_stream_stages, VARYINGS("a", "gl_NextBuffer", "b"), GL_INTERLEAVED_ATTRIBS);
	bind_capture(0, 64);
	bind_capture(1, 5 * 4);
	any = begin_query(GL_TRANSFORM_FEEDBACK_OVERFLOW, 0);
	first = begin_query(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0);
	second = begin_query(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 1);
	capture_arrays(GL_POINTS, GL_POINTS, 0, 2);
	glEndQuery(GL_TRANSFORM_FEEDBACK_OVERFLOW);
	glEndQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 0);
	glEndQueryIndexed(GL_TRANSFORM_FEEDBACK_STREAM_OVERFLOW, 1);
	expect_query("overflow of any stream", any, 1);
	expect_query("overflow of stream 0", first, 0);
	expect_query("overflow of stream 1", second, 1);
}

void run_contexts(const struct window *w)
{
	GLuint program = build_program(&id_stages, VARYINGS("id"), GL_INTERLEAVED_ATTRIBS);
	GLuint buffer = bind_capture(0, 64);
	EGLContext second;

	capture_arrays(GL_POINTS, GL_POINTS, 1, 2);
	glFinish();

	second = open_shared_context(w);
	glUseProgram(program);
	glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer, 32, 32);
	capture_arrays(GL_POINTS, GL_POINTS, 5, 3);
	EXPECT_FLOATS("seen by the second context, from the first", buffer, 0, 1, 2);
	glFinish();

	make_current(w, w->context);
	capture_arrays(GL_POINTS, GL_POINTS, 8, 1);
	EXPECT_FLOATS("seen by the first context, its own", buffer, 0, 8, 2);
	EXPECT_FLOATS("seen by the first context, from the second", buffer, 32, 5, 6, 7);
	eglDestroyContext(w->display, second);
}

void run_lifetimes(const struct window *w)
{
	(void)w;
	for (int turn = 0; turn < 4; turn++) {
		GLuint object = bind_new_object();
		GLuint program = build_program(&id_stages, VARYINGS("id"), GL_INTERLEAVED_ATTRIBS);
		GLuint buffer = bind_capture(0, 16 + turn * 16);

		glDeleteProgram(program); /* it lives on as long as it is used */
		capture_arrays(GL_POINTS, GL_POINTS, turn, 4);
		EXPECT_FLOATS("capture with a deleted program", buffer, 0,
			      (float)turn, (float)turn + 1, (float)turn + 2, (float)turn + 3);
		glDeleteBuffers(1, &buffer);
		glDeleteTransformFeedbacks(1, &object);
	}
}

/* Captures as the process is killed, so that its trace has no end. */
static void begin_unending_capture(void)
{
	build_program(&id_stages, VARYINGS("id"), GL_INTERLEAVED_ATTRIBS);
	bind_capture(0, 4096);
	glBeginTransformFeedback(GL_POINTS);
	for (int draw = 0; draw < 8; draw++)
		glDrawArrays(GL_POINTS, draw, 4);
}

static void kill_self(int signal)
{
	(void)signal;
	raise(SIGKILL);
}

void run_cut(const struct window *w)
{
	(void)w;
	begin_unending_capture();
	signal(SIGALRM, kill_self);
	alarm(1);
	/* Far longer than a second, so the alarm comes while the driver draws. */
	glDrawArraysInstanced(GL_POINTS, 0, 1000, 1000000000);
	fail("cut: the draw ended");
}

void run_cut_between(const struct window *w)
{
	(void)w;
	begin_unending_capture();
	raise(SIGKILL);
}
