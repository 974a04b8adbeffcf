package trace

import (
	"bytes"

	"github.com/outflow-gpu/outflow/internal/blocks"
	"github.com/outflow-gpu/outflow/internal/markup"
	"github.com/outflow-gpu/outflow/pipe"
)

// Batch is a run of records in the order of the trace. It owns the memory that
// they refer to; Release hands it back, and with it every record and value.
type Batch struct {
	Records []Record

	block    blocks.Block
	found    []found  // what the block holds, in order
	others   []Record // those of found that are no repeats, their lines counted from the block's first
	nodes    []pipe.Node
	repeat   Record // the last that was read
	line     int    // of the block's first byte, from 1
	lines    int    // ends of lines in the block
	reader   *Reader
	ready    chan struct{} // tells that it is parsed
	unparsed bool          // the consumer is to parse it
}

// Release gives the batch back to its reader. The records, their values and
// texts are not valid any more.
func (b *Batch) Release() {
	if b.reader != nil {
		b.reader.recycle(b)
	}
}

// parse finds what the block of b holds.
func (p *blockParser) parse(b *Batch) {
	p.makeRoom(b)
	p.line, p.counted = 0, 0
	for _, piece := range b.block.Pieces {
		p.piece(b, piece)
	}
	if b.block.Uncut {
		for at := 0; at < len(b.block.Data); {
			at = p.next(b, at)
		}
	}
	p.count(b, len(b.block.Data))
	b.lines = p.line
}

// makeRoom empties the batch. It gets room for the calls of a block, as they are in
// most traces, or for the nodes of a long call, unless nobody may want them.
func (p *blockParser) makeRoom(b *Batch) {
	size := len(b.block.Data)
	if b.found == nil {
		const bytesPerRecord = 350
		records := 1 + min(size, defaultBlock)/bytesPerRecord // more of it is one long call
		b.found, b.others = make([]found, 0, records), make([]Record, 0, records)
	}
	switch {
	case size > p.blockBytes && p.wanted == nil:
		b.nodes = p.long.room(b.nodes, b.block.Data)
	case b.nodes == nil:
		b.nodes = make([]pipe.Node, 0, usualNodes(size))
	}
	b.found, b.others, b.nodes = b.found[:0], b.others[:0], b.nodes[:0]
}

// next reads the piece at offset at of a block without pieces, and returns where
// the next one begins. Sound calls, nearly all there is, are read at once.
func (p *blockParser) next(b *Batch, at int) int {
	data := b.block.Data
	p.count(b, at)
	if data[at] == '\n' {
		at++
		p.line++
	}
	if at+1 < len(data) && data[at] == '\t' {
		at++
	}
	p.counted = at
	if no, behind := tagNumber(data, at); behind > 0 {
		if end := p.repeated(b, at, no, behind); end > 0 {
			return end
		}
		if end := p.formed(b, at, no, behind); end > 0 {
			return end
		}
		if end := p.soundCall(b, at, behind); end > 0 {
			return end
		}
	} else if bytes.HasPrefix(data[at:], []byte("<call ")) {
		if end := p.soundCall(b, at, 0); end > 0 {
			return end
		}
	}
	if at == len(data) {
		return at
	}
	var scan markup.Scanner
	found, _ := scan.Next(data[at:], true)
	if found.Kind != markup.Blank {
		p.piece(b, blocks.Piece{Kind: found.Kind, Flaw: found.Flaw, Start: at, End: at + found.End})
	}
	return at + found.End
}

// soundCall reads the call at offset at and returns its end, or 0, and no record,
// when something is wrong with it or its values are not wanted. Its number ends at
// behind, which is 0 when it is not spelled as Mesa does.
func (p *blockParser) soundCall(b *Batch, at, behind int) int {
	data := b.block.Data
	tag, fault := p.markup.OpenTag(data, at)
	if fault.Reason != markup.NoFault || tag.Method == nil {
		return 0
	}
	class, method := p.intern(tag.Class), p.intern(tag.Method)
	if p.wanted != nil && !p.wanted(class, method) {
		return 0
	}
	first := len(b.nodes)
	nodes, end, fault := p.markup.Body(data, tag.Body, b.nodes)
	if fault.Reason != markup.NoFault {
		b.nodes = nodes[:first]
		return 0
	}
	b.nodes = nodes
	rec := p.sound(b, at, end, class, method, first)
	rec.No, rec.HasNo = tag.No, tag.HasNo
	if behind > 0 && !tag.Twice {
		p.forms.learn(data[behind:end], class, method, nodes[first:], behind)
		rec.repeat = p.repeats.learn(data[behind:end], class, method, nodes[first:], behind)
	}
	return end
}

// sound appends the record of a sound call whose nodes are those from first on.
func (p *blockParser) sound(b *Batch, at, end int, class, method string, first int) *Record {
	rec := p.record(b, at, end)
	rec.Class, rec.Method = class, method
	rec.Values = b.values(first)
	return rec
}

// record appends a record of the text from start to end, which is no repeat.
func (p *blockParser) record(b *Batch, start, end int) *Record {
	n := len(b.others)
	*b.find() = found{other: n}
	b.others = append(b.others, Record{
		Pos: p.pos(b, start),
		End: b.block.Byte + int64(end),
		Raw: b.block.Data[start:end:end],
	})
	return &b.others[n]
}

// piece reads one piece of a block.
func (p *blockParser) piece(b *Batch, piece blocks.Piece) {
	rec := p.record(b, piece.Start, piece.End)
	rec.Open = piece.Flaw == markup.Cut
	switch piece.Kind {
	case markup.Header:
		rec.Kind = HeaderRecord
	case markup.Footer:
		rec.Kind = FooterRecord
	case markup.Noise:
		rec.Kind = NoiseRecord
	case markup.Stray:
		rec.Kind = StrayRecord
		p.stray(b, rec, piece)
	case markup.Fragment:
		rec.Kind = MalformedRecord
		rec.Problem = p.problem(b, rec, piece.Start, piece.Flaw.String())
	default:
		p.call(b, rec, piece)
	}
}

// blockParser parses blocks; each worker has one.
type blockParser struct {
	markup     markup.Parser
	file       string
	wanted     func(class, method string) bool
	blockBytes int // of a block without a long call, at most
	names      map[string]string
	repeats    *repeater
	forms      *forms
	long       longNodes
	line       int // ends of lines before counted
	counted    int // offset in the block up to which lines are counted
}

func newBlockParser(o Options, long longNodes) *blockParser {
	return &blockParser{wanted: o.Wanted, blockBytes: o.blockBytes(), long: long, names: map[string]string{}}
}

// maxNames bounds the memory that damaged names can take.
const maxNames = 4096

// intern returns b as a string, the same each time.
func (p *blockParser) intern(b []byte) string {
	if s, ok := p.names[string(b)]; ok {
		return s
	}
	s := string(pipe.AppendUnescaped(nil, b))
	if len(p.names) < maxNames {
		p.names[string(b)] = s
	}
	return s
}

// pos returns the place of an offset in the block, which must not lie before the
// last one asked for. Its line counts from 0 at the block's first one.
func (p *blockParser) pos(b *Batch, offset int) pipe.Pos {
	p.count(b, offset)
	return pipe.Pos{File: p.file, Line: p.line, Byte: b.block.Byte + int64(offset)}
}

// count counts the lines up to an offset in the block.
func (p *blockParser) count(b *Batch, offset int) {
	if p.counted == offset {
		return
	}
	p.line += bytes.Count(b.block.Data[p.counted:offset], []byte{'\n'})
	p.counted = offset
}

func (p *blockParser) problem(b *Batch, rec *Record, offset int, reason string) *Problem {
	return &Problem{Pos: p.pos(b, offset), Method: rec.Method, Reason: reason}
}

// stray reads a string that stands outside any call.
func (p *blockParser) stray(b *Batch, rec *Record, piece blocks.Piece) {
	first := len(b.nodes)
	b.nodes, _ = p.markup.String(b.block.Data[:piece.End], piece.Start, b.nodes)
	rec.Values = b.values(first)
}

// call reads a call.
func (p *blockParser) call(b *Batch, rec *Record, piece blocks.Piece) {
	data := b.block.Data[:piece.End]
	tag, fault := p.markup.OpenTag(data, piece.Start)
	rec.No, rec.HasNo = tag.No, tag.HasNo
	rec.Class, rec.Method = p.intern(tag.Class), p.intern(tag.Method)
	rec.Skipped = p.wanted != nil && fault.Reason == markup.NoFault && piece.Flaw == markup.Sound && !p.wanted(rec.Class, rec.Method)
	if fault.Reason == markup.NoFault && !rec.Skipped {
		first := len(b.nodes)
		b.nodes, _, fault = p.markup.Body(data, tag.Body, b.nodes)
		rec.Values = b.values(first)
	}
	p.judge(b, rec, piece, fault, tag.Method != nil)
}

// judge decides whether the record is a whole call, an open one or malformed.
func (p *blockParser) judge(b *Batch, rec *Record, piece blocks.Piece, fault markup.Fault, named bool) {
	switch {
	case piece.Flaw == markup.Cut && (fault.Reason == markup.EndOfText || fault.Reason == markup.NoFault):
		return
	case piece.Flaw != markup.Sound && piece.Flaw != markup.Cut:
		rec.Problem = p.problem(b, rec, piece.End, piece.Flaw.String())
	case fault.Reason != markup.NoFault:
		rec.Problem = p.problem(b, rec, fault.At, fault.String())
	case !named:
		rec.Problem = p.problem(b, rec, piece.Start, "<call> has no method")
	default:
		return
	}
	rec.Kind = MalformedRecord
}

// values returns the nodes from first on as the values of a call.
func (b *Batch) values(first int) pipe.Values {
	return pipe.MakeValues(b.block.Data, b.nodes[first:len(b.nodes):len(b.nodes)])
}
