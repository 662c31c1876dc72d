#!/usr/bin/env python3
"""A two-stage pipeline of a deep MLP over shared memory: its bubble against the formula, its throughput against what its
slower stage allows, and against one process and data parallelism on the same ranks, in one sitting; and how fast its
two transports are, side by side.

    pipeline_ratio.py [--build build] [--rounds 3] [--steps 30] [--only bubbles,throughput,transports]

The bubble of fill-drain with equal stages, one core a stage and at least 5 ms of work for each micro-batch in a stage must
be within 20 % of (p - 1) / (m + p - 1). The throughput must be at least the smaller of 1.5 times that by remote calls and
0.95 of batch over the slower stage's own forward, backward and optimizer. Built-in digits; one thread a rank. Exit code 1 if a limit is missed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

import own_runs

# The first stage needs no gradient of its input, the last one has the small layer and the loss: 8 and 9 are equal work.
NET = {"net.name": "deep-mlp", "net.hidden": 784, "net.depth": 17, "optimizer.name": "sgd", "optimizer.lr": 0.01,
       "dataset.name": "digits", "dataset.test_samples": 1, "train.evaluate_every": 100000}
TWO_STAGES = {"strategy.name": "pipeline", "pipeline.stages": 2, "pipeline.cut": [8, 9], "comm.backend": "shm"}


def run(options, settings):
    return own_runs.run(options.build, {**NET, "train.steps": options.steps, **settings})


def bubbles(options):
    holds = True
    for micro in (1, 2, 4, 8):
        measured, work = [], []
        for _ in range(options.rounds):
            summary, ranks = run(options, {**TWO_STAGES, "pipeline.schedule": "gpipe", "pipeline.microbatches": micro,
                                           "train.batch": 128 * micro})
            measured.append(summary["bubble_fraction"])
            work += [(rank["forward_ms"] + rank["backward_ms"]) / micro for rank in ranks]
        formula = 1.0 / (micro + 1)
        ratio = statistics.median(measured) / formula
        result = {"case": f"bubble, gpipe, 2 stages, {micro} micro-batches", "bubble": round(formula * ratio, 4),
                  "formula": round(formula, 4), "ratio": round(ratio, 3), "least_ms_a_pass": round(min(work), 1),
                  "holds": abs(ratio - 1.0) <= 0.2}
        print(json.dumps(result), flush=True)
        holds = holds and result["holds"]
    return holds


def throughput(options):
    """Enough micro-batches that the bubble leaves room for the limit: (p - 1) / (m + p - 1) is 1.5 %."""
    batch, micro = 1024, 64
    bounds, pipeline, rpc, single, data = [], [], [], [], []
    has_rpc = knows_rpc(options)
    for _ in range(options.rounds):
        settings = {**TWO_STAGES, "pipeline.microbatches": micro, "train.batch": batch, "train.steps": 14}
        summary, ranks = run(options, settings)
        slower = max(rank["forward_ms"] + rank["backward_ms"] + rank["optimize_ms"] for rank in ranks)
        pipeline.append(summary["samples_per_s"])
        bounds.append(batch / slower * 1e3)
        if has_rpc:
            rpc.append(run(options, {**settings, "pipeline.transport": "rpc"})[0]["samples_per_s"])
        one = {"train.batch": batch, "train.steps": 14}
        single.append(run(options, {**one, "train.accumulate": micro})[0]["samples_per_s"])
        data.append(run(options, {**one, "strategy.name": "data", "world_size": 2,
                                  "train.accumulate": micro // 2})[0]["samples_per_s"])
    ours = statistics.median(pipeline)
    of_bound = statistics.median(mine / bound for mine, bound in zip(pipeline, bounds))
    over_rpc = statistics.median(mine / other for mine, other in zip(pipeline, rpc)) if has_rpc else 0.0
    result = {"case": f"throughput, 1f1b, 2 stages, {micro} micro-batches", "samples_per_s": round(ours),
              "of_the_slower_stage": round(of_bound, 3), "over_rpc": round(over_rpc, 2) if has_rpc else None,
              "limit": "0.95 of the slower stage, or 1.5 times rpc",
              "over_single": round(ours / statistics.median(single), 2),
              "over_data_parallel": round(ours / statistics.median(data), 2)}
    result["holds"] = of_bound >= 0.95 or over_rpc >= 1.5
    print(json.dumps(result), flush=True)
    return result["holds"]


def knows_rpc(options):
    choices = json.loads(subprocess.run([os.path.join(options.build, "bin", "lockstep-rank"), "--choices"],
                                        stdout=subprocess.PIPE, check=True).stdout)["choices"]
    return "rpc" in choices["pipeline.transport"]


def transports(options):
    """Send and receive over shared memory against LibTorch's remote calls, in turn. Nothing here can be missed."""
    if not knows_rpc(options):
        print(json.dumps({"case": "p2p over rpc", "skipped": "this LibTorch has no RPC agent"}), flush=True)
        return True
    small = {"net.hidden": 64, "pipeline.cut": []}
    for name, settings in (("784 wide, 64 samples a micro-batch", {"pipeline.microbatches": 8, "train.batch": 512}),
                           ("64 wide, 8 samples a micro-batch", {"pipeline.microbatches": 8, "train.batch": 64, **small})):
        ms = {"p2p": [], "rpc": []}
        for _ in range(options.rounds):
            for transport, measured in ms.items():
                settings_of = {**TWO_STAGES, **settings, "pipeline.transport": transport}
                measured.append(run(options, settings_of)[0]["ms_per_step"])
        p2p, rpc = (statistics.median(ms[transport]) for transport in ("p2p", "rpc"))
        print(json.dumps({"case": f"p2p over rpc, 1f1b, 2 stages, {name}", "p2p_ms_a_step": round(p2p, 2),
                          "rpc_ms_a_step": round(rpc, 2), "throughput_ratio": round(rpc / p2p, 2)}), flush=True)
    return True


CASES = {"bubbles": bubbles, "throughput": throughput, "transports": transports}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--only", default=",".join(CASES))
    options = parser.parse_args()
    held = [CASES[name](options) for name in options.only.split(",")]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
