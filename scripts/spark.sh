#!/usr/bin/env bash
# A cluster of one master and two workers on loopback builds a dataset; a worker is
# killed in the middle; the tables equal those of one machine byte for byte. Needs
# Java and PyPI's pyspark, and says so where they are absent.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v java >/dev/null || { echo "skipped: no java (Debian: openjdk-17-jre-headless)"; exit 0; }
python=${PYTHON:-python3}
"$python" -c 'import pyspark' 2>/dev/null || { echo "skipped: no pyspark (pip install 'pyspark>=4')"; exit 0; }

work=$(mktemp -d)
started=()
cleanup() {
	for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap cleanup EXIT

make --no-print-directory build
go run ./internal/tools/bench/dataset "$work/one" "${CHUNKS:-4000000}"
cp -r "$work/one" "$work/two"
bin/analyze build --quiet "$work/one"

home=$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export SPARK_LOCAL_IP=127.0.0.1 SPARK_HOME=$home PYSPARK_PYTHON=$python PYSPARK_DRIVER_PYTHON=$python
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
spark() { "$home/bin/spark-class" "$@" >>"$work/spark.log" 2>&1 & started+=($!); }
spark org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$port" --webui-port 0
sleep 3
for n in 1 2; do
	SPARK_WORKER_DIR=$work/worker-$n spark org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --webui-port 0 --cores 1 --memory 600m "spark://127.0.0.1:$port"
done
worker=${started[-1]}

"$home/bin/spark-submit" --master "spark://127.0.0.1:$port" --conf spark.driver.memory=600m --conf spark.executor.memory=500m \
	--conf spark.task.maxFailures=10 --conf spark.ui.enabled=false --conf spark.excludeOnFailure.enabled=false \
	examples/spark/build_shards.py "$work/two" --shards 16 --analyze "$PWD/bin/analyze" >"$work/job.log" 2>&1 &
job=$!
# The worker dies once the first pieces are there, with its executor.
for _ in $(seq 600); do
	if [ "$(find "$work/two/derived" -name streams.parquet -not -path '*.tmp/*' 2>/dev/null | wc -l)" -ge 2 ]; then break; fi
	sleep 0.1
done
pkill -KILL -P "$worker" 2>/dev/null || true
kill -KILL "$worker" 2>/dev/null || true
echo "a worker killed after $(find "$work/two/derived" -name streams.parquet | wc -l) pieces"
wait "$job" || { tail -40 "$work/job.log"; exit 1; }
grep 'shares decoded' "$work/job.log"

sums() { (cd "$1/derived" && find . -name '*.parquet' | sort | xargs sha256sum); }
diff <(sums "$work/one") <(sums "$work/two") && echo "$(sums "$work/one" | wc -l) derived files are equal byte for byte"

bin/analyze export "$work/two" --to "$work/out" --view requests --view results --view events >/dev/null
"$home/bin/spark-submit" --master "local[2]" --conf spark.ui.enabled=false examples/spark/questions.py "$work/out" 2>>"$work/spark.log" | grep -E 'provider|openai|groq|text'
