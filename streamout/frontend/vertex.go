package frontend

import "github.com/outflow-gpu/outflow/pipe"

// BindVertices binds a buffer as the only source of vertices, from offset on and
// stride bytes apart. A vertex is one to four floats, as many as the stride has.
func BindVertices(ctx pipe.Context, buffer pipe.Handle, offset, stride uint32) error {
	format := pipe.Format("PIPE_FORMAT_R32G32B32A32_FLOAT")
	switch stride / 4 {
	case 0, 1:
		format = "PIPE_FORMAT_R32_FLOAT"
	case 2:
		format = "PIPE_FORMAT_R32G32_FLOAT"
	case 3:
		format = "PIPE_FORMAT_R32G32B32_FLOAT"
	}
	elements, err := ctx.CreateVertexElements(pipe.VertexElement{SrcFormat: format, SrcStride: stride, HasSrcStride: true})
	if err != nil {
		return err
	}
	if err := ctx.Bind(pipe.KindVertexElements, elements); err != nil {
		return err
	}
	return ctx.SetVertexBuffers(pipe.VertexBuffer{Offset: offset, Resource: buffer})
}
