package trace

// EndingKind tells where a trace ended.
type EndingKind uint8

// The endings.
const (
	// Closed: </trace> was read. The program ended normally.
	Closed EndingKind = iota
	// BetweenCalls: the last call is whole. The program was killed or left by
	// _exit or abort, or the file was cut there.
	BetweenCalls
	// InsideCall: the last call is open. In Mesa up to 23 a crash in a draw looks
	// so; else the file was cut.
	InsideCall
)

// String returns closed, between-calls or inside-call.
func (k EndingKind) String() string {
	switch k {
	case Closed:
		return "closed"
	case BetweenCalls:
		return "between-calls"
	default:
		return "inside-call"
	}
}

// Ending tells how a trace ended, and what was read until then.
type Ending struct {
	Kind     EndingKind
	Complete bool  // the closing tag of the last header was read
	Byte     int64 // how many bytes of text were read
	Calls    uint64
	// Malformed counts the calls that could not be read whole, an open last call
	// not among them. Calls counts the whole ones.
	Malformed uint64
	// Headers counts the headers; 0 with Calls 0 means that this is no trace.
	Headers uint64
	// Damage is what a decompressor said about a source that is cut or corrupt,
	// else nil. What could be decompressed was read.
	Damage error
}

// see takes one record into account.
func (e *Ending) see(rec *Record) {
	e.Kind = BetweenCalls
	switch rec.Kind {
	case CallRecord:
		if !rec.Open {
			e.Calls++
		}
	case MalformedRecord:
		if !rec.Open {
			e.Malformed++
		}
	case HeaderRecord:
		e.Headers++
		e.Complete = false
	case FooterRecord:
		e.Complete = true
	}
	switch {
	case rec.Open && (rec.Kind == CallRecord || rec.Kind == MalformedRecord):
		e.Kind = InsideCall
	case e.Complete:
		e.Kind = Closed
	}
}
