package d3d

import (
	"testing"

	"github.com/outflow-gpu/outflow/streamout/rules"
)

// Whatever a case says, it is an error or an info that Gallium takes.
func FuzzTranslate(f *testing.F) {
	for _, line := range []string{
		`{` + signature + `,"strides":[32,48],"declarations":[{"semanticName":"SV_Position","componentCount":4},{"semanticName":"NORMAL","startComponent":1,"componentCount":2,"outputSlot":1},{"componentCount":6,"outputSlot":1}]}`,
		`{"api":"d3d10","numEntries":4294967295,"strides":[4294967295],"declarations":[{"componentCount":4294967295,"startComponent":4294967295,"outputSlot":4294967295,"stream":4294967295}],"rasterizedStream":4294967295}`,
		`{"signature":[{"stream":3,"semanticName":"","register":65536,"mask":"xz"}],"declarations":[{"stream":3,"semanticName":"","componentCount":2}]}`,
	} {
		f.Add([]byte(line))
	}
	all := rules.All()
	f.Fuzz(func(t *testing.T, line []byte) {
		p, err := ParseCase(line)
		if err != nil {
			return
		}
		tr, err := Translate(p)
		if err != nil {
			return
		}
		if err := tr.Check(all); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	})
}
