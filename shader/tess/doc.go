// Package tess says what the fixed-function tessellator yields and how a tessellated draw is cut up.
//
// Four questions, each with its own part:
//
//   - How many vertices and primitives does a patch give? [Tessellator.Count] answers exactly for every
//     domain, spacing and factor set, without allocating. Stream output writes unindexed primitives, so the
//     vertices it captures are Counts.Indices.
//   - Which points and which triangles? [Tessellator.Geometry] gives them in the order of Mesa's
//     software tessellator, in 16.16 fixed point; [Tessellator.WriteSVG] draws them.
//   - How is the draw divided into threadgroups and waves, and what of it stays on chip? [NewPlan], for a
//     [Device] and one of the policies [Default], [Radeonsi] and [Radv].
//   - What did the driver make of the wished parameters? [Control] keeps the parameter object: set,
//     adjusted by a draw, read back.
//
// The rules are those of Direct3D 11's tessellator, which Mesa's software drivers share and GL's spacing
// modes restate (OpenGL 4.6, section 11.2.2).
package tess
