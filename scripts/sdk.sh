#!/usr/bin/env bash
# The makers' own SDK clients ask a simulated fleet in all six APIs, and must
# understand what it truly sent: a fleet that only our decoders understand would
# prove little. Needs python3 and its package index; else it is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v python3 >/dev/null || ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
	echo "skipped: SDK clients need python3 with venv and ensurepip"
	exit 0
fi

# The environment is kept as long as the list of packages stays the same.
work=bin/sdk
venv=$work/$(sha256sum scripts/sdk/requirements.txt | cut -c1-12)
if [ ! -e "$venv/complete" ]; then
	rm -rf "$work"
	python3 -m venv "$venv"
	timeout 600 "$venv/bin/pip" install --quiet --disable-pip-version-check -r scripts/sdk/requirements.txt
	touch "$venv/complete"
fi

fleet=
leave() {
	status=$?
	trap - EXIT
	if [ -n "$fleet" ]; then
		kill "$fleet" 2>/dev/null || true
		wait "$fleet" 2>/dev/null || true
	fi
	exit "$status"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

rm -f "$work"/truth.jsonl "$work"/fleet.txt
go build -o "$work/record" ./cmd/record
"$work/record" simulate scripts/sdk/fleet.yaml --truth "$work/truth.jsonl" >"$work/fleet.txt" &
fleet=$!
until grep -q http "$work/fleet.txt" 2>/dev/null; do
	kill -0 "$fleet"
	sleep 0.05
done
# Proxies of the environment are not for the loopback; nothing is looked up.
env -u HTTP_PROXY -u HTTPS_PROXY -u ALL_PROXY -u http_proxy -u https_proxy -u all_proxy \
	NO_PROXY='*' AWS_EC2_METADATA_DISABLED=true AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null \
	timeout 120 "$venv/bin/python" scripts/sdk/clients.py "$(grep -o 'http://.*' "$work/fleet.txt")" "$work/truth.jsonl"
