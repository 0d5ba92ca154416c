#!/usr/bin/env bash
# Runs the notebook, and the blocks of docs/notebooks.md, on the demo's data: the
# cells in order, in one pinned environment. What is absent is said, and skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ ! -d demo/traces ]; then
	echo "skipped: no demo/traces: make demo"
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin/analyze build -q --all --events demo/traces
bin/analyze export demo/traces --to "$work/out" >"$work/said"
sed -n '/^```sql$/,/^```$/p' docs/notebooks.md | grep -v '^```' >"$work/page.sql"
export AIRCHECK_TRACES=$PWD/demo/traces AIRCHECK_EXPORT=$work/out

if command -v Rscript >/dev/null && Rscript -e 'library(duckdb)' >/dev/null 2>&1; then
	{
		echo 'traces <- Sys.getenv("AIRCHECK_TRACES")'
		sed -n '/^```r$/,/^```$/p' docs/notebooks.md | grep -v '^```'
	} >"$work/page.R"
	(cd / && Rscript "$work/page.R")
else
	echo "skipped: R with its package duckdb"
fi
if ! command -v python3 >/dev/null || ! python3 -m venv "$work/venv" 2>/dev/null; then
	echo "skipped: python3 with venv"
	exit 0
fi
"$work/venv/bin/pip" install --quiet --requirement examples/notebook/requirements.txt
cp examples/notebook/aircheck.ipynb "$work/"
cd / # from any folder
"$work/venv/bin/python" - "$work" <<'PYTHON'
import json, os, sys

import duckdb

work = sys.argv[1]
cells = [c for c in json.load(open(f"{work}/aircheck.ipynb"))["cells"] if c["cell_type"] == "code"]
names = {}
for number, cell in enumerate(cells, 1):
    exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
print(f"{len(cells)} cells of the notebook")
shell = duckdb.connect(os.environ["AIRCHECK_TRACES"] + "/aircheck.duckdb", read_only=True)
for statement in open(f"{work}/page.sql").read().split(";\n"):
    if statement.strip():
        assert shell.sql(statement).fetchall(), statement
# views.sql, from a folder that is not the export's
duckdb.connect().execute(open(os.environ["AIRCHECK_EXPORT"] + "/views.sql").read())
print("the page's queries, and views.sql from another folder")
PYTHON
