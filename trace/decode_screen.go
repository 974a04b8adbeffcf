package trace

import (
	"strings"

	"github.com/outflow-gpu/outflow/pipe"
)

func decodeScreenCreate(f fields, _ string, op *pipe.Op) bool {
	op.Call = &f.d.calls.screenCreate
	return true
}

func decodeGetName(f fields, _ string, op *pipe.Op) bool {
	op.Call = &f.d.calls.getName
	if x := f.d.values.Ret(); x.Kind() == pipe.StringValue {
		op.Ret.Text = x.String()
	}
	return true
}

func decodeGetParam(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.getParam)
	c.Param = f.word("param")
	op.Call = c
	return true
}

func decodeContextCreate(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.contextCreate)
	c.Priv = f.handle("priv")
	c.Flags = f.opt32("flags")
	op.Call = c
	return true
}

func decodeScreenDestroy(f fields, _ string, op *pipe.Op) bool {
	op.Call = &f.d.calls.screenDestroy
	return true
}

func decodeContextDestroy(f fields, _ string, op *pipe.Op) bool {
	op.Call = &f.d.calls.contextDestroy
	delete(f.d.dialect.index, op.Context)
	return true
}

func decodeResourceCreate(f fields, method string, op *pipe.Op) bool {
	c := reset(&f.d.calls.resourceCreate)
	c.Variant = strings.TrimPrefix(strings.TrimPrefix(method, "resource"), "_create")
	ok := f.template(&c.Template, op.Ret.Handle)
	c.LoaderData = f.d.handle(f.opt("loader_data"))
	op.Call = c
	return ok
}

// template reads a pipe_resource. Its members are not named as in C.
func (f *fields) template(t *pipe.ResourceTemplate, h pipe.Handle) bool {
	name := "templat"
	if f.opt("templ").Exists() { // of imported resources
		name = "templ"
	}
	m, ok := f.structure(name)
	target := m.get("target")
	t.Target = enum(&m, target, "target", pipe.ParseTextureTarget)
	t.Format = m.format("format")
	t.Width = m.u32("width")
	t.Height = m.u16("height")
	t.Depth = m.u16("depth")
	t.ArraySize = m.u16("array_size")
	t.LastLevel = m.u8("last_level")
	t.NumSamples = m.u8("nr_samples")
	t.NumStorageSamples = m.u8("nr_storage_samples")
	t.Usage = m.u32("usage")
	t.Bind = pipe.BindFlags(m.u32("bind"))
	t.Flags = m.u32("flags")
	if k := target.Kind(); k == pipe.IntValue || k == pipe.UintValue {
		f.d.dialect.madeResource(h, t.Target == pipe.Buffer)
	}
	return ok
}

// madeResource keeps which resources are buffers, for traces that write uploads
// to buffers and to textures alike. Targets are numbers before Mesa 22.1.
func (t *dialect) madeResource(h pipe.Handle, buffer bool) {
	t.numbers = true
	if t.buffers == nil {
		t.buffers = make(map[pipe.Handle]bool)
	}
	if buffer {
		t.buffers[h] = true
	} else {
		delete(t.buffers, h)
	}
}

func decodeResourceDestroy(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.resourceDestroy)
	c.Resource = f.handle("resource")
	op.Call = c
	return true
}

func decodeResourceRelease(f fields, _ string, op *pipe.Op) bool {
	f.d.dialect.young()
	c := reset(&f.d.calls.resourceRelease)
	c.Resource = f.handle("resource")
	op.Call = c
	return true
}

func decodeReplaceBufferStorage(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.replaceBufferStorage)
	c.Dst = f.handle("dst")
	c.Src = f.handle("src")
	op.Call = c
	return true
}

func decodeInvalidateResource(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.invalidateResource)
	c.Resource = f.handle("resource")
	op.Call = c
	return true
}

func decodeResourceCopyRegion(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.resourceCopyRegion)
	c.Dst = f.handle("dst")
	c.DstLevel = f.u32("dst_level")
	c.DstX, c.DstY, c.DstZ = f.u32("dstx"), f.u32("dsty"), f.u32("dstz")
	c.Src = f.handle("src")
	c.SrcLevel = f.u32("src_level")
	c.SrcBox = f.box("src_box")
	op.Call = c
	return true
}

func decodeClearBuffer(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.clearBuffer)
	c.Resource = f.handle("res")
	c.Offset, c.Size = f.u32("offset"), f.u32("size")
	c.Value = f.handle("clear_value")
	c.ValueSize = f.i32("clear_value_size")
	op.Call = c
	return true
}

// usage reads how something is mapped: a number, or since Mesa 23.3 the name of
// one flag.
func (f *fields) usage() pipe.MapFlags {
	x := f.get("usage")
	if x.Kind() == pipe.EnumValue {
		f.d.dialect.young()
		v, ok := pipe.ParseMapFlags(f.d.intern(x.RawText()))
		if !ok {
			return pipe.MapUnknown
		}
		return v
	}
	return pipe.MapFlags(f.fit(x, "usage", 32))
}

// decodeBufferSubdata reads a write to a buffer. From Mesa 13 to 18.1 those that
// the writer made up hold a box in place of the range.
func decodeBufferSubdata(f fields, _ string, op *pipe.Op) bool {
	f.d.dialect.tessellation = true
	c := reset(&f.d.calls.bufferSubdata)
	c.Resource = f.handle("resource")
	c.Usage = f.usage()
	if x := f.opt("box"); x.Exists() {
		m := f.members(x, "box", -1)
		c.Offset, c.Size = m.u32("x"), m.u32("width")
	} else {
		c.Offset, c.Size = f.u32("offset"), f.u32("size")
	}
	c.Data = blob(f.get("data"))
	stride, layer := f.opt("stride"), f.opt("layer_stride")
	c.Synthetic = stride.Exists() || layer.Exists()
	c.Stride = uint32(f.fit(stride, "stride", 32))
	c.LayerStride = uint32(f.fit(layer, "layer_stride", 32))
	op.Call = c
	return true
}

func blob(x pipe.Value) pipe.Blob {
	if x.Kind() != pipe.BytesValue {
		return pipe.Blob{}
	}
	return pipe.HexBlob(x.RawText())
}

func decodeTextureSubdata(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.textureSubdata)
	c.Resource = f.handle("resource")
	c.Level = f.u32("level")
	c.Usage = f.usage()
	c.Box = f.box("box")
	c.Data = blob(f.get("data"))
	c.Stride, c.LayerStride = f.u32("stride"), f.u32("layer_stride")
	op.Call = c
	return true
}

// decodeInlineWrite reads transfer_inline_write, which Mesa up to 12 has for
// buffers and textures. Whether the application called it or the writer made it
// up at an unmap cannot be told.
func decodeInlineWrite(f fields, method string, op *pipe.Op) bool {
	decodeTextureSubdata(f, method, op)
	t := &f.d.calls.textureSubdata
	if !f.d.dialect.buffers[t.Resource] || t.Box.X < 0 || t.Box.Width < 0 {
		return true
	}
	f.d.calls.bufferSubdata = pipe.BufferSubdata{Resource: t.Resource, Usage: t.Usage,
		Offset: uint32(t.Box.X), Size: uint32(t.Box.Width), Data: t.Data, Stride: t.Stride, LayerStride: t.LayerStride}
	op.Call = &f.d.calls.bufferSubdata
	return true
}

func decodeMap(f fields, method string, op *pipe.Op) bool {
	c := reset(&f.d.calls.mapping)
	c.Texture = method == "texture_map"
	c.Resource = f.handle("resource")
	c.Level = f.u32("level")
	c.Usage = f.usage()
	c.Box = f.box("box")
	c.Transfer = f.handle("xfer")
	op.Call = c
	return true
}

func decodeFlushRegion(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.flushRegion)
	c.Transfer = f.handle("transfer")
	c.Box = f.box("box")
	op.Call = c
	return true
}

func decodeUnmap(f fields, _ string, op *pipe.Op) bool {
	c := reset(&f.d.calls.unmap)
	c.Transfer = f.handle("transfer")
	op.Call = c
	return true
}
