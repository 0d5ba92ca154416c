#!/usr/bin/env bash
# Takes the README's picture: the first screen of the demo's report, by a
# headless Chromium. Run `make demo` first.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -e demo/site/index.html ] || { echo "no demo/site: run make demo first" >&2; exit 2; }
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "needs chromium" >&2; exit 4; }
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
mkdir -p docs/images
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
	--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
	--user-data-dir="$profile" --force-device-scale-factor=1.5 --window-size=1180,780 \
	--screenshot="$PWD/docs/images/report.png" "file://$PWD/demo/site/index.html" 2>/dev/null
ls -l docs/images/report.png
