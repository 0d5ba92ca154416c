"""Holds what a tool said (argv[2], JSON by stream) against the view definitions (argv[1], JSON rows) for the tool argv[3]."""
import json
import sys

rows, said, tool = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), sys.argv[3]
known = {}  # stream: why the tool's own framing makes another thing of it
for line in open(sys.argv[4]):
    if line.strip() and not line.startswith("#"):
        who, stream, why = line.rstrip("\n").split("\t")
        if who == tool:
            known[stream] = why
states = {}
for r in rows:
    if r["tool"] == tool:
        states.setdefault(r["stream"], {"success": r["success"]})[r["metric"]] = r["value"]
differ = same = 0
for stream, s in said.items():
    ours = states.get(stream)
    if ours is None:
        continue
    faults = []
    for key, value in s.items():
        if key == "stops":
            continue
        mine = ours.get(key)
        if (mine is None) != (value is None) or mine != value and (isinstance(value, bool) or abs(mine - value) > 0.01):
            faults.append(f"{key}: the tool says {value}, definitions {mine}")
    if bool(faults) and stream not in known:
        differ += 1
        print(f"{tool} {stream}: {'; '.join(faults)} {s.get('stops', '')}")
    elif not faults and stream in known:
        differ += 1
        print(f"{tool} {stream}: agrees now: take it out of known.tsv")
    elif not faults:
        same += 1
print(f"{tool}: {same} streams as definitions has them, {len(known)} known to differ, {differ} otherwise")
if same < 30:  # a driver that says nothing proves nothing
    print(f"{tool}: too few streams were compared")
sys.exit(1 if differ or same < 30 else 0)
