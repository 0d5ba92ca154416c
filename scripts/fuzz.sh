#!/usr/bin/env bash
# Fuzzes every target of the project for a while each: fuzz.sh 5s
set -euo pipefail
cd "$(dirname "$0")/.."
for_each=${1:-10s}
n=0
while IFS=: read -r file target; do
	printf -- '-- %s %s\n' "$(dirname "$file")" "$target"
	go test -run '^$' -fuzz "^${target}\$" -fuzztime "$for_each" "./$(dirname "$file")"
	n=$((n + 1))
done < <(grep -rhoHE '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' . | sed -E 's#^\./##; s#:func #:#' | sort)
if [ "$n" = 0 ]; then
	echo "no fuzz targets found"
	exit 1
fi
echo "$n fuzz targets, $for_each each"
