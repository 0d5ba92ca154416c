#!/usr/bin/env bash
# What takes too long for every day: every fuzz target for a while (the first
# argument, two minutes unless given), error rates of the comparisons, and false
# alarms and finds of the views of cost and usefulness over two hundred seeds.
set -euo pipefail
cd "$(dirname "$0")/.."

part() {
	if [ -n "${name:-}" ]; then printf '%s: %s min\n' "$name" "$(((SECONDS - began + 30) / 60))"; fi
	name=$* began=$SECONDS
	printf '\n== %s\n' "$name"
}

part "fuzzing"
./scripts/fuzz.sh "${1:-2m}"

part "error rates of the comparisons"
go run ./internal/tools/bench/stats --shapes 4x3,2x1,12x4,20x12

part "finds and false alarms of cost and usefulness"
go run ./internal/tools/bench/alarms -seeds 200

part "finds and false alarms of speed, load, reliability, parameters and fitness"
go test ./internal/tools/groundtruth/service -run 'TestViewsFindWhatWasPlanted' -count 1 -v -seeds 200

part "the market, and what pages say of it"
make --no-print-directory build
./scripts/market.sh
AIRCHECK_MARKET=$PWD/market go test -count 1 -run TestArticle ./internal/tools/e2e
./scripts/gallery.sh check

part "the market over several seeds"
for seed in 8 9 10 11 12; do
	SEED=$seed SITES=no OUT=market/soak ./scripts/market.sh
done

part "every case, in other bytes that mean the same"
go test ./internal/tools/e2e -run TestCasesInOtherBytes -count 1 -variants 10

part "the recorder, killed at random moments"
go test ./internal/tools/kill -count 1 -v -run TestKill -kills 60
go test ./internal/tools/kill -count 1 -v -run TestKill -kills 40 -fast

part "the recorder over a long time, while things go wrong"
go test ./internal/tools/kill -count 1 -v -timeout 60m -run 'TestSoak|TestRunsLeaveNothing' -soak "${SOAK:-10m}"

part "hostile providers and files, at the default memory"
go test ./internal/tools/hostile -count 1 -v -timeout 30m -full

part "done"
