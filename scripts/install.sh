#!/usr/bin/env bash
# Installs bin/ with manual pages, completions, licences and a bill of materials:
#
#   install.sh                          below /usr/local
#   PREFIX=/usr DESTDIR=pkg install.sh  for a package
#   PROGRAM_PREFIX=ac- install.sh       as ac-record, ac-analyze, ac-report
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=${PREFIX:-/usr/local}
name=${PROGRAM_PREFIX:-}
to=${DESTDIR:-}$prefix

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/bin"
for program in record analyze report; do
	cp "${BIN:-bin}/$program" "$stage/bin/$name$program"
done
go run ./internal/tools/packaging --bin "$stage/bin" --to "$stage/share" --program-prefix "$name"
cp LICENSE README.md CHANGES.md "$stage/share/doc/aircheck/"

install -d "$to"
(cd "$stage" && find . -type f | sort) | while read -r file; do
	mode=644
	case $file in ./bin/*) mode=755 ;; esac
	install -D -m "$mode" "$stage/$file" "$to/$file"
done
printf 'installed below %s: %srecord, %sanalyze, %sreport\n' "$to" "$name" "$name" "$name"
