package cmask

import (
	"encoding/binary"
	"fmt"
	"github.com/klauspost/compress/zlib"
	"hash/crc32"
	"io"
)

// WritePNG draws the surface as a PNG of one bit a dot, one dot per pixel or per quad, in the colors of
// [Palette]. It keeps a row at a time. (A row of a tile is one byte of such a PNG, so writing it here is
// many times faster than going through image/png, which asks for each pixel.)
func (v *View) WritePNG(w io.Writer, u Unit) error {
	if u != PerPixel && u != PerQuad {
		return fmt.Errorf("PNG with unit %d, expected PerPixel or PerQuad", u)
	}
	side := u.pixels()
	if _, err := io.WriteString(w, "\x89PNG\r\n\x1a\n"); err != nil {
		return err
	}
	head := make([]byte, 13)
	binary.BigEndian.PutUint32(head, uint32((v.width+side-1)/side))
	binary.BigEndian.PutUint32(head[4:], uint32((v.height+side-1)/side))
	head[8], head[9] = 1, 3 // one bit a dot, with a palette
	var colors, alphas []byte
	for _, c := range Palette() {
		r, g, b, a := c.RGBA() // premultiplied
		colors = append(colors, byte(r*255/a), byte(g*255/a), byte(b*255/a))
		alphas = append(alphas, byte(a>>8))
	}
	for _, c := range []struct {
		name string
		data []byte
	}{{"IHDR", head}, {"PLTE", colors}, {"tRNS", alphas}} {
		if err := writeChunk(w, c.name, c.data); err != nil {
			return err
		}
	}
	if err := v.writePixels(w, u); err != nil {
		return err
	}
	return writeChunk(w, "IEND", nil)
}

func writeChunk(w io.Writer, name string, data []byte) error {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	chunk = append(append(chunk, name...), data...)
	_, err := w.Write(binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:])))
	return err
}

// chunks writes what it is given as data chunks of up to 64 KiB.
type chunks struct {
	w   io.Writer
	buf []byte
}

func (c *chunks) Write(p []byte) (int, error) {
	c.buf = append(c.buf, p...)
	if len(c.buf) < 64<<10 {
		return len(p), nil
	}
	return len(p), c.flush()
}

func (c *chunks) flush() error {
	err := writeChunk(c.w, "IDAT", c.buf)
	c.buf = c.buf[:0]
	return err
}

// filterUp marks a row of a PNG that holds differences from the row above.
const filterUp = 2

func (v *View) writePixels(w io.Writer, u Unit) error {
	out := &chunks{w: w}
	z, err := zlib.NewWriterLevel(out, zlib.BestSpeed)
	if err != nil {
		return err
	}
	side := u.pixels()
	dots := (v.width + side - 1) / side
	line := make([]byte, 1+v.tilesWide+1) // a filter byte (none), a byte per tile, room for half a pair
	size := 1 + (dots+7)/8
	// The rows of a sub-tile are alike: after the first, a row is told as no change from the one above.
	alike := make([]byte, size)
	alike[0] = filterUp
	subTileHigh := subTiles[v.mode].h
	for ty, row := range v.rows() {
		for y := 0; y < min(TileSize, v.height-ty*TileSize); y += side {
			if y%subTileHigh != 0 {
				if _, err := z.Write(alike); err != nil {
					return err
				}
				continue
			}
			if u == PerPixel {
				v.pixelRow(line[1:], row, y)
			} else {
				v.quadRow(line[1:], row, y)
			}
			if pad := size*8 - 8 - dots; pad > 0 {
				line[size-1] &= 0xFF << pad
			}
			if _, err := z.Write(line[:size]); err != nil {
				return err
			}
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return out.flush()
}

func (v *View) pixelRow(line, row []uint8, y int) {
	for tx, nibble := range row {
		line[tx] = v.drawn[nibble][y]
	}
}

func (v *View) quadRow(line, row []uint8, y int) {
	var quads [16]uint8 // every other pixel, in the upper half
	for nibble, rows := range v.drawn {
		r := rows[y]
		quads[nibble] = r&0x80 | r&0x20<<1 | r&0x08<<2 | r&0x02<<3
	}
	for tx, nibble := range row {
		if tx&1 == 0 {
			line[tx/2] = quads[nibble]
		} else {
			line[tx/2] |= quads[nibble] >> 4
		}
	}
}
