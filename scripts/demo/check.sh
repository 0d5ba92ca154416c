#!/usr/bin/env bash
# The demo ends within two minutes, is true to its fleet, and leaves no process
# behind: neither when it ends, nor when it is interrupted or killed.
set -euo pipefail
cd "$(dirname "$0")/../.."
make --no-print-directory build

# The fleet is the only process that outlives a step.
gone() {
	address=$(sed -n 's#.*http://##p' demo/fleet.txt)
	if (exec 3<>"/dev/tcp/${address%:*}/${address#*:}") 2>/dev/null; then
		echo "the fleet still listens at $address" >&2
		exit 1
	fi
}

for signal in INT TERM HUP; do
	rm -rf demo
	# A job of its own, as a terminal makes it: else bash has it ignore SIGINT.
	set -m
	scripts/demo.sh >/dev/null 2>&1 &
	pid=$!
	set +m
	until [ -d demo/traces/journal ]; do sleep 0.1; done
	sleep 1
	kill -s "$signal" "$pid"
	if wait "$pid"; then
		echo "the demo went on after SIG$signal" >&2
		exit 1
	fi
	gone
done

timeout 120 scripts/demo.sh
gone
AIRCHECK_DEMO=$PWD/demo go test -count=1 -run '^TestDemo$' ./internal/tools/e2e
AIRCHECK_DEMO=$PWD/demo go test -count=1 -run '^TestCookbook$' ./cmd/analyze
