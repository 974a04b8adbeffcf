/* Programs that capture, buffers to capture into, and expectations about both. */
#ifndef GEN_CAPTURE_H
#define GEN_CAPTURE_H

#include "gl.h"

#include <stddef.h>

/* GLSL of each stage; NULL for a stage that is not there, or for a fragment shader that paints white. */
struct stages {
	const char *vertex, *control, *evaluation, *geometry, *fragment;
};

/* The list of captured names that build_program takes, ended by NULL. */
#define VARYINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The byte that make_buffer fills with, so that what capture left alone can be told. */
enum { UNTOUCHED = 0xA5 };

/* Links a program and uses it. varyings may be NULL; layout is GL_INTERLEAVED_ATTRIBS or GL_SEPARATE_ATTRIBS. */
GLuint build_program(const struct stages *stages, const char *const *varyings, GLenum layout);

/* Makes a buffer of size bytes, each UNTOUCHED. */
GLuint make_buffer(GLsizeiptr size);

/* Makes a buffer with these contents. */
GLuint make_filled_buffer(const void *data, GLsizeiptr size);

/* Makes a buffer of size bytes and binds the whole of it to a capture slot. */
GLuint bind_capture(GLuint slot, GLsizeiptr size);

/* Reads attribute 0 of every vertex from the buffer: components floats, tightly packed. */
void bind_attribute(GLuint buffer, GLint components);

/* One draw inside its own glBeginTransformFeedback and glEndTransformFeedback. */
void capture_arrays(GLenum capture_mode, GLenum primitive, GLint first, GLsizei count);

/* Copies bytes out of a buffer. */
void read_buffer(GLuint buffer, GLintptr offset, GLsizeiptr size, void *data);

/* Fails unless the buffer holds exactly these bytes at offset. */
void expect_bytes(const char *what, GLuint buffer, GLintptr offset, const void *want, size_t size);

/* Fails unless capture left the bytes from offset on as make_buffer filled them. */
void expect_untouched(const char *what, GLuint buffer, GLintptr offset, size_t size);

#define EXPECT_FLOATS(what, buffer, offset, ...) \
	expect_bytes(what, buffer, offset, (const float[]){__VA_ARGS__}, sizeof((const float[]){__VA_ARGS__}))
#define EXPECT_DOUBLES(what, buffer, offset, ...) \
	expect_bytes(what, buffer, offset, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}))
#define EXPECT_INTS(what, buffer, offset, ...) \
	expect_bytes(what, buffer, offset, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}))

/* Starts a query and returns it; stream is 0 but for an indexed query. */
GLuint begin_query(GLenum target, GLuint stream);

/* Waits for the result of an ended query, and deletes it. */
GLuint query_result(GLuint query);
void expect_query(const char *what, GLuint query, GLuint want);

#endif
