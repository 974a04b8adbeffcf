package seqdiff_test

import (
	"fmt"

	"github.com/outflow-gpu/outflow/internal/seqdiff"
)

func ExampleAlign() {
	a := []uint64{1, 2, 3, 4, 5}
	b := []uint64{1, 3, 4, 9, 5}
	for _, r := range seqdiff.Align(a, b, seqdiff.Options{}) {
		fmt.Println(r.A, r.B, a[r.A:r.A+r.Len])
	}
	// Output:
	// 0 0 [1]
	// 2 1 [3 4]
	// 4 4 [5]
}
