#!/usr/bin/env bash
# Fuzzes every target of the project for a while each: fuzz.sh 5s
set -euo pipefail
cd "$(dirname "$0")/.."
for_each=${1:-10s}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
n=0
while IFS=: read -r file target; do
	printf -- '-- %s %s\n' "$(dirname "$file")" "$target"
	# Go's fuzzer now and then reports the end of its time as a failure, with this
	# line alone; a failing input is always written down.
	if ! go test -run '^$' -fuzz "^${target}\$" -fuzztime "$for_each" "./$(dirname "$file")" >"$log" 2>&1; then
		cat "$log"
		if ! grep -q '^    context deadline exceeded$' "$log" || grep -q 'Failing input\|panic:\|_test\.go:' "$log"; then
			exit 1
		fi
	else
		tail -n 1 "$log"
	fi
	n=$((n + 1))
done < <(grep -rhoHE '^func Fuzz[A-Za-z0-9_]+' --include='*_test.go' . | sed -E 's#^\./##; s#:func #:#' | sort)
if [ "$n" = 0 ]; then
	echo "no fuzz targets found"
	exit 1
fi
echo "$n fuzz targets, $for_each each"
