#!/usr/bin/env bash
# Generates datasets of growing size and builds each within --memory 1GB: time,
# processor time and peak memory a frame or a request, and how they grow. Sizes in
# millions: LONG of frames in responses of 500, SHORT of requests of seven frames.
# One million frames take about 15 MB on disk, one million requests 0.2 GB; each dataset is
# removed before the next.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d "${TMPDIR:-/tmp}/aircheck-scale-XXXX")
trap 'rm -rf "$work"' EXIT
go build -o "$work/bench" ./internal/tools/bench/analyze
go build -o "$work/dataset" ./internal/tools/bench/dataset

measure() { # shape millions chunks
	rm -rf "$work/data" "$work/cache"
	if [ "$1" = short ]; then "$work/dataset" "$work/data" "$3" short; else "$work/dataset" "$work/data" "$3"; fi >/dev/null
	scan=$("$work/bench" -dir "$work/data" -one scan)
	build=$("$work/bench" -dir "$work/data" -one build -memory "${MEMORY:-1GB}")
	python3 - "$1" "$2" "$scan" "$build" <<'PY'
import json, sys
shape, millions, scan, build = sys.argv[1], float(sys.argv[2]), json.loads(sys.argv[3]), json.loads(sys.argv[4])
print(f"{shape:5} {millions:6g} M: CPU {build['CPU']/1e9:7.1f} s ({build['CPU']/millions/1e9:.2f} s a million, {build['CPU']/scan['CPU']:.1f} x the scan), wall {build['Wall']/1e9:7.1f} s, peak {build['Peak']/1e6:.0f} MB", flush=True)
PY
}
for m in ${LONG:-10 50}; do measure long "$m" "$(python3 -c "print(int($m * 1e6))")"; done
for m in ${SHORT:-1 5}; do measure short "$m" "$(python3 -c "print(int($m * 7e6))")"; done
