package dump

import (
	"github.com/davecgh/go-spew/spew"

	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/trace"
)

// Go returns a Go value with all its fields and types, for people to read and
// compare: map keys are sorted, and nothing differs from run to run, addresses
// of memory least of all. It ends with a line feed.
func Go(v ...any) string {
	form := spew.ConfigState{Indent: "  ", SortKeys: true, SpewKeys: true,
		DisablePointerAddresses: true, DisableCapacities: true, DisablePointerMethods: true}
	return form.Sdump(v...)
}

// CallGo prints the calls of a trace as the Go values that a program gets. It is
// for one goroutine.
type CallGo struct {
	decoder trace.Decoder
	op      pipe.Op
}

// GoValue is a value of a call that package pipe has no struct for.
type GoValue struct {
	Name, Type, Text string
	Values           []GoValue
}

// Append appends the operation of a record to b, nothing for one that is none.
func (p *CallGo) Append(b []byte, rec *trace.Record) []byte {
	if !p.decoder.Decode(rec, &p.op) || rec.Kind != trace.CallRecord {
		return b
	}
	var call any = p.op.Call
	if o, ok := call.(*pipe.Other); ok {
		call = goValues(o.Values.First())
	}
	type result struct {
		Call    uint64
		Line    int
		Class   string
		Method  string
		Screen  string
		Context string
		Args    any
		Ret     pipe.Result
	}
	return append(b, Go(result{rec.No, rec.Pos.Line, rec.Class, rec.Method, p.op.Screen.String(), p.op.Context.String(), call, p.op.Ret})...)
}

// goValues returns x and what follows.
func goValues(x pipe.Value) []GoValue {
	var list []GoValue
	for ; x.Exists(); x = x.Next() {
		v := GoValue{Name: x.Name(), Type: x.Kind().String()}
		switch x.Kind() {
		case pipe.ArrayValue, pipe.StructValue, pipe.UnknownValue:
			if name := x.TypeName(); name != "" {
				v.Type += " " + name
			}
			v.Values = goValues(x.First())
		default:
			v.Text = x.String()
		}
		list = append(list, v)
	}
	return list
}
