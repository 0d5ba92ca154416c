"""Spread the decoding of a dataset over a Spark cluster, then build it once.

    spark-submit build_shards.py s3://bucket/prefix --shards 64
    python build_shards.py /shared/traces --remote sc://host:15002 --artifact

Each share is one task that runs the same `analyze` binary: Spark places it,
retries it and, with speculation, runs it twice, which does no harm: a piece is
named by what it holds and written aside. Nothing is shuffled.

The binary must be on the executors: by --analyze PATH, or shipped with
`spark-submit --files bin/analyze` and --analyze analyze. Executors of an s3
dataset need the same AWS_ variables (spark.executorEnv.AWS_REGION=...).
"""
import argparse
import json
import os
import subprocess
import sys

from pyspark.sql import SparkSession


def decoder(analyze, dataset, cache):
    """What an executor does with its shares: (shard, ) in, (shard, seconds of CPU, begin, end) out."""

    def run(rows):
        import os
        import resource
        import subprocess
        import time

        program = analyze
        if not os.path.exists(program):
            from pyspark import SparkFiles

            program = SparkFiles.get(analyze)
            os.chmod(program, 0o755)
        for row in rows:
            began, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [program, "decode", dataset, "--shard", row[0], "--threads", "1"]
            done = subprocess.run(command + cache, capture_output=True, text=True)
            if done.returncode not in (0, 1):  # 1: damaged runs, which the build names
                raise RuntimeError(f"{' '.join(command)}: status {done.returncode}: {done.stderr[-2000:]}")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            yield (row[0], after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, began, time.time())

    return run


def main():
    p = argparse.ArgumentParser()
    p.add_argument("dataset")
    p.add_argument("--shards", type=int, default=64)
    p.add_argument("--analyze", default="analyze", help="path of the binary, the same on every executor")
    p.add_argument("--cache", help="directory for derived files that all executors share")
    p.add_argument("--remote", help="address of a Spark Connect server, sc://..., or local[N] for one that starts with the job")
    args = p.parse_args()
    builder = SparkSession.builder.appName("aircheck")
    spark = (builder.remote(args.remote) if args.remote else builder).getOrCreate()
    cache = ["--cache", args.cache] if args.cache else []

    plan = subprocess.run([args.analyze, "build", args.dataset, "--plan-shards", str(args.shards)] + cache, check=True, capture_output=True, text=True)
    shares = [json.loads(line) for line in plan.stdout.splitlines()]
    todo = sorted((s for s in shares if s["done"] < s["pieces"]), key=lambda s: -s["bytes"])
    done = []
    if todo:
        run = decoder(args.analyze, args.dataset, cache)
        if args.remote:  # Connect has no RDDs: a DataFrame, a partition a share
            rows = spark.createDataFrame([(s["shard"],) for s in todo], "shard string").repartition(len(todo), "shard")
            done = rows.mapInPandas(frames(run), "shard string, cpu double, began double, ended double").collect()
        else:
            done = spark.sparkContext.parallelize([(s["shard"],) for s in todo], len(todo)).mapPartitions(run).collect()
    cpu = sum(row[1] for row in done)
    took = max((row[3] for row in done), default=0) - min((row[2] for row in done), default=0)
    print(f"{len(todo)} shares decoded, {cpu:.1f} s of CPU in analyze, {took:.1f} s from first task to last", file=sys.stderr)
    spark.stop()
    sys.exit(subprocess.run([args.analyze, "build", "--quiet", args.dataset] + cache).returncode)


def frames(run):
    def over(batches):
        import pandas

        for batch in batches:
            done = list(run(zip(batch["shard"])))
            yield pandas.DataFrame(done, columns=["shard", "cpu", "began", "ended"])

    return over


if __name__ == "__main__":
    main()
