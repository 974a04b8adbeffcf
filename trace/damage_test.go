package trace_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/trace"
)

// damage is what gets into texts: all that means something to the reader.
var damage = []string{"<call ", "</call>", "<![CDATA[", "]]></string>", "\n]]></string>", "<!--", "-->", "<arg", "<string>", "shader: ",
	"\n\t</call>\n\t<call no='3'", "!", "<?xml ", "<trace>", "</trace>", "<call no='2'", "<", "\n", "<![CDATA[shader: "}

// damaged returns text with a few bytes changed, words put in and stretches cut out.
func damaged(r *rand.Rand, text []byte) []byte {
	for range 1 + r.IntN(5) {
		if len(text) == 0 {
			break
		}
		i := r.IntN(len(text))
		switch r.IntN(4) {
		case 0:
			text[i] = byte(r.Uint32())
		case 1, 2:
			word := damage[r.IntN(len(damage))]
			text = append(text[:i:i], append([]byte(word), text[i:]...)...)
		case 3:
			text = append(text[:i:i], text[i+r.IntN(len(text)-i):]...)
		}
	}
	return text
}

// TestDamageInAnyBlocks holds that damaged texts read the same whatever the size
// of the blocks, and that records are the same ones whether values are
// read or not.
func TestDamageInAnyBlocks(t *testing.T) {
	seeds := []string{sample(), sample()[:2500]}
	for _, c := range odd {
		seeds = append(seeds, c.text)
	}
	random := rand.New(rand.NewPCG(11, 12))
	rounds := 20000
	if testing.Short() {
		rounds = 1000
	}
	for range rounds {
		text := string(damaged(random, []byte(seeds[random.IntN(len(seeds))])))
		want, wantEnd := read(t, text, trace.Options{BlockBytes: 64 << 10})
		got, end := read(t, text, trace.Options{BlockBytes: 1 + random.IntN(1+len(text))})
		require.Equal(t, want, got, "%q", text)
		require.Equal(t, wantEnd, end, "%q", text)
		require.Equal(t, len(want), countSkipping(t, text), "%q", text)
	}
}

// countSkipping counts the records of text without reading values.
func countSkipping(t *testing.T, text string) (records int) {
	r, err := trace.NewReader(bytes.NewReader([]byte(text)), trace.Options{
		BlockBytes: 64 << 10,
		Wanted:     func(string, string) bool { return false },
	})
	require.NoError(t, err)
	for _, err := range r.Records() {
		require.NoError(t, err)
		records++
	}
	return records
}
