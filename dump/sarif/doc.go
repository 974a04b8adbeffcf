// Package sarif writes findings as SARIF 2.1.0, the form that code hosts take
// for display beside a change (OASIS, Static Analysis Results Interchange
// Format 2.1.0).
//
// It holds the small part of the format that a list of findings needs: one
// run, the rules that it names, and one result for each finding with its
// place, its steps and a fingerprint that outlives moves in the file.
package sarif
