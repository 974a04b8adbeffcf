#!/bin/sh
# Makes cmd/outflow/default.pgo anew, the profile that the go command optimises the
# program by: from the benchmarks of check, on one processor, built without it.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
GOMAXPROCS=1 go test -run '^$' -bench '^Benchmark(Check|Packed)$' -benchtime 5s \
	-trimpath -pgo off -o "$work/test" -cpuprofile "$work/profile" ./cmd/outflow
go tool pprof -proto "$work/profile" >cmd/outflow/default.pgo
