// Package markup reads the XML dialect of Gallium traces (Mesa's tr_dump.c):
// Scanner cuts text into pieces (calls, headers, what stands between them) and
// Parser turns a call into a tape of values.
//
// The dialect is narrower than XML (a dozen elements, no namespaces, no
// entities of its own) and in places wider, because Mesa writes some text as it
// comes. The reading is lenient exactly there:
//
//   - A CDATA section ends at ]]></string>, not at ]]>: shader text carries
//     labels of the application, which may hold anything. Mesa's printer ends
//     shader text with a line feed, so in a section that starts with "shader: "
//     an end marker within a line is taken for part of a label if one at a line
//     start follows in the same call.
//   - When the text of a section holds the end of this call and the start of the
//     call that is numbered next, its end marker was lost. The call is malformed
//     and ends there, so that one damaged byte costs one call.
//   - Text between elements of a call is ignored, as drivers print to the stream
//     that the trace goes to; between calls it is noise, a piece a line.
//   - A call that has no end before the next call, header or closing tag ends
//     there, malformed.
//
// Everything is bounded: sections by MaxSection, calls by MaxCall, lines of
// noise by MaxLine, nesting by MaxDepth.
package markup
