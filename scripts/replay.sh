#!/usr/bin/env bash
# Other benchmarks' own code is driven with the reads of examples/conformance, its
# clock set to their times, and what it says is held against the view definitions.
# LLMeter; each further tool is one file scripts/replay/replay_TOOL.py that prints what it
# says of each stream. A tool that cannot be installed is skipped with a word.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v python3 >/dev/null || ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
	echo "skipped: other benchmarks need python3 with venv and ensurepip"
	exit 0
fi
root=$PWD/bin/tools
work=$root/replay
rm -rf "$work"
mkdir -p "$work"
go build -o "$root/" ./cmd/record ./cmd/analyze
"$root/record" import reads examples/conformance/streams --provider suite --to "$work/traces" >"$work/import.log"
"$root/analyze" sql "$work/traces" --format json "SELECT r.caller_request_id AS stream, d.tool, d.metric, d.value, d.success FROM definitions d JOIN results r ON r.request_id = d.request_id" >"$work/definitions.json"

# install NAME REQUIREMENT…: an environment of its own, shared with tools.sh.
install() {
	name=$1 && shift
	[ "$(cat "$root/$name/complete" 2>/dev/null)" = "$*" ] && return 0
	rm -rf "${root:?}/$name"
	python3 -m venv "$root/$name" && timeout 900 "$root/$name/bin/pip" install --quiet --disable-pip-version-check "$@" >"$root/$name.log" 2>&1 || {
		echo "skipped: $name cannot be installed here: $(grep -m1 ERROR "$root/$name.log" || echo 'see its log')"
		return 1
	}
	echo "$*" >"$root/$name/complete"
}

if install llmeter llmeter==0.2.0 httpx openai; then
	"$root/llmeter/bin/python" scripts/replay/replay_llmeter.py examples/conformance/streams >"$work/llmeter.json"
	python3 scripts/replay/compare.py "$work/definitions.json" "$work/llmeter.json" llmeter scripts/replay/known.tsv
fi
