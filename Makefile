# `make help` lists the targets. Go, a C compiler and make are all that build,
# test and demo need; check installs what it needs from the package registries.
GO ?= go
BIN := bin

.DEFAULT_GOAL := help
.PHONY: help build test test-short check demo market bench bench-record bench-analyze bench-import bench-report bench-stats bench-scale test-spark soak docs install release clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## put record, analyze and report into bin/
	$(GO) build -trimpath -ldflags '-s -w' -o $(BIN)/ ./cmd/...

# A line for each package as it ends; then how many tests ran, which were skipped
# and why, and what failed.
TELL := $(GO) tool gotestsum --format pkgname-and-test-fails --format-hide-empty-pkg --

test: ## run every test that needs no more than Go and a C compiler
	$(GO) vet ./...
	$(TELL) -timeout 20m ./...

test-short: ## run the tests that need neither the SQL engine nor whole commands, in under a minute
	$(TELL) -timeout 5m $$($(GO) list -test -f '{{.ImportPath}} {{.Deps}}' ./... | grep '\.test ' | grep -v -e duckdb -e tools/e2e | sed 's/\.test .*//')

check: ## test with browsers, SDK clients, linters, the race detector, short fuzzing and stale docs
	./scripts/check.sh

demo: build ## simulated fleet → record → analyze → report, then three findings
	./scripts/demo.sh

market: build ## fourteen simulated days → analyze → report, then the scorecard of what was planted
	QUALITY="$(QUALITY)" ./scripts/market.sh

bench: ## benchmarks of capture, framing, decoding, storage, statistics
	$(GO) test -run '^$$' -bench . -benchmem ./internal/wire/frame ./internal/wire/dialect ./internal/record/capture ./schema ./internal/analyze/stats ./internal/report/chart

bench-analyze: ## decode and build a generated dataset of ten million chunks, beside a plain scan, python3 and jq
	$(GO) run ./internal/tools/bench/analyze

bench-import: ## import a log of 2 GB and a thousand small files, beside plain reading and encoding/json
	$(GO) run ./internal/tools/bench/imports

bench-record: ## how true the recorder's times are and what they cost, beside asyncio/aiohttp (PyPI) in the same run
	$(GO) run ./internal/tools/bench/record

bench-report: ## seconds and kilobytes of a figure, whole pages included, and of each kind of chart
	$(GO) test -run '^$$' -bench . -benchtime 3x ./internal/report/page ./internal/report/chart

bench-stats: ## error rates of the comparisons, by simulation, with binomial bounds
	$(GO) run ./internal/tools/bench/stats

test-spark: ## build a dataset on a Spark cluster of one master and two workers, one of them killed (needs Java and PyPI's pyspark)
	./scripts/spark.sh

bench-scale: ## generate and build datasets of growing size, with the slopes of time, CPU and memory
	./scripts/scale.sh

soak: ## long fuzzing and simulations
	./scripts/soak.sh

docs: ## write the generated pages of docs/ again
	$(GO) run ./internal/tools/docgen

install: build ## install below PREFIX (/usr/local), with manual pages and completions; PROGRAM_PREFIX=ac- renames
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" PROGRAM_PREFIX="$(PROGRAM_PREFIX)" BIN=$(BIN) ./scripts/install.sh

release: ## reproducible archives with checksums, licences and a bill of materials, in dist/
	./scripts/release.sh

clean: ## remove what build, demo and tests made
	rm -rf $(BIN) demo market dist
