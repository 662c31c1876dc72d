#!/usr/bin/env python3
"""Two builds of lockstep in turns: how long a step and the first loss take in one against the other.

    builds_ratio.py BEFORE AFTER [--data FOLDER] [--pairs 7] [--steps 300] [--cases mlp:single:1,cnn:data:2,...]

A case is net:strategy:ranks. A pair runs both builds, in an order that alternates; the median of the pairs' ratios is
printed with the smallest and the largest, and the medians of both. Exit code 1 if a median ratio is above 1.05.
"""
import argparse
import json
import os
import statistics
import sys

from own_runs import run

LIMIT = 1.05
CASES = ("mlp:single:1,mlp:data:2,mlp:data:4,cnn:single:1,cnn:data:2,cnn:data:4,mlp:zero:2,cnn:zero:2,"
         "mlp:pipeline:2,cnn:pipeline:2")


def settings(case, options):
    net, strategy, ranks = case.split(":")
    steps = options.steps if net == "mlp" else max(30, options.steps // 6)
    chosen = {"dataset.name": "mnist", "dataset.path": os.path.abspath(options.data), "dataset.test_samples": 1,
              "optimizer.name": "sgd", "optimizer.lr": 0.01, "train.batch": 64, "train.evaluate_every": 100000,
              "train.steps": steps + 10, "net.name": net, "strategy.name": strategy}
    if strategy != "single":
        chosen["world_size"] = int(ranks)
    if strategy == "zero":
        chosen["zero.stage"] = 3
    if strategy == "pipeline":
        chosen["pipeline.transport"] = "p2p"
    return chosen


def told(name, before, after):
    ratios = [new / old for old, new in zip(before, after)]
    middle = statistics.median(ratios)
    result = {"case": name, "pairs": len(ratios), "before": round(statistics.median(before), 4),
              "after": round(statistics.median(after), 4), "ratio": round(middle, 3), "smallest": round(min(ratios), 3),
              "largest": round(max(ratios), 3), "limit": LIMIT, "holds": middle <= LIMIT}
    print(json.dumps(result), flush=True)
    return result["holds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--data", default=os.environ.get("LOCKSTEP_MNIST", "../shared/data/mnist"))
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--cases", default=CASES)
    options = parser.parse_args()
    holds = True
    for case in options.cases.split(","):
        rows = {options.before: [], options.after: []}
        for pair in range(options.pairs):
            for build in (list(rows) if pair % 2 == 0 else reversed(list(rows))):
                rows[build].append(run(build, settings(case, options))[0])
        before, after = rows.values()
        for name, figure in (("ms a step", "ms_per_step"), ("s to the first loss", "seconds_to_first_loss")):
            holds &= told(f"{case}, {name}", [row[figure] for row in before], [row[figure] for row in after])
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
