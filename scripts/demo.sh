#!/usr/bin/env bash
# The whole path on loopback: a simulated fleet is recorded, analysed and
# reported into demo/, which is made anew. Expects bin/ to be built.
set -euo pipefail
cd "$(dirname "$0")/.."

out=demo
named=127.0.0.1:18377 # where examples/demo-plan.yaml expects the fleet
fleet= step= load=

# Steps run in the background, since bash would put off a trap until a step in
# the foreground has ended. SIGTERM lets a recording that is under way end well.
# shellcheck disable=SC2317 # called by the trap
leave() {
	status=$?
	trap - EXIT
	for pid in $step $load $fleet; do
		kill -TERM "$pid" 2>/dev/null || true
	done
	for pid in $step $load $fleet; do
		wait "$pid" 2>/dev/null || true
	done
	exit "$status"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

run() {
	"$@" &
	step=$!
	wait "$step"
	step=
}

say() { printf '\n%s\n' "$*"; }

rm -rf "$out"
mkdir "$out"

say "A fleet of simulated providers (examples/demo-fleet.yaml):"
bin/record simulate examples/demo-fleet.yaml --truth "$out/truth.jsonl" >"$out/fleet.txt" &
fleet=$!
until grep -q http "$out/fleet.txt"; do
	if ! kill -0 "$fleet" 2>/dev/null; then
		echo "make demo: the fleet did not start" >&2
		exit 4
	fi
	sleep 0.05
done
cat "$out/fleet.txt"

# The fleet took a port that was free; the plan has to name it.
address=$(sed -n 's#.*http://##p' "$out/fleet.txt")
for plan in demo-plan demo-load-plan; do
	sed "s#http://$named#http://$address#" "examples/$plan.yaml" >"$out/$plan.yaml"
done
cp examples/demo-prompts.jsonl "$out/"

say "Recording examples/demo-plan.yaml, twelve windows in about 96 s, and demo-load-plan.yaml beside it:"
AIRCHECK_DEMO_KEY=demo bin/record run "$out/demo-load-plan.yaml" --to "$out/traces" >"$out/load.txt" 2>&1 &
load=$!
AIRCHECK_DEMO_KEY=demo run bin/record run "$out/demo-plan.yaml" --to "$out/traces"
if ! wait "$load"; then
	cat "$out/load.txt" >&2
	exit 4
fi
load=
cat "$out/load.txt"
kill -TERM "$fleet" 2>/dev/null || true
if ! wait "$fleet"; then
	echo "make demo: the fleet broke down" >&2
	exit 4
fi
fleet=

say "Analysing and reporting:"
run bin/analyze build "$out/traces" --prices examples/demo-prices.json
run bin/report "$out/traces" --to "$out/site" --prices examples/demo-prices.json

run bin/analyze sql "$out/traces" --prices examples/demo-prices.json \
	--format markdown -- "$(cat scripts/demo/findings.sql)" >"$out/findings.md"
say "Three findings:"
sed -e '1,2d' -e 's/^| */  - /' -e 's/ *|$//' "$out/findings.md"
printf '\nThe report: %s/%s/site/index.html\n' "$PWD" "$out"
