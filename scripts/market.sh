#!/usr/bin/env bash
# A market in a bottle (examples/market.yaml): generated in virtual time, analysed,
# rendered in two languages, and held against what was planted. Expects bin/ to be
# built. Everything is written to market/, which is made anew.
#
#   THIN=3     keep one window in three      SEED=8   another market of the kind
#   SITES=no   no reports                    OUT=dir  elsewhere
#   LEAST=27   facts that must be found; a false alarm on a decoy is never borne with
#   QUALITY=docs/quality.md   page to write the scorecard into
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-market}
fleet=examples/market.yaml

say() { printf '\n%s\n' "$*"; }

rm -rf "$out"
mkdir -p "$out"

say "Fourteen days of twelve simulated providers, in virtual time:"
bin/record simulate --virtual "$fleet" --thin "${THIN:-1}" ${SEED:+--seed "$SEED"} \
	--to "$out/traces" --prices "$out/prices.json"

say "Analysing:"
bin/analyze build "$out/traces" --prices "$out/prices.json"

if [ "${SITES:-yes}" = yes ]; then
	say "Reporting:"
	bin/report "$out/traces" --to "$out/site"
	if bin/report --help | grep -q -- --lang; then
		bin/report "$out/traces" --to "$out/site-zh" --lang zh
	fi
fi

say "What was planted, and what was found:"
status=0
go run ./internal/tools/scorecard --fleet "$fleet" --prices "$out/prices.json" \
	--least "${LEAST:-27}" --write "${QUALITY:-}" "$out/traces" >"$out/scorecard.md" || status=$?
cat "$out/scorecard.md"
if [ "${SITES:-yes}" = yes ]; then
	say "The report: $PWD/$out/site/index.html"
fi
exit "$status"
