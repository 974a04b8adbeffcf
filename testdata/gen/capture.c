#include "capture.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char white_fragment[] =
	"#version 330\n"
	"out vec4 color;\n"
	"void main() { color = vec4(1.0); }\n";

static void attach(GLuint program, GLenum stage, const char *source)
{
	GLuint shader;
	GLint ok;
	char log[512] = "";

	if (!source)
		return;
	shader = glCreateShader(stage);
	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
	glGetShaderInfoLog(shader, sizeof log, NULL, log);
	if (!ok)
		fail("shader 0x%04x does not compile: %s", stage, log);
	glAttachShader(program, shader);
	glDeleteShader(shader);
}

static GLsizei count_names(const char *const *names)
{
	GLsizei count = 0;

	while (names && names[count])
		count++;
	return count;
}

GLuint build_program(const struct stages *stages, const char *const *varyings, GLenum layout)
{
	GLuint program = glCreateProgram();
	GLint ok;
	char log[512] = "";

	attach(program, GL_VERTEX_SHADER, stages->vertex);
	attach(program, GL_TESS_CONTROL_SHADER, stages->control);
	attach(program, GL_TESS_EVALUATION_SHADER, stages->evaluation);
	attach(program, GL_GEOMETRY_SHADER, stages->geometry);
	attach(program, GL_FRAGMENT_SHADER, stages->fragment ? stages->fragment : white_fragment);
	if (varyings)
		glTransformFeedbackVaryings(program, count_names(varyings), varyings, layout);
	glLinkProgram(program);
	glGetProgramiv(program, GL_LINK_STATUS, &ok);
	glGetProgramInfoLog(program, sizeof log, NULL, log);
	if (!ok)
		fail("program does not link: %s", log);
	glUseProgram(program);
	check_gl("build_program");
	return program;
}

GLuint make_filled_buffer(const void *data, GLsizeiptr size)
{
	GLuint buffer;

	glGenBuffers(1, &buffer);
	glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
	glBufferData(GL_COPY_WRITE_BUFFER, size, data, GL_STATIC_READ);
	check_gl("make_filled_buffer");
	return buffer;
}

GLuint make_buffer(GLsizeiptr size)
{
	void *fill = malloc((size_t)size);
	GLuint buffer;

	if (!fill)
		fail("no memory for %td bytes", size);
	memset(fill, UNTOUCHED, (size_t)size);
	buffer = make_filled_buffer(fill, size);
	free(fill);
	return buffer;
}

GLuint bind_capture(GLuint slot, GLsizeiptr size)
{
	GLuint buffer = make_buffer(size);

	glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, slot, buffer);
	return buffer;
}

void bind_attribute(GLuint buffer, GLint components)
{
	glBindBuffer(GL_ARRAY_BUFFER, buffer);
	glVertexAttribPointer(0, components, GL_FLOAT, GL_FALSE, 0, NULL);
	glEnableVertexAttribArray(0);
}

void capture_arrays(GLenum capture_mode, GLenum primitive, GLint first, GLsizei count)
{
	glBeginTransformFeedback(capture_mode);
	glDrawArrays(primitive, first, count);
	glEndTransformFeedback();
	check_gl("capture_arrays");
}

void read_buffer(GLuint buffer, GLintptr offset, GLsizeiptr size, void *data)
{
	glBindBuffer(GL_COPY_READ_BUFFER, buffer);
	glGetBufferSubData(GL_COPY_READ_BUFFER, offset, size, data);
	check_gl("read_buffer");
}

void expect_bytes(const char *what, GLuint buffer, GLintptr offset, const void *want, size_t size)
{
	unsigned char *got = malloc(size);

	if (!got)
		fail("no memory for %zu bytes", size);
	read_buffer(buffer, offset, (GLsizeiptr)size, got);
	for (size_t at = 0; at + 4 <= size; at += 4) {
		uint32_t g, w;
		memcpy(&g, got + at, 4);
		memcpy(&w, (const unsigned char *)want + at, 4);
		if (g != w)
			fail("%s: byte %td holds 0x%08x, expected 0x%08x", what, offset + (GLintptr)at, g, w);
	}
	free(got);
}

void expect_untouched(const char *what, GLuint buffer, GLintptr offset, size_t size)
{
	unsigned char *want = malloc(size);

	if (!want)
		fail("no memory for %zu bytes", size);
	memset(want, UNTOUCHED, size);
	expect_bytes(what, buffer, offset, want, size);
	free(want);
}

GLuint begin_query(GLenum target, GLuint stream)
{
	GLuint query;

	glGenQueries(1, &query);
	if (stream)
		glBeginQueryIndexed(target, stream, query);
	else
		glBeginQuery(target, query);
	return query;
}

GLuint query_result(GLuint query)
{
	GLuint result = 0;

	glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);
	glDeleteQueries(1, &query);
	check_gl("query_result");
	return result;
}

void expect_query(const char *what, GLuint query, GLuint want)
{
	GLuint got = query_result(query);

	if (got != want)
		fail("%s: query result is %u, expected %u", what, got, want);
}
