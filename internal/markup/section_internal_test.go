package markup

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ownEnd is labelled, as it is meant: the end marker on a line of its own counts
// when it comes before anything that cannot stand in shader text.
func ownEnd(b string, mark int) (end int, ok bool) {
	rest := b[mark:]
	own := strings.Index(rest, string(lineMark))
	for i := range rest {
		if own >= 0 && i+len(lineMark) > own+len(lineMark) {
			return mark + own + 1 + len("]]>"), true
		}
		for _, other := range []string{string(callLayout), string(shaderStart)} {
			if strings.HasPrefix(rest[i:], other) && (own < 0 || i+len(other) <= own) {
				return mark + len("]]>"), true
			}
		}
	}
	return mark + len("]]>"), false
}

func TestLabelledIsTheOwnEnd(t *testing.T) {
	parts := []string{string(lineMark), string(callLayout), string(shaderStart), string(sectionMark), "\n", "x", "]]>", "\n\t</call>\n", "<![CDATA[shader"}
	random := rand.New(rand.NewPCG(4, 2))
	found := map[bool]int{}
	for range 20000 {
		text := string(shaderStart) + "a label "
		mark := len(text)
		text += string(sectionMark)
		for range random.IntN(7) {
			part := parts[random.IntN(len(parts))]
			text += part[:len(part)-random.IntN(2)*random.IntN(len(part))]
		}
		want, ok := ownEnd(text, mark)
		found[ok]++
		end, flaw, known := labelled([]byte(text), 0, mark, true)
		require.Equal(t, Sound, flaw)
		require.True(t, known)
		require.Equal(t, want, end, "%q", text)
		end, _, known = labelled([]byte(text), 0, mark, false)
		require.Equal(t, ok, known, "%q", text)
		if known {
			require.Equal(t, want, end, "%q", text)
		}
	}
	require.Greater(t, min(found[true], found[false]), 1000)
	require.Zero(t, bytes.Compare(sectionMark, lineMark[1:]))
}
