package trace

import "github.com/outflow-gpu/outflow/pipe"

// resourceCreate writes what a resource is made from. What variants are given
// besides is kept from the trace.
func (e *encoder) resourceCreate(c *pipe.ResourceCreate, op *pipe.Op) {
	name := "templat"
	if kept(op).Arg("templ").Exists() {
		name = "templ"
	}
	e.arg(name)
	e.template(&c.Template)
	e.endArg()
	if c.Variant == "_drawable" {
		e.argPtr("loader_data", c.LoaderData)
		return
	}
	seen := false
	for x := kept(op).First(); x.Exists(); x = x.Next() {
		if x.Role() != pipe.ArgRole {
			continue
		}
		if seen {
			e.arg(x.Name())
			e.value(x)
			e.endArg()
		}
		seen = seen || x.IsNamed(name)
	}
}

func (e *encoder) template(t *pipe.ResourceTemplate) {
	e.begin("pipe_resource")
	e.member("target")
	e.enum(t.Target.String())
	e.endMember()
	e.formatMember("format", t.Format)
	e.uintMember("width", t.Width)
	e.uintMember("height", uint32(t.Height))
	e.uintMember("depth", uint32(t.Depth))
	e.uintMember("array_size", uint32(t.ArraySize))
	e.uintMember("last_level", uint32(t.LastLevel))
	e.uintMember("nr_samples", uint32(t.NumSamples))
	e.uintMember("nr_storage_samples", uint32(t.NumStorageSamples))
	e.uintMember("usage", t.Usage)
	e.uintMember("bind", uint32(t.Bind))
	e.uintMember("flags", t.Flags)
	e.end()
}

// resourceArgs writes calls that move data. It returns false for others.
func (e *encoder) resourceArgs(op *pipe.Op) bool {
	switch c := op.Call.(type) {
	case *pipe.ResourceRelease:
		e.argPtr("resource", c.Resource)
	case *pipe.InvalidateResource:
		e.argPtr("resource", c.Resource)
	case *pipe.ReplaceBufferStorage:
		e.argPtr("dst", c.Dst)
		e.argPtr("src", c.Src)
		e.keptArg(op, "num_rebinds")
		e.keptArg(op, "rebind_mask")
		e.keptArg(op, "delete_buffer_id")
	case *pipe.ResourceCopyRegion:
		e.copyRegion(c)
	case *pipe.ClearBuffer:
		e.argPtr("res", c.Resource)
		e.argUint("offset", c.Offset)
		e.argUint("size", c.Size)
		e.argPtr("clear_value", c.Value)
		e.argInt("clear_value_size", int64(c.ValueSize))
	case *pipe.BufferSubdata:
		e.bufferSubdata(c, op)
	case *pipe.TextureSubdata:
		e.textureSubdata(c, op)
	case *pipe.FlushRegion:
		e.argPtr("transfer", c.Transfer)
		e.arg("box")
		e.box(&c.Box)
		e.endArg()
	case *pipe.Unmap:
		e.argPtr("transfer", c.Transfer)
	default:
		return false
	}
	return true
}

func (e *encoder) copyRegion(c *pipe.ResourceCopyRegion) {
	e.argPtr("dst", c.Dst)
	e.argUint("dst_level", c.DstLevel)
	e.argUint("dstx", c.DstX)
	e.argUint("dsty", c.DstY)
	e.argUint("dstz", c.DstZ)
	e.argPtr("src", c.Src)
	e.argUint("src_level", c.SrcLevel)
	e.arg("src_box")
	e.box(&c.SrcBox)
	e.endArg()
}

func (e *encoder) bufferSubdata(c *pipe.BufferSubdata, op *pipe.Op) {
	e.argPtr("resource", c.Resource)
	e.usage(c.Usage, op)
	e.argUint("offset", c.Offset)
	e.argUint("size", c.Size)
	e.arg("data")
	e.blob(c.Data)
	e.endArg()
	if c.Synthetic {
		e.argUint("stride", c.Stride)
		e.argUint("layer_stride", c.LayerStride)
	}
}

func (e *encoder) textureSubdata(c *pipe.TextureSubdata, op *pipe.Op) {
	e.argPtr("resource", c.Resource)
	e.argUint("level", c.Level)
	e.usage(c.Usage, op)
	e.arg("box")
	e.box(&c.Box)
	e.endArg()
	e.arg("data")
	e.blob(c.Data)
	e.endArg()
	e.argUint("stride", c.Stride)
	e.argUint("layer_stride", c.LayerStride)
}

// usage writes how something is mapped: a number in 22.3, else the name of a
// single flag. A name that MapFlags has none of is kept from the trace.
func (e *encoder) usage(f pipe.MapFlags, op *pipe.Op) {
	e.arg("usage")
	x := kept(op).Arg("usage")
	switch {
	case f == pipe.MapUnknown && x.Kind() == pipe.EnumValue:
		e.value(x)
	case e.dialect == Mesa22_3:
		e.uint(uint64(f))
	case f == pipe.MapRead|pipe.MapWrite:
		e.enum("PIPE_MAP_READ_WRITE")
	default:
		e.enum(f.String())
	}
	e.endArg()
}

func (e *encoder) box(b *pipe.Box) {
	e.begin("pipe_box")
	e.intMember("x", int64(b.X))
	e.intMember("y", int64(b.Y))
	e.intMember("z", int64(b.Z))
	e.intMember("width", int64(b.Width))
	e.intMember("height", int64(b.Height))
	e.intMember("depth", int64(b.Depth))
	e.end()
}
