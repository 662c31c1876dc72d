#!/usr/bin/env python3
"""A GPT's step on one rank against the script that `lockstep pytorch` writes for the same run: ratios, in pairs.

    gpt_ratio.py --build build --python /usr/bin/python3 --python VENV/bin/python [--contexts 64,256,1024] [--rounds 5]

Every interpreter is a separate peer: PyTorch 2 uses its fused attention, 1.13 makes all scores. Width 128, 8 heads, 4
blocks, 2,048 bytes of text a step (8,192 from context 4096 on), one thread, one core each. Memory is the peak over a process
that has only loaded LibTorch, or imported torch. It also compares the losses. Exit code 1: one differs by more than 1e-5.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import peer_ratio

WARM_UP = 3  # steps that are not counted
LARGEST_DIFFERENCE = 1e-5


def spec_of(context, steps):
    batch = 2 if context >= 4096 else 2048 // context
    return {"version": 1, "experiment": "gpt", "variants": [{"name": "peer"}], "repeats": 1, "base": {
        "dataset.name": "text", "net.name": "gpt", "net.context": context, "net.width": 128, "net.heads": 8, "net.blocks": 4,
        "optimizer.name": "sgd", "optimizer.lr": 0.01, "train.batch": batch, "train.steps": steps, "strategy.name": "single",
        "train.evaluate_every": 100000, "dataset.train_samples": 2 * batch, "dataset.test_samples": 1}}


def ended(command):
    """Times at which it printed a step, its losses, and its peak memory in MB."""
    times, losses = [], []
    core = max(os.sched_getaffinity(0))
    with subprocess.Popen(command, env=peer_ratio.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, {core})) as process:
        for line in process.stdout:
            if line.startswith('{"step"'):
                times.append(time.monotonic())
                losses.append(json.loads(line)["loss"])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command[0]} failed: {process.returncode}")
    return times, losses, usage.ru_maxrss * 1024 / 1e6


def rank(options, spec, folder):
    record = os.path.join(folder, "record")
    _, _, memory = ended([os.path.join(options.build, "bin", "lockstep-rank"), "--spec", spec, "--record", record])
    tool = os.path.join(options.build, "tests", "bin", "record_figures")
    figures = json.loads(subprocess.check_output([tool, record]))
    return figures["ms_per_step"], memory, figures["last_loss"]


def peer(python, script):
    times, losses, memory = ended([python, script])
    steps = [1e3 * (after - before) for before, after in zip(times[WARM_UP:], times[WARM_UP + 1:])]
    return statistics.median(steps), memory, losses[-1]


def compare(options, context, idle):
    with tempfile.TemporaryDirectory() as folder:
        spec, script = os.path.join(folder, "spec.json"), os.path.join(folder, "peer.py")
        with open(spec, "w", encoding="utf-8") as file:
            json.dump(spec_of(context, options.steps), file)
        subprocess.run([os.path.join(options.build, "bin", "lockstep"), "pytorch", spec, "--out", script], check=True,
                       env=peer_ratio.environment())
        ours, theirs = [], {python: [] for python in options.python}
        for _ in range(options.rounds):
            ours.append(rank(options, spec, folder))
            for python in options.python:
                theirs[python].append(peer(python, script))
    holds = True
    for python, rows in theirs.items():
        ratios = [mine[0] / other[0] for mine, other in zip(ours, rows)]
        difference = max(abs(mine[2] - other[2]) for mine, other in zip(ours, rows))
        holds = holds and difference <= LARGEST_DIFFERENCE
        middle = [[statistics.median(column) for column in zip(*each)] for each in (ours, rows)]
        print(json.dumps({"context": context, "peer": python, "rank_ms": round(middle[0][0], 2), "peer_ms": round(middle[1][0], 2),
                          "ratio": round(statistics.median(ratios), 3), "ratios": [round(min(ratios), 3), round(max(ratios), 3)],
                          "rank_mb": round(middle[0][1] - idle["rank"], 1), "peer_mb": round(middle[1][1] - idle[python], 1),
                          "loss_difference": difference}), flush=True)
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--python", action="append", help="an interpreter that has torch")
    parser.add_argument("--contexts", default="64,256,1024")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=25)
    options = parser.parse_args()
    options.python = options.python or ["/usr/bin/python3"]
    idle = {python: ended([python, "-c", "import torch"])[2] for python in options.python}
    idle["rank"] = peer_ratio.empty_process_mb(options)
    holds = [compare(options, int(context), idle) for context in options.contexts.split(",")]
    sys.exit(0 if all(holds) else 1)


if __name__ == "__main__":
    main()
