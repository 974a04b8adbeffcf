package blocks_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/outflow-gpu/outflow/internal/blocks"
)

const text = "<?xml version='1.0'?>\n<trace version='0.1'>\n\t<call no='1'>a</call>\n\t<call no='2'><![CDATA[</call>]]></string></call>\n</trace>\n"

func ExampleReader() {
	r := blocks.NewReader(strings.NewReader(text), 70, true)
	var b blocks.Block
	for r.Next(&b) {
		fmt.Printf("byte %d: %q\n", b.Byte, b.Data)
	}
	// Output:
	// byte 0: "<?xml version='1.0'?>\n<trace version='0.1'>\n\t<call no='1'>a</call>"
	// byte 66: "\n\t<call no='2'><![CDATA[</call>]]></string></call>"
	// byte 116: "\n</trace>\n"
}

// TestBlocksAreTheText holds that nothing is lost or doubled, whatever the size of blocks and the temper of the source.
func TestBlocksAreTheText(t *testing.T) {
	for size := 1; size < len(text)+2; size++ {
		for name, src := range map[string]io.Reader{
			"whole":     strings.NewReader(text),
			"one byte":  iotest.OneByteReader(strings.NewReader(text)),
			"half":      iotest.HalfReader(strings.NewReader(text)),
			"early end": iotest.DataErrReader(strings.NewReader(text)),
		} {
			r := blocks.NewReader(src, size, size%2 == 0)
			var b blocks.Block
			got := ""
			for r.Next(&b) {
				require.Equal(t, int64(len(got)), b.Byte)
				require.NotContains(t, string(b.Data)+"|", "CDATA[|", "a block ends within a section")
				got += string(b.Data)
			}
			require.Equal(t, text, got, "%s, blocks of %d", name, size)
			require.NoError(t, r.Err())
			require.Equal(t, int64(len(text)), r.Offset())
		}
	}
}

func TestErrorComesAfterWhatWasRead(t *testing.T) {
	src := io.MultiReader(strings.NewReader(text[:80]), iotest.ErrReader(io.ErrClosedPipe))
	r := blocks.NewReader(src, 16, false)
	var b blocks.Block
	got := ""
	for r.Next(&b) {
		got += string(b.Data)
	}
	require.Equal(t, text[:80], got)
	require.ErrorIs(t, r.Err(), io.ErrClosedPipe)
}

func TestSniff(t *testing.T) {
	for head, want := range map[string]blocks.Compression{
		"\x1f\x8b\x08\x00": blocks.Gzip, "BZh9": blocks.Bzip2, "\x28\xb5\x2f\xfd": blocks.Zstd, "\x51\x2a\x4d\x18": blocks.Zstd,
		"<?xm": blocks.Plain, "": blocks.Plain, "BZh": blocks.Plain, "BZhx": blocks.Plain, "\x1f": blocks.Plain,
	} {
		require.Equal(t, want, blocks.Sniff([]byte(head)), "%q", head)
	}
	_, _, err := new(blocks.Decompressor).Open(iotest.ErrReader(io.ErrClosedPipe))
	require.ErrorIs(t, err, io.ErrClosedPipe)
}
