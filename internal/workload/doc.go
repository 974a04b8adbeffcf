// Package workload makes long traces by seed, for benchmarks and for the
// comparison with other readers: the frames of a program, in the form that Mesa
// 26 writes. As in real frame loops most calls are those of the frame before,
// and some are new.
package workload
