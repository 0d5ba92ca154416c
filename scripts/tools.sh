#!/usr/bin/env bash
# Benchmarks of others measure a simulated fleet, and what they write is imported
# beside our own recording of the same server: the medians of the rows must be
# those that each tool reports itself. LLMeter by default; AIRCHECK_TOOLS names
# more of them (llmeter genai-bench guidellm aiperf inference-perf evalscope),
# which are gigabytes. A tool that cannot be installed is skipped with a word.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v python3 >/dev/null || ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
	echo "skipped: benchmarks of others need python3 with venv and ensurepip"
	exit 0
fi
tools=${AIRCHECK_TOOLS:-llmeter}
root=$PWD/bin/tools
work=$root/work
address=127.0.0.1:18391
url=http://$address/chat
rm -rf "$work"
mkdir -p "$work"

# install NAME REQUIREMENT…: an environment of its own, kept while the list stays.
install() {
	name=$1 && shift
	venv=$root/$name
	[ "$(cat "$venv/complete" 2>/dev/null)" = "$*" ] && return 0
	rm -rf "$venv"
	"${PYTHON:-python3}" -m venv "$venv" && timeout 900 "$venv/bin/pip" install --quiet --disable-pip-version-check "$@" >"$root/$name.log" 2>&1 || {
		echo "skipped: $name cannot be installed here: $(grep -m1 ERROR "$root/$name.log" || echo 'see its log')"
		return 1
	}
	echo "$*" >"$venv/complete"
}

fleet=
leave() {
	status=$?
	trap - EXIT
	if [ -n "$fleet" ]; then
		kill "$fleet" 2>/dev/null || true
		wait "$fleet" 2>/dev/null || true
	fi
	exit "$status"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

go build -o "$root/" ./cmd/record ./cmd/analyze
"$root/record" simulate scripts/tools/fleet.yaml --listen "$address" >"$work/fleet.txt" &
fleet=$!
until grep -q http "$work/fleet.txt" 2>/dev/null; do
	kill -0 "$fleet"
	sleep 0.05
done
unset HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy
export NO_PROXY='*' HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1 HF_HOME=$work/hf AIRCHECK_TOOLS_KEY=none

for i in $(seq 50); do echo "{\"prompt\": \"Tell me about ships $i\", \"question\": \"Tell me about ships $i\"}"; done >"$work/prompts.jsonl"
cat >"$work/inference-perf.yaml" <<YAML
api: {type: chat, streaming: true}
data: {type: mock}
load: {type: constant, stages: [{rate: 10, duration: 2}]}
server: {type: vllm, model_name: owl, base_url: "$url", ignore_eos: false}
tokenizer: {pretrained_model_name_or_path: "$work/hf/hub/models--toks--owl/snapshots/0000000000000000000000000000000000000000"}
report: {request_lifecycle: {summary: true, per_request: true}}
storage: {local_storage: {path: "$work/inference-perf"}}
YAML

tokenizer() { [ -e "$work/hf" ] || "$root/$1/bin/python" scripts/tools/tokenizer.py "$work/hf"; }
run() { timeout 240 "$@" >"$work/$tool.log" 2>&1 || { tail -n 20 "$work/$tool.log"; echo "$tool failed"; exit 1; }; }
import() { "$root/record" import "$@" --provider "$tool" --model owl --scenario all --to "$work/traces" >"$work/$tool.import"; }

"$root/record" run scripts/tools/plan.yaml --to "$work/traces" >"$work/ours.log"
for tool in $tools; do
	case $tool in
	llmeter)
		install llmeter llmeter==0.2.0 httpx openai || continue
		run "$root/llmeter/bin/python" scripts/tools/run_llmeter.py "$url" "$work/llmeter"
		import "$work/llmeter"
		;;
	genai-bench)
		install genai-bench genai-bench==0.0.5 || continue
		tokenizer genai-bench
		run "$root/genai-bench/bin/genai-bench" benchmark --api-backend openai --api-base "$url" --api-key none --api-model-name owl --model-tokenizer "$work/hf/hub/models--toks--owl/snapshots/0000000000000000000000000000000000000000" --task text-to-text --max-time-per-run 1 --max-requests-per-run 20 --num-concurrency 2 --traffic-scenario 'D(20,40)' --experiment-base-dir "$work/genai-bench"
		import "$work"/genai-bench/*/D*.json
		;;
	guidellm)
		install guidellm guidellm==0.8.1 || continue
		mkdir -p "$work/guidellm"
		run "$root/guidellm/bin/guidellm" run --backend "kind=openai_http,target=$url,model=owl,validate_backend=false" --profile kind=concurrent,streams=2 --constraint kind=max_requests,count=20 --data "kind=json_file,path=$work/prompts.jsonl" --output "kind=json,path=$work/guidellm/report.json" --disable-console
		import "$work/guidellm"
		;;
	aiperf)
		install aiperf aiperf==0.13.0 || continue
		tokenizer aiperf
		run "$root/aiperf/bin/aiperf" profile -m owl --url "$url" --endpoint-type chat --streaming --tokenizer toks/owl --request-count 20 --warmup-request-count 3 --concurrency 2 --synthetic-input-tokens-mean 50 --output-tokens-mean 40 --artifact-dir "$work/aiperf" --ui none --export-level raw
		import "$work/aiperf"
		;;
	inference-perf)
		PYTHON=$(command -v python3.12 || echo python3) install inference-perf inference-perf==0.7.0 || continue
		tokenizer inference-perf
		run "$root/inference-perf/bin/inference-perf" --config_file "$work/inference-perf.yaml"
		import "$work/inference-perf/per_request_lifecycle_metrics.json"
		;;
	evalscope)
		install evalscope 'evalscope[perf]==1.14.1' || continue
		run "$root/evalscope/bin/evalscope" perf --url "$url/v1/chat/completions" --model owl --api openai --dataset openqa --dataset-path "$work/prompts.jsonl" --number 20 --parallel 2 --max-tokens 40 --stream --outputs-dir "$work/evalscope" --no-timestamp
		python3 -c "import glob,json,sqlite3,sys; c=sqlite3.connect(glob.glob(sys.argv[1]+'/**/benchmark_data.db',recursive=True)[0]); c.row_factory=sqlite3.Row; json.dump([dict(r) for r in c.execute('SELECT * FROM result')],open(sys.argv[1]+'/rows.json','w'))" "$work/evalscope"
		import "$work/evalscope/rows.json"
		;;
	*)
		echo "unknown tool: $tool"
		exit 2
		;;
	esac
done
"$root/record" verify "$work/traces"
"$root/analyze" sql "$work/traces" --format csv "SELECT provider, count(*) AS n, median(ttft_ms) AS p50 FROM results WHERE measured AND ttft_ms IS NOT NULL GROUP BY ALL ORDER BY provider" >"$work/medians.csv"
python3 scripts/tools/medians.py "$work/medians.csv" "$work"
