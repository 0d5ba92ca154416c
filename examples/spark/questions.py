"""Ask Spark SQL of a dataset: its tables are ordinary Parquet.

    analyze export s3://bucket/prefix --to out --view requests --view results --view events
    spark-submit questions.py out

Prints one row a provider and model: requests, share answered, median time to
first token, output tokens.
"""
import sys

from pyspark.sql import SparkSession


def main():
    out = sys.argv[1].rstrip("/")
    spark = SparkSession.builder.appName("aircheck questions").getOrCreate()
    for table in ("requests", "results", "events"):
        spark.read.parquet(f"{out}/{table}.parquet").createOrReplaceTempView(table)
    spark.sql("""
        SELECT provider, model, count(*) AS requests,
               avg(CAST(complete AS INT)) AS complete,
               percentile(ttft_ms, 0.5) AS ttft_p50_ms,
               sum(output_tokens) AS output_tokens
        FROM results GROUP BY provider, model ORDER BY provider, model
    """).show(100, truncate=False)
    spark.sql("""
        SELECT kind, count(*) AS events FROM events JOIN requests USING (request_id)
        WHERE provider IS NOT NULL GROUP BY kind ORDER BY kind
    """).show(truncate=False)
    spark.stop()


if __name__ == "__main__":
    main()
