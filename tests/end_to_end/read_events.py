#!/usr/bin/env python3
"""read_events.py DATA RUN.json...: TensorBoard's own reader gives every scalar of `lockstep export --format tensorboard`.

DATA is the folder of `--format tensorboard,json`, which also holds the JSON of each run; compared are loss, accuracy,
test_loss and train_loss with the run's series, step by step, and every column of rank 0's steps that has a scalar. Needs
the package tensorboard of PyPI, so it is run by hand:

    python3 -m venv venv && venv/bin/pip install tensorboard
    build/bin/lockstep export last --format tensorboard,json --out data && venv/bin/python tests/end_to_end/read_events.py data
"""

import json
import math
import pathlib
import struct
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def fail(text):
    raise SystemExit(f"read_events.py: {text}")


def float32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def scalars_of(folder):
    reader = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    reader.Reload()
    return {tag: [(event.step, event.value) for event in reader.Scalars(tag)] for tag in reader.Tags()["scalars"]}


def same(told, expected):
    return len(told) == len(expected) and all(
        a[0] == b[0] and (a[1] == float32(b[1]) or math.isnan(a[1]) and math.isnan(b[1]))
        for a, b in zip(told, expected))


def check(run_file):
    whole = json.loads(run_file.read_text())
    folder = run_file.with_suffix("")
    series = whole["result"]["runs"][0]["series"]
    told = scalars_of(folder)
    compared = 0
    for tag, curve in series.items():
        if tag in ("loss", "accuracy", "test_loss", "train_loss") and curve.get("step"):
            expected = [(s, math.nan if v is None else v) for s, v in zip(curve["step"], curve["value"])]
            if not same(told.get(tag, []), expected):
                fail(f"{run_file.name}: {tag} differs")
            compared += len(expected)
    steps = whole["rows"]["steps"]
    column = {name: place for place, name in enumerate(steps["columns"])}
    ranks = sorted({row[column["rank"]] for row in steps["rows"]})
    for rank in ranks:
        told = scalars_of(folder / f"rank{rank}")
        rows = [row for row in steps["rows"] if row[column["rank"]] == rank]
        for tag, name, scale in (("loss", "loss", 1), ("learning_rate", "learning_rate", 1), ("ms/step", "wall_ns", 1e6),
                                 ("ms/backward", "backward_ns", 1e6), ("ms/forward", "forward_ns", 1e6)):
            expected = [(row[column["step"]], math.nan if row[column[name]] is None else row[column[name]] / scale)
                        for row in rows]
            if not same(told[tag], expected):
                fail(f"{run_file.name}, rank {rank}: {tag} differs")
            compared += len(expected)
        if not told:
            fail(f"{run_file.name}: rank {rank} has no scalars")
    print(f"{run_file.name}: {compared} scalars of {len(ranks)} ranks are as the run has them")


if __name__ == "__main__":
    for each in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        check(each)
