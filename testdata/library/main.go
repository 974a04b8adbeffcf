// Command library is a program of another module that uses this one as a
// library: it has a driver of its own, follows what a state tracker does to it
// with all rules, audits the layers between, and prints what was found.
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/outflow-gpu/outflow/cso"
	"github.com/outflow-gpu/outflow/pipe"
	"github.com/outflow-gpu/outflow/streamout"
	"github.com/outflow-gpu/outflow/streamout/rules"
	"github.com/outflow-gpu/outflow/trace"
	"github.com/outflow-gpu/outflow/trace/audit"
)

// driver numbers what it makes and counts what it draws.
type driver struct {
	objects pipe.Handle
	draws   int
}

// Do carries out an operation.
func (d *driver) Do(op *pipe.Op) error {
	switch call := op.Call.(type) {
	case *pipe.GetName:
		op.Ret = pipe.Result{Text: "example", Known: true}
		return nil
	case *pipe.Draw:
		if call.Info.InstanceCount == 0 {
			return fmt.Errorf("draw without instances")
		}
		d.draws++
	}
	op.Ret.Known = true
	if pipe.Creates(op.Call) {
		d.objects++
		op.Ret.Handle = d.objects << 4
	}
	return nil
}

// capture draws a triangle into a target that has room for stride dwords a vertex.
func capture(c pipe.Context, stride uint16) error {
	position, err := pipe.OutputNumbers{NumComponents: 4}.Pack()
	if err != nil {
		return err
	}
	info, err := pipe.NewStreamOutputInfo([4]uint16{stride}, position)
	if err != nil {
		return err
	}
	vs, err := c.CreateShader(pipe.Vertex, &pipe.ShaderState{StreamOutput: info})
	if err != nil {
		return err
	}
	buffer, err := c.CreateBuffer(256, pipe.BindStreamOutput)
	if err != nil {
		return err
	}
	target, err := c.CreateStreamOutputTarget(buffer, 0, 256)
	if err != nil {
		return err
	}
	if err := c.BindShader(pipe.Vertex, vs); err != nil {
		return err
	}
	if err := c.SetStreamOutputTargets([]pipe.Handle{target}, []uint32{0}); err != nil {
		return err
	}
	if err := c.Draw(&pipe.DrawInfo{Mode: pipe.Triangles, InstanceCount: 1}, pipe.DrawRange{Count: 3}); err != nil {
		return err
	}
	if err := c.SetStreamOutputTargets(nil, nil); err != nil {
		return err
	}
	return c.DestroyStreamOutputTarget(target)
}

func run() error {
	var file bytes.Buffer
	own := &driver{}
	track := streamout.NewTrack(streamout.Options{Rules: rules.All(), Report: func(f *streamout.Finding) {
		if f.Severity == streamout.Error {
			fmt.Printf("%v: %s [%s]\n", f.Severity, f.Message, f.Rule.ID)
		}
	}})
	recorder := trace.NewRecorder(&file, trace.RecordOptions{})
	report := audit.RunOn(own, func(c pipe.Context) error {
		for _, stride := range []uint16{4, 3} {
			if err := capture(c, stride); err != nil {
				return err
			}
		}
		return nil
	}, track.Layer, cso.Dedup, recorder.Layer)
	if err := recorder.Close(); err != nil {
		return err
	}
	fmt.Println(report)
	fmt.Println("draws:", own.draws, "trace:", bytes.HasPrefix(file.Bytes(), []byte("<?xml")))
	return report.GaveUp
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
