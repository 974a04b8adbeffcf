package randomops_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/internal/randomops"
	"github.com/outflow-gpu/outflow/pipe"
)

func Example() {
	draws := 0
	count := pipe.DriverFunc(func(op *pipe.Op) error {
		if _, ok := op.Call.(*pipe.Draw); ok {
			draws++
		}
		return nil
	})
	null := new(pipe.Null)
	g, err := randomops.New(pipe.DriverFunc(func(op *pipe.Op) error {
		_ = count.Do(op)
		return null.Do(op)
	}), 1, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = g.Run(1000)
	fmt.Println(g.Sent() >= 1000, draws == g.Counts()["draw_vbo"], err)
	// Output: true true <nil>
}
