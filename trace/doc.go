// Package trace reads and writes the traces that Mesa makes of Gallium
// (GALLIUM_TRACE=file).
//
// [Reader] is the raw floor: it turns bytes into records, one per <call>, with
// their values as they stand, whatever the method and the version of Mesa. It
// reads files of any size in flat memory, compressed or not, and keeps reading
// where a trace is damaged: a malformed call is a record that says where and why.
// [Reader.Ending] tells how the trace ended, which for a program that died is
// the most interesting thing about it.
//
// Records come in batches that own their memory:
//
//	r, err := trace.Open("app.xml.gz", trace.Options{})
//	...
//	defer r.Close()
//	for rec, err := range r.Records() {
//		...
//	}
//
// Whoever reads many traces, most of them short, gives them to one Reader with
// [Reader.Reset]: its memory is most of what a short trace costs.
//
// Above it a [Decoder] makes operations of records, in the forms of every Mesa
// since 7.12, and [Replay] sends them to a [pipe.Driver]. The other way, a
// [Writer] writes operations as one of three versions of Mesa does, and a
// [Recorder] is the layer that does so for everything that passes through it.
package trace
