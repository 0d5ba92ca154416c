#!/bin/sh
# Rebuilds echarts.min.js from the npm package that package-lock.json pins.
# Needs node and npm. The result is committed, so nothing is fetched by a build
# of the project, nor ever at run time. The same input gives the same bytes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$here/entry.mjs" "$work"
cd "$work"
npm ci --ignore-scripts --no-audit --no-fund --silent
npx --no-install esbuild entry.mjs --bundle --minify --format=iife \
  --target=es2018 --charset=utf8 --legal-comments=none --log-level=warning --outfile=echarts.min.js
cp echarts.min.js "$here/echarts.min.js"
cp node_modules/echarts/LICENSE "$here/LICENSE"
cp node_modules/echarts/NOTICE "$here/NOTICE"
cp node_modules/zrender/LICENSE "$here/LICENSE-zrender"
cp node_modules/tslib/LICENSE.txt "$here/LICENSE-tslib"
cp node_modules/echarts/licenses/LICENSE-d3 "$here/LICENSE-d3"
cd "$here"
sha256sum echarts.min.js > echarts.min.js.sha256
