#!/bin/sh
# Runs outflow and other readers side by side on one trace and prints how long
# each takes, as processor time and as wall time, and how many times that is of
# the least that any reader has to do: a search that does nothing but look for
# the ends of calls, or, where the trace is packed with gzip, to unpack it as
# outflow does.
#
#   peers.sh TRACE [RUNS]             a trace of your own, plain, or gzip named .gz
#   peers.sh gears|captures [RUNS]    one made by seed, of 256 MB
#   peers.sh gears.gz|captures.gz [RUNS]    one of 1 GB, packed
#
# Each reader runs RUNS times (5) in turn with the others, and the medians
# count: other work on the machine then hits all alike. Run it from anywhere in
# the module. xmllint runs where it is installed, and parse.py, which is some
# hundred times slower, where MESA_TRACE_TOOLS names Mesa's folder
# src/gallium/tools/trace.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
trace=${1:?usage: peers.sh TRACE|gears|captures|gears.gz|captures.gz [RUNS]}
runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && for tool in search unpack make; do go build -o "$work/$tool" "./testdata/bench/$tool"; done && go build -o "$work/outflow" ./cmd/outflow)
case $trace in
gears | captures)
	"$work/make" "$trace" 1 256000000 >"$work/trace.xml"
	trace=$work/trace.xml
	;;
gears.gz | captures.gz)
	"$work/make" "${trace%.gz}" 1 1024000000 >"$work/trace"
	gzip "$work/trace"
	trace=$work/trace.gz
	;;
esac
case $trace in
*.gz) floor=unpack bytes='packed bytes' ;;
*) floor=search bytes=bytes ;;
esac

# peer NAME COMMAND...: runs once and keeps the times.
peer() {
	name=$1
	shift
	code=0
	/usr/bin/time -o "$work/time" -f '%U %S %e %M' "$@" >/dev/null 2>&1 || code=$?
	[ $code -le 1 ] || return 0
	echo "$name $(tail -n 1 "$work/time")" >>"$work/times"
}

peer warm "$work/$floor" "$trace"
i=0
while [ "$i" -lt "$runs" ]; do
	i=$((i + 1))
	peer "$floor" "$work/$floor" "$trace"
	peer outflow "$work/outflow" check "$trace"
	peer outflow-one-processor env GOMAXPROCS=1 "$work/outflow" check "$trace"
	if [ "$floor" = unpack ]; then
		peer unpack-std "$work/unpack" -std "$trace"
		peer gzip gzip -dc "$trace"
	elif command -v xmllint >/dev/null; then
		peer xmllint xmllint --stream --huge --noout "$trace"
	fi
	if [ -n "${MESA_TRACE_TOOLS:-}" ]; then
		peer parse.py python3 "$MESA_TRACE_TOOLS/parse.py" "$trace"
	fi
done

# The median of a column of a peer.
median() {
	grep "^$1 " "$work/times" | awk -v column="$2" '{ print column == "cpu" ? $2 + $3 : $4 }' | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

floor_cpu=$(median "$floor" cpu)
floor_wall=$(median "$floor" wall)
echo "$(wc -c <"$trace") $bytes, medians of $runs; times are those of $floor = 1"
printf '%-24s %10s %8s %10s %8s %10s\n' reader cpu times wall times peak
for name in "$floor" outflow outflow-one-processor unpack-std gzip xmllint parse.py; do
	grep -q "^$name " "$work/times" || continue
	cpu=$(median "$name" cpu)
	wall=$(median "$name" wall)
	peak=$(grep "^$name " "$work/times" | sort -n -k 5 | tail -n 1 | cut -d ' ' -f 5)
	echo "$name $cpu $floor_cpu $wall $floor_wall $peak" |
		awk '{ printf "%-24s %8.2f s %8.2f %8.2f s %8.2f %6d KiB\n", $1, $2, $2 / ($3 > 0 ? $3 : 0.01), $4, $4 / ($5 > 0 ? $5 : 0.01), $6 }'
done
