#!/usr/bin/env bash
# Takes the pictures of docs/gallery.md, or with --check says where a page no longer
# says what its picture shows. Expects bin/, the market (make market) and, to take
# pictures, the demo (make demo). Published history is imported from
# AIRCHECK_CORPUS (../shared/data), and left out with a word where that is not there.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=${1:-take}
market=${MARKET:-market}
corpus=${AIRCHECK_CORPUS:-../shared/data}

[ -e "$market/site/index.html" ] || { echo "no $market/site: run make market first" >&2; exit 2; }
if ! command -v chromium >/dev/null; then
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
if [ "$mode" = take ] && ! fc-list :lang=zh | grep -q .; then
	apt-get install -y -qq --no-install-recommends fonts-noto-cjk >/dev/null
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
npm install --prefix "$work" --no-audit --no-fund --silent playwright-core@1.64.1

# history NAME FORMAT FILE…: a site of what others published
history() {
	name=$1 format=$2
	shift 2
	# Status 1 names rows that a source states wrongly; the others are there.
	bin/record import "$format" "$@" --to "$work/$name" >"$work/said" 2>&1 || [ $? -eq 1 ] || { cat "$work/said" >&2; exit 4; }
	bin/report "$work/$name" --to "$work/sites/$name" --data none >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 4; }
}
mkdir "$work/sites"
ln -s "$PWD/$market/site" "$work/sites/market"
ln -s "$PWD/$market/site-zh" "$work/sites/market-zh"
[ ! -e demo/site ] || ln -s "$PWD/demo/site" "$work/sites/demo"
if [ -d "$corpus/history" ]; then
	history thefastest thefastest "$corpus"/history/thefastest.ai/*.json
	history llmperf llmperf "$corpus"/history/llmperf
else
	echo "published history is left out: no $corpus (AIRCHECK_CORPUS)"
fi
NODE_PATH="$work/node_modules" node scripts/gallery/gallery.cjs "$mode" "$work/sites"
