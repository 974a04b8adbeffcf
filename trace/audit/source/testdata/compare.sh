#!/bin/bash
# compare.sh OUTFLOW DIR: seconds that the auditor and Coccinelle, with equal
# rules, take for the tree DIR on one core: medians of three runs.
set -eu
outflow=$(realpath "$1") dir=$2
rules=$(dirname "$(realpath "$0")")/three-rules.cocci
TIMEFORMAT='%U %S %R'

# measure NAME COMMAND...
measure() {
	local name=$1 runs
	shift
	runs=$(for _ in 1 2 3; do { time taskset -c 0 "$@" >/dev/null 2>&1; } 2>&1 || true; done)
	echo "$name: user+sys $(awk '{ print $1 + $2 }' <<<"$runs" | sort -n | sed -n 2p)" \
		"wall $(awk '{ print $3 }' <<<"$runs" | sort -n | sed -n 2p)"
}

measure outflow "$outflow" audit --format json "$dir"
measure spatch spatch --very-quiet --no-includes --sp-file "$rules" --dir "$dir"
