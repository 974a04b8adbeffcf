#!/bin/sh
# Builds xfb, records one Gallium trace of each scenario on each driver, and writes the manifest. See README.md.
#
#   record.sh                every scenario, and a new manifest
#   record.sh SCENARIO...    these again; the manifest stays
#   record.sh --grids        the grids: their JSON lines, and the traces of the capture grid
#
# Needs a C compiler, the headers of EGL and GL, and Mesa built with llvmpipe and softpipe (Debian: gcc libegl-dev
# libgl-dev libegl1 libgl1-mesa-dri zstd). Traces of scenarios that a driver skips or fails are not kept.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
traces=$here/../traces
grids=$here/../capture
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

drivers='llvmpipe softpipe softpipe-tgsi'
tab=$(printf '\t')

build() {
	${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -o "$work/xfb" "$here"/*.c -lEGL
}

# record SCENARIO DRIVER TRACE: runs it under a trace; its output is kept beside the trace.
record() {
	tgsi=
	[ "$2" = softpipe-tgsi ] && tgsi=use_tgsi
	env EGL_PLATFORM=surfaceless LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER="${2%-tgsi}" SOFTPIPE_DEBUG="$tgsi" \
		MESA_SHADER_CACHE_DISABLE=1 GALLIUM_TRACE="$3" GALLIUM_TRACE_NIR=1000000 \
		"$work/xfb" "$1" >"$3.out" 2>"$3.err"
}

# The version of Mesa as GL_VERSION tells it.
mesa_version() {
	env EGL_PLATFORM=surfaceless LIBGL_ALWAYS_SOFTWARE=1 "$work/xfb" version | sed -n 's/.*Mesa \([0-9.]*\).*/\1/p'
}

# How a trace ends: with its closing tag, between two calls, or inside one.
ending() {
	case $(tail -n 1 "$1") in
	'</trace>'*) echo closed ;;
	*'</call>') echo between-calls ;;
	*) echo inside-call ;;
	esac
}

# Draws made while a capture was under way: after a set with targets and before a set without.
captured_draws() {
	awk '/<call / {
		set = /method=.set_stream_output_targets./
		if (/method=.draw_vbo./ && on) draws++
	}
	set && /<arg name=.num_targets.>/ { on = !/<uint>0</ }
	END { print draws + 0 }' "$1"
}

# compress TRACE DRIVER FILE: both forms that readers meet; zstd sees the long repeats of the queries that open every
# trace. Prints the name that it gave.
compress() {
	case $2 in
	llvmpipe) gzip -9nc "$1" >"$3.gz" && echo "$3.gz" ;;
	*) zstd -q -19 -c "$1" >"$3.zst" && echo "$3.zst" ;;
	esac
}

keep() { # SCENARIO DRIVER TRACE
	file=$(compress "$3" "$2" "$traces/$1.$2.xml")
	printf '%s\t%s\t%s\t%s\t%s\t%s\n' "${file##*/}" "$1" "$2" "$version" "$(captured_draws "$3")" "$(ending "$3")" \
		>>"$work/manifest"
}

run() { # SCENARIO DRIVER
	trace=$work/$1.$2.xml
	code=0
	record "$1" "$2" "$trace" || code=$?
	case $code:$1 in
	0:* | 137:cut*) keep "$1" "$2" "$trace" ;;
	esac
	printf '%s\t%s\t%s\n' "$2" "$code" "$(cat "$trace.out")"
	rm -f "$trace"
}

record_grids() {
	mkdir -p "$grids"
	for driver in llvmpipe softpipe; do
		trace=$work/capture-grid.$driver.xml
		record capture-grid "$driver" "$trace"
		compress "$trace" "$driver" "$grids/grid.$driver.xml" >/dev/null
		gzip -9nc "$trace.out" >"$grids/grid.$driver.jsonl.gz"
	done
	record tess-grid llvmpipe "$work/tess.xml"
	gzip -9nc "$work/tess.xml.out" >"$grids/tess.llvmpipe.jsonl.gz"
}

record_scenarios() {
	mkdir -p "$traces"
	for scenario; do
		case $scenario in
		cut*) run "$scenario" llvmpipe; continue ;; # how a file ends does not depend on the driver
		esac
		for driver in $drivers; do
			run "$scenario" "$driver"
		done
	done
}

write_manifest() {
	echo "file${tab}scenario${tab}driver${tab}mesa${tab}captured_draws${tab}ending"
	sort "$work/manifest"
}

build
version=$(mesa_version)
: >"$work/manifest"
case ${1-} in
--grids)
	record_grids ;;
'')
	# shellcheck disable=SC2046 # the names are words
	record_scenarios $("$work/xfb" list | sed '/-grid /d; s/ .*//')
	write_manifest >"$traces/manifest.tsv" ;;
*)
	record_scenarios "$@" ;;
esac
