#!/usr/bin/env bash
# Opens the report's pages in Chromium: no request leaves them, they need no
# script, a phone shows them without scrolling sideways, axe-core agrees.
# Installs Chromium (Debian's) and two npm packages where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v chromium >/dev/null; then
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
npm install --prefix "$modules" --no-audit --no-fund --silent playwright-core@1.64.1 axe-core@4.14.1
CHROMIUM=$(command -v chromium) AIRCHECK_BROWSER="$modules/node_modules" \
	go test -count=1 -run '^TestBrowser$' ./internal/report/page
