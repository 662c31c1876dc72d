#!/usr/bin/env python3
"""An MLP whose layers two ranks share against data parallelism on the same ranks and global batch, over shared memory, in
one sitting, by width; and what each sends in a step beside the formula.

    tensor_ratio.py [--build build] [--rounds 5] [--steps 300] [--widths 128,512,1024,2048]

Shared layers send the 10 scores of each sample, data parallelism the gradient: where the first is less, which it is at all
of these widths, sharing must be no slower. Built-in digits; one thread a rank. Exit code 1 if it is slower.
"""
import argparse
import json
import statistics
import sys

import own_runs

NET = {"net.name": "mlp", "optimizer.name": "sgd", "optimizer.lr": 0.01, "dataset.name": "digits",
       "dataset.test_samples": 1, "train.evaluate_every": 100000, "comm.backend": "shm"}
WAYS = {"tensor": {"strategy.name": "tensor", "tensor.size": 2}, "data": {"strategy.name": "data", "world_size": 2}}


def run(options, settings):
    return own_runs.run(options.build, {**NET, "train.steps": options.steps, **settings})[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--widths", default="128,512,1024,2048")
    parser.add_argument("--batch", type=int, default=64)
    options = parser.parse_args()
    holds = True
    for width in map(int, options.widths.split(",")):
        ms = {way: [] for way in WAYS}
        sent = {}
        for _ in range(options.rounds):
            for way, settings in WAYS.items():
                summary = run(options, {**settings, "net.hidden": width, "train.batch": options.batch})
                ms[way].append(summary["ms_per_step"])
                sent[way] = summary["bytes_per_step"]
        formula = {"tensor": options.batch * 10 * 4, "data": (785 * width + (width + 1) * 10) * 4}
        medians = {way: statistics.median(times) for way, times in ms.items()}
        ratio = medians["tensor"] / medians["data"]
        says_so = formula["tensor"] < formula["data"]
        result = {"width": width, "tensor_ms": round(medians["tensor"], 3), "data_ms": round(medians["data"], 3),
                  "ratio": round(ratio, 3), "sent": {way: round(each) for way, each in sent.items()}, "formula": formula,
                  "holds": ratio <= 1.0 or not says_so}
        print(json.dumps(result), flush=True)
        holds = holds and result["holds"]
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
