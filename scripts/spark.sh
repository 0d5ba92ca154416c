#!/usr/bin/env bash
# A cluster of one master and two workers on loopback builds a dataset in an
# S3-compatible bucket; a worker is killed in the middle; the tables equal those of
# one machine byte for byte. Then the same through Spark Connect. Needs Java, python3
# with venv, and PyPI's pyspark (400 MB, kept in bin/spark); without versitygw the
# dataset is in a directory. What is missing is said, and skipped.
#
#   QUICK=1     a million frames (default: CHUNKS=4000000)
#   MEASURE=1   also how long one and two executors take, and the CPU beside one local decode
#   SHARES=…    also so many shares each, every task twice (such as "1 2 7 64")
set -euo pipefail
cd "$(dirname "$0")/.."
command -v java >/dev/null || { echo "skipped: no java (Debian: openjdk-17-jre-headless)"; exit 0; }
java -version >/dev/null 2>&1 || { echo "skipped: java does not run"; exit 0; }
python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "skipped: Spark needs python3 with venv and ensurepip"; exit 0; }

root=$PWD/bin/spark
want='pyspark[connect]==4.3.0 pandas==3.1.1 pyarrow==26.0.1'
if [ "$(cat "$root/complete" 2>/dev/null)" != "$want" ]; then
	rm -rf "$root"
	mkdir -p "$root"
	python3 -m venv "$root/venv"
	# shellcheck disable=SC2086 # a list
	timeout 900 "$root/venv/bin/pip" install --quiet --disable-pip-version-check $want >"$root/pip.log" 2>&1 || {
		echo "skipped: pyspark cannot be installed here: $(grep -m1 ERROR "$root/pip.log" || echo 'see its log')"
		exit 0
	}
	echo "$want" >"$root/complete"
fi
python=$root/venv/bin/python
chunks=${CHUNKS:-4000000}
if [ -n "${QUICK:-}" ]; then chunks=1100000; fi

work=$(mktemp -d)
started=()
cleanup() {
	status=$?
	if [ "$status" != 0 ]; then tail -n 40 "$work"/*.log 2>/dev/null || true; fi
	for pid in "${started[@]}"; do pkill -KILL -P "$pid" 2>/dev/null || true; kill -KILL "$pid" 2>/dev/null || true; done
	wait 2>/dev/null || true
	rm -rf "$work"
	exit "$status"
}
trap cleanup EXIT
free() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

go build -o "$work/" ./cmd/analyze ./cmd/record ./internal/tools/bench/dataset
analyze=$work/analyze
"$work/dataset" "$work/one" "$chunks"
export AIRCHECK_CACHE=$work/cache-one
"$analyze" build --quiet "$work/one"

gateway=${VERSITYGW:-$(command -v versitygw || true)}
if [ -n "$gateway" ]; then
	port=$(free)
	mkdir -p "$work/buckets/traces"
	ROOT_ACCESS_KEY=testkey ROOT_SECRET_KEY=testsecret "$gateway" --port "127.0.0.1:$port" --region us-east-1 posix "$work/buckets" >"$work/gateway.log" 2>&1 &
	started+=($!)
	export AWS_ACCESS_KEY_ID=testkey AWS_SECRET_ACCESS_KEY=testsecret AWS_REGION=us-east-1 AWS_ENDPOINT_URL=http://127.0.0.1:$port AWS_EC2_METADATA_DISABLED=true
else
	echo "no versitygw (go install github.com/versity/versitygw/cmd/versitygw@v1.8.0): the dataset is in a directory"
fi
# place NAME: a fresh copy of the dataset, its address in $at and its files below $files.
place() {
	if [ -n "$gateway" ]; then
		at=s3://traces/$1 files=$work/buckets/traces/$1
		for _ in $(seq 50); do
			if "$work/record" push "$work/one" "$at" >"$work/push.log" 2>&1; then break; fi
			sleep 0.2 # the gateway does not listen yet
		done
	else
		at=$work/$1 files=$work/$1
		mkdir "$at"
		cp -r "$work/one/runs" "$work/one/requests" "$work/one/chunks" "$at/"
	fi
	export AIRCHECK_CACHE=$work/cache-$1
}
sums() { (cd "$1/derived" && find . -name '*.parquet' | sort | xargs sha256sum); }
same() { # WHAT: what is derived of the place equals what one machine derived
	if ! diff <(sums "$work/one") <(sums "$files"); then
		echo "$1: derived files differ"
		exit 1
	fi
	echo "$1: $(sums "$files" | wc -l) derived files equal those of one machine byte for byte"
}

home=$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export SPARK_LOCAL_IP=127.0.0.1 SPARK_HOME=$home PYSPARK_PYTHON=$python PYSPARK_DRIVER_PYTHON=$python
master=spark://127.0.0.1:$(free)
spark() { "$home/bin/spark-class" "$@" >>"$work/cluster.log" 2>&1 & started+=($!); }
spark org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "${master##*:}" --webui-port 0
worker() { SPARK_WORKER_DIR=$work/worker-$1 spark org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --webui-port 0 --cores 1 --memory 600m "$master"; }
worker 1
worker 2
submit() { # SHARES [OPTION…]: the job over the place
	local shares=$1 && shift
	"$home/bin/spark-submit" --master "$master" --conf spark.driver.memory=600m --conf spark.executor.memory=500m --conf spark.task.maxFailures=10 \
		--conf spark.ui.enabled=false --conf spark.excludeOnFailure.enabled=false "$@" \
		examples/spark/build_shards.py "$at" --shards "$shares" --analyze "$analyze" >"$work/job.log" 2>&1
	grep -o '[0-9]* shares decoded.*' "$work/job.log"
}

if [ -n "${MEASURE:-}" ]; then
	AIRCHECK_CACHE=$work/cache-local "$python" - "$analyze" "$work/one" "$work/cache-local" <<'PY'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "decode", sys.argv[2], "--cache", sys.argv[3], "--threads", "1"], check=True, stdout=subprocess.DEVNULL)
r = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"one local decode: {r.ru_utime + r.ru_stime:.1f} s of CPU")
PY
	for executors in 1 2; do
		place "measured-$executors"
		printf '%s executors of one core: ' "$executors"
		submit 16 --conf "spark.cores.max=$executors"
		same "$executors executors"
	done
fi
for shares in ${SHARES:-}; do
	place "of-$shares"
	for _ in 1 2; do submit "$shares" --conf spark.speculation=true --conf spark.speculation.multiplier=1.0; done
	same "$shares shares"
done

# A worker dies once the first pieces are there, with its executor.
place killed
submit 16 &
job=$!
victim=${started[-1]}
for _ in $(seq 1200); do
	if [ "$(find "$files/derived" -name streams.parquet 2>/dev/null | wc -l)" -ge 1 ] || ! kill -0 "$job" 2>/dev/null; then break; fi
	sleep 0.1
done
pkill -KILL -P "$victim" 2>/dev/null || true
kill -KILL "$victim" 2>/dev/null || true
wait "$victim" 2>/dev/null || true
echo "a worker is killed after $(find "$files/derived" -name streams.parquet 2>/dev/null | wc -l) pieces"
wait "$job"
same "a worker killed"

# Spark Connect: the client speaks to a server, which starts with the job.
place connect
SPARK_TESTING=1 "$python" examples/spark/build_shards.py "$at" --shards 3 --analyze "$analyze" --remote 'local[2]' >"$work/job.log" 2>&1 # at a free port
grep -o '[0-9]* shares decoded.*' "$work/job.log"
same "Spark Connect"

"$analyze" export "$at" --to "$work/out" --view requests --view results --view events >/dev/null
"$home/bin/spark-submit" --master "local[2]" --conf spark.ui.enabled=false examples/spark/questions.py "$work/out" 2>>"$work/cluster.log" | grep -E 'provider|openai|groq|text'
