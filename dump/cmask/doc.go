// Package cmask decodes Cmask, the fast-clear state of an AMD colour buffer: one 4-bit nibble for each
// tile of 8x8 pixels, in which the colour block marks what rendering touched since the clear.
//
// The data flows one way. [Decode] turns the bytes of a dump, through the [Addresser] that knows where
// the hardware keeps each nibble, into a [Surface]: the nibbles in tile order, with no memory layout
// left. [Surface.View] reads those nibbles under a sub-tile [Mode], which says what part of a tile each
// bit stands for, and a [View] answers questions: was this pixel touched, how much was ([View.Report]),
// what does it look like ([View.WriteASCII], [View.WritePNG]), and did the pass stay where its draws
// could reach ([View.Check]). The last one proves, for example, that a stream-output pass with
// rasterizer discard wrote no pixel.
//
// [Select] gives the variant of the nibbles and the mode from the properties of a surface, for the Xbox
// One family and Xbox Series X|S, the two generations whose rules are public.
package cmask
