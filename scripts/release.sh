#!/usr/bin/env bash
# Builds archives for release into dist/: stripped, reproducible, with checksums.
# Each is built twice, and must come out the same.
#
#   release.sh                       for this machine, and for those that can be built for
#   VERSION=1.2.0 release.sh         named so; the commit unless given
#
# record links no C and is built for every platform listed. analyze and report link
# DuckDB: another architecture needs its C compiler (aarch64-linux-gnu-gcc).
set -euo pipefail
cd "$(dirname "$0")/.."
commit=$(git rev-parse --short=12 HEAD)
version=${VERSION:-$commit}
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out=dist
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '%s\n' "$*"; }

# build OS ARCH DIR: the programs that can be built for it.
build() {
	local os=$1 arch=$2 dir=$3 cc=
	mkdir -p "$dir"
	local flags=(-trimpath "-ldflags=-s -w -buildid= -X aircheck/internal/kit/version.release=$version -X aircheck/internal/kit/version.commit=$commit")
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch go build "${flags[@]}" -o "$dir/" ./cmd/record
	if [ "$os/$arch" = "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" ]; then
		cc=$(go env CC)
	elif [ "$os/$arch" = linux/arm64 ]; then
		cc=$(command -v aarch64-linux-gnu-gcc || true)
	elif [ "$os/$arch" = linux/amd64 ]; then
		cc=$(command -v x86_64-linux-gnu-gcc || true)
	fi
	[ -n "$cc" ] || return 0
	local cxx=${cc%gcc}g++
	CGO_ENABLED=1 GOOS=$os GOARCH=$arch CC=$cc CXX=$cxx go build "${flags[@]}" -o "$dir/" ./cmd/analyze ./cmd/report
}

# pack NAME: one archive whose bytes depend on its files alone.
pack() {
	tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode='u+rw,go+r,go-w' -C "$work" -cf - "$1" | gzip -9n
}

host=$(go env GOHOSTOS)-$(go env GOHOSTARCH)
build "${host%-*}" "${host#*-}" "$work/host"
go run ./internal/tools/packaging --bin "$work/host" --to "$work/share"

for target in ${TARGETS:-linux-amd64 linux-arm64 darwin-arm64}; do
	os=${target%-*} arch=${target#*-} name=aircheck-$version-$target
	for round in 1 2; do
		rm -rf "${work:?}/$name"
		build "$os" "$arch" "$work/$name/bin"
		cp -r "$work/share" "$work/$name/"
		cp LICENSE README.md CHANGES.md "$work/$name/"
		pack "$name" >"$work/$round.tar.gz"
	done
	if ! cmp -s "$work/1.tar.gz" "$work/2.tar.gz"; then
		echo "release: two builds for $target differ" >&2
		exit 1
	fi
	mv "$work/1.tar.gz" "$out/$name.tar.gz"
	# shellcheck disable=SC2012 # names of our own
	say "$out/$name.tar.gz: $(ls "$work/$name/bin" | tr '\n' ' ')(built twice, the same)"
done
(cd "$out" && sha256sum ./*.tar.gz >SHA256SUMS)
cat "$out/SHA256SUMS"
