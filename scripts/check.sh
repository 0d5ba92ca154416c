#!/usr/bin/env bash
# Everything that `make test` leaves out because it needs more than Go and a C
# compiler: linters, the race detector, short fuzzing, generated pages that may
# be stale, browsers, SDK clients. Installs what it needs from the package
# registries; each part says what it does, and the first failure ends it.
set -euo pipefail
cd "$(dirname "$0")/.."

part() {
	if [ -n "${name:-}" ]; then printf '%s: %s min\n' "$name" "$(((SECONDS - began + 30) / 60))"; fi
	name=$* began=$SECONDS
	printf '\n== %s\n' "$name"
}

part "format and linters"
unformatted=$(gofmt -l . 2>/dev/null)
if [ -n "$unformatted" ]; then
	printf 'not formatted:\n%s\n' "$unformatted"
	exit 1
fi
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

part "go.mod is tidy"
go mod tidy -diff

part "generated pages are current"
go run ./internal/tools/docgen --check

part "race detector"
go test -race -timeout 20m ./internal/wire/frame ./internal/record/... ./schema ./internal/kit/cli ./internal/kit/columnar \
	./internal/analyze/decode ./internal/analyze/inference ./internal/report/chart ./internal/report/page
go test -race -timeout 20m -run 'SameData|Concurrent' ./internal/analyze/build

part "known vulnerabilities"
if curl --silent --fail --head --max-time 10 --output /dev/null https://vuln.go.dev/index/db.json; then
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...
else
	echo "skipped: vuln.go.dev cannot be reached"
fi

part "elsewhere than Linux"
GOOS=darwin go vet ./internal/record/capture ./internal/record/journal
GOOS=windows go vet ./internal/record/capture ./internal/record/journal

part "fuzzing, briefly"
./scripts/fuzz.sh 5s

part "browsers"
./scripts/browser.sh

part "the recorder while things go wrong, briefly"
go test ./internal/tools/kill -count 1 -run TestSoak -soak 5s

part "SDK clients against the simulated fleet"
./scripts/sdk.sh

part "what benchmarks of others write of a simulated fleet"
./scripts/tools.sh

part "datasets in buckets, beside an S3-compatible server"
go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
VERSITYGW=$(go env GOPATH)/bin/versitygw go test ./internal/kit/store/s3
VERSITYGW=$(go env GOPATH)/bin/versitygw go test ./internal/analyze/build -run Bucket

part "Spark runs the shards, briefly"
VERSITYGW=$(go env GOPATH)/bin/versitygw QUICK=1 ./scripts/spark.sh

part "other benchmarks' own code on the streams of the suite"
./scripts/replay.sh

part "the demo, whole"
./scripts/demo/check.sh

part "the notebook and the page for shells and R, on the demo's data"
./scripts/notebook.sh

part "the market, one window in three"
THIN=3 SITES=no OUT=market/check ./scripts/market.sh

part "done"
