#!/usr/bin/env bash
# Other benchmarks' own code is driven with the reads of examples/conformance, its
# clock set to their times, and what it says is held against the view definitions.
# Of each tool only the Python that measures is installed; what else it imports is
# stood in for (scripts/replay/suite.py). Each tool is a file replay_TOOL.py that
# prints what the tool says of each stream, and a line below; where its own client
# makes other messages of the bytes, known.tsv says why. A tool that cannot be had
# is skipped with a word.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v python3 >/dev/null || ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
	echo "skipped: other benchmarks need python3 with venv and ensurepip"
	exit 0
fi
root=$PWD/bin/tools
env=$root/clients
work=$root/replay
rm -rf "$work"
mkdir -p "$work"

# What the tools speak HTTP and check types with; kept while the list stays.
clients="aiohttp httpx[http2] pydantic pydantic-settings numpy pyyaml ruamel.yaml openai orjson msgspec tqdm requests rich jinja2 pandas uvloop"
if [ "$(cat "$env/complete" 2>/dev/null)" != "$clients" ]; then
	rm -rf "$env"
	python3 -m venv "$env"
	# shellcheck disable=SC2086
	timeout 600 "$env/bin/pip" install --quiet --disable-pip-version-check $clients >"$root/clients.log" 2>&1 || {
		echo "skipped: the clients of other benchmarks cannot be installed here: $(grep -m1 ERROR "$root/clients.log" || echo 'see bin/tools/clients.log')"
		exit 0
	}
	echo "$clients" >"$env/complete"
fi

go build -o "$root/" ./cmd/record ./cmd/analyze
"$root/record" import reads examples/conformance/streams --provider suite --to "$work/traces" >"$work/import.log"
"$root/analyze" sql "$work/traces" --format json "SELECT r.caller_request_id AS stream, d.tool, d.metric, d.value, d.success FROM definitions d JOIN results r ON r.request_id = d.request_id" >"$work/definitions.json"

# unpacked PACKAGE==VERSION: its Python in bin/tools/python/PACKAGE==VERSION.
unpacked() {
	dir=$root/python/$1
	[ -e "$dir/complete" ] && return 0
	rm -rf "$dir" "$work/wheel"
	mkdir -p "$dir"
	timeout 300 "$env/bin/pip" download --quiet --disable-pip-version-check --no-deps --ignore-requires-python --only-binary :all: --dest "$work/wheel" "$1" >"$root/wheel.log" 2>&1 || {
		echo "skipped: $1 cannot be downloaded here: $(grep -m1 ERROR "$root/wheel.log" || echo 'see bin/tools/wheel.log')"
		return 1
	}
	python3 scripts/replay/unpack.py "$work"/wheel/*.whl "$dir"
	rm -rf "$work/wheel"
	touch "$dir/complete"
}

status=0
while read -r tool package name; do
	unpacked "$package" || continue
	said=$work/$tool.json
	if ! PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$dir timeout 120 "$env/bin/python" "scripts/replay/replay_$tool.py" examples/conformance/streams >"$said" 2>"$work/$tool.log"; then
		echo "$name: its code cannot be driven"
		tail -n 5 "$work/$tool.log"
		status=1
		continue
	fi
	python3 scripts/replay/compare.py "$work/definitions.json" "$said" "$name" scripts/replay/known.tsv || status=1
done <<'TOOLS'
vllm vllm==0.33.0 vllm bench serve
sglang sglang==0.5.23 sglang bench_serving
aiperf aiperf==0.13.0 aiperf
guidellm guidellm==0.8.1 guidellm
inference-perf inference-perf==0.7.0 inference-perf
evalscope evalscope==1.14.1 evalscope perf
genai-perf genai-perf==0.0.16 genai-perf
llmeter llmeter==0.2.0 llmeter
TOOLS
exit "$status"
