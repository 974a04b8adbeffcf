package d3d

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/streamout/frontend"
	"github.com/outflow-gpu/outflow/streamout/rules"
)

func translate(t *testing.T, line string) (info string, said []string, broken *frontend.Error) {
	t.Helper()
	c, err := ParseCase([]byte(line))
	require.NoError(t, err)
	tr, err := Translate(c)
	if err != nil {
		require.True(t, errors.As(err, &broken), "%v", err)
		return "", nil, broken
	}
	require.Len(t, tr.Names, int(tr.Info.NumOutputs))
	for _, d := range tr.Said {
		said = append(said, d.Rule)
	}
	require.NoError(t, tr.Check(rules.All()), "a translated info passes the rules of Gallium")
	return frontend.Notation(&tr.Info), said, nil
}

const signature = `"signature":[{"semanticName":"SV_Position","register":0,"mask":"xyzw"},{"semanticName":"NORMAL","register":1,"mask":"xyz"},
	{"semanticName":"TEXCOORD","register":2,"mask":"xy"},{"semanticName":"TEXCOORD","semanticIndex":1,"register":2,"mask":"zw"}]`

func TestTranslate(t *testing.T) {
	for _, tc := range []struct {
		name, line, want string
		said             []string
	}{
		{"a gap and a packed register", `{` + signature + `,"declarations":[{"semanticName":"SV_Position","componentCount":4},{"semanticName":null,"componentCount":2},
			{"semanticName":"normal","componentCount":3},{"semanticName":"TEXCOORD","semanticIndex":1,"startComponent":1,"componentCount":1}]}`,
			"(0,0,4,b0,0,0)(1,0,3,b0,6,0)(2,3,1,b0,9,0){10,0,0,0}", nil},
		{"two buffers and a big gap", `{` + signature + `,"strides":[32,48],"declarations":[{"semanticName":"SV_Position","componentCount":4},
			{"semanticName":"NORMAL","startComponent":1,"componentCount":2,"outputSlot":1},{"componentCount":6,"outputSlot":1},{"semanticName":"TEXCOORD","componentCount":2,"outputSlot":1}]}`,
			"(0,0,4,b0,0,0)(1,1,2,b1,0,0)(2,0,2,b1,8,0){8,12,0,0}", nil},
		{"two streams", `{"signature":[{"semanticName":"A","register":0,"mask":"xy"},{"semanticName":"B","register":1,"mask":"xyzw"},
			{"stream":1,"semanticName":"C","register":0,"mask":"xyz"},{"stream":1,"semanticName":"D","register":1,"mask":"xyz"}],
			"declarations":[{"semanticName":"A","componentCount":2},{"semanticName":"B","componentCount":4,"outputSlot":1},
			{"stream":1,"semanticName":"C","componentCount":3,"outputSlot":2},{"stream":1,"semanticName":"D","componentCount":3,"outputSlot":2}]}`,
			"(0,0,2,b0,0,0)(1,0,4,b1,0,0)(2,0,3,b2,0,1)(3,0,3,b2,3,1){2,4,6,0}", []string{"so-d3d-register-alias", "so-d3d-register-alias"}},
		{"one register in reverse order", `{` + signature + `,"declarations":[{"semanticName":"TEXCOORD","startComponent":1,"componentCount":1},{"semanticName":"TEXCOORD","componentCount":1}]}`,
			"(2,1,1,b0,0,0)(2,0,1,b0,1,0){2,0,0,0}", nil},
		{"each slot has an offset of its own", `{` + signature + `,"strides":[16,16],"declarations":[{"semanticName":"SV_Position","componentCount":4},{"semanticName":"NORMAL","componentCount":3,"outputSlot":1}]}`,
			"(0,0,4,b0,0,0)(1,0,3,b1,0,0){4,4,0,0}", nil},
		{"no entries, and garbage around them", `{"api":"d3d12",` + signature + `,"numEntries":0,"declarations":[{"semanticName":"SV_Position","componentCount":9}],"strides":[3435973836]}`,
			"{0,0,0,0}", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			info, said, broken := translate(t, tc.line)
			require.Nil(t, broken)
			require.Equal(t, tc.want, info)
			require.Equal(t, tc.said, said)
		})
	}
}

// What Direct3D 11 takes in several slots, 10 refuses.
func TestSeveralSlotsOfLevel10(t *testing.T) {
	const line = signature + `,"declarations":[{"semanticName":"SV_Position","componentCount":4},{"semanticName":"NORMAL","componentCount":2,"outputSlot":1},{"componentCount":6,"outputSlot":1},{"semanticName":"TEXCOORD","componentCount":2,"outputSlot":1}]}`
	_, _, broken := translate(t, `{"api":"d3d10",`+line)
	require.Equal(t, "so-d3d-slot-single", broken.Rule)
	_, _, broken = translate(t, `{`+line)
	require.Nil(t, broken)
}
