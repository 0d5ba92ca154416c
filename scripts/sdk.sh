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

started=()
leave() {
	status=$?
	trap - EXIT
	for pid in "${started[@]}"; do
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	exit "$status"
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start FILE COMMAND…: runs a server, and waits for the address that it prints.
start() {
	local out=$1
	shift
	rm -f "$out"
	"$@" >"$out" &
	started+=($!)
	until grep -q http "$out" 2>/dev/null; do
		kill -0 "${started[-1]}"
		sleep 0.05
	done
	address=$(grep -o 'http://[^ ,]*' "$out" | head -n 1)
}

# bare COMMAND…: proxies of the environment are not for the loopback, and nothing
# is looked up.
bare() {
	env -u HTTP_PROXY -u HTTPS_PROXY -u ALL_PROXY -u http_proxy -u https_proxy -u all_proxy \
		NO_PROXY='*' AWS_EC2_METADATA_DISABLED=true AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null \
		timeout 120 "$@"
}

rm -f "$work"/*.jsonl
go build -o "$work/record" ./cmd/record
start "$work/fleet.txt" "$work/record" simulate scripts/sdk/fleet.yaml --truth "$work/truth.jsonl"
bare "$venv/bin/python" scripts/sdk/clients.py "$address" "$work/truth.jsonl"

# The same clients, and those of JavaScript, through the proxy: they notice nothing,
# and each of their requests is recorded.
traces=$work/traces
rm -rf "$traces"
start "$work/fleet2.txt" "$work/record" simulate scripts/sdk/fleet.yaml --truth "$work/truth2.jsonl"
upstreams=()
for name in chat responses messages gemini ollama converse; do
	upstreams+=(--upstream "$name=$address/$name")
done
start "$work/proxy.txt" "$work/record" proxy --listen 127.0.0.1:0 --to "$traces" "${upstreams[@]}" --label-header X-Session=session
proxy=${started[-1]}
bare "$venv/bin/python" scripts/sdk/clients.py "$address" "$work/truth2.jsonl"
want=$(wc -l <"$work/truth2.jsonl")
if command -v npm >/dev/null; then
	modules=$work/npm-$(sha256sum scripts/sdk/package.json | cut -c1-12)
	if [ ! -e "$modules/complete" ]; then
		rm -rf "$work"/npm-*
		mkdir -p "$modules"
		cp scripts/sdk/package.json "$modules/"
		timeout 300 npm install --prefix "$modules" --no-audit --no-fund --silent
		touch "$modules/complete"
	fi
	cp scripts/sdk/proxied.mjs "$modules/"
	bare node "$modules/proxied.mjs" "$address" | tee "$work/js.txt"
	want=$((want + $(grep -o '^[0-9]*' "$work/js.txt")))
else
	echo "skipped: JavaScript SDKs need npm"
fi
kill -INT "$proxy"
wait "$proxy"
"$work/record" verify "$traces"
grep -q ": $want requests," "$work/proxy.txt" || {
	echo "$want requests went through the proxy, and it recorded:"
	cat "$work/proxy.txt"
	exit 1
}
if grep -rq 'sk-application-0123456789' "$traces"; then
	echo "the application's key is in the data set"
	exit 1
fi
