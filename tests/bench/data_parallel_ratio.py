#!/usr/bin/env python3
"""Data-parallel training against PyTorch's DistributedDataParallel over Gloo, in one sitting: ratios.

    data_parallel_ratio.py [--build build] [--peer ddp_peer.py] [--data FOLDER] [--rounds 5] [--steps 300]
                           [--cases mlp:shm:2,mlp:shm:4,...]

A case is net:backend:ranks. The peer is that of peer_ratio.py. One thread a rank; times are means over the steps after
ten; the two take turns, and the medians over the rounds are compared. Exit code 1 if a limit is missed.

Then the three forms of sending gradients are compared (buckets at most 0.85 of tensor by tensor). The last line is
about 8 ranks on few cores: a step may take 1.3 times what the arithmetic of all ranks takes on the cores there are.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

LIMITS = {"mlp:shm:2": 0.2, "mlp:shm:4": 0.1, "cnn:shm:2": 0.8, "cnn:shm:4": 0.7, "mlp:gloo:2": 1.0, "cnn:gloo:2": 1.0}


def environment():
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {**{k: v for k, v in os.environ.items() if not k.startswith("LOCKSTEP_")}, **threads}


def run(options, settings):
    """The summary of one run of ours."""
    with tempfile.TemporaryDirectory() as folder:
        spec = os.path.join(folder, "spec.json")
        base = {"dataset.name": "mnist", "dataset.path": os.path.abspath(options.data), "optimizer.name": "sgd",
                "optimizer.lr": 0.01, "train.batch": 64, "train.evaluate_every": 100000, "dataset.test_samples": 1,
                **settings}
        with open(spec, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "experiment": "aggregation", "base": base}, file)
        command = [os.path.join(options.build, "bin", "lockstep"), "run", spec, "--json"]
        kept = {**environment(), "XDG_DATA_HOME": folder}
        output = subprocess.run(command, env=kept, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        return json.loads(output)["runs"][0]["summary"]


def peer(options, model, ranks, steps):
    command = ["/usr/bin/python3", options.peer, "--model", model, "--world-size", str(ranks), "--steps", str(steps),
               "--data", options.data]
    return json.loads(subprocess.check_output(command, env=environment()).splitlines()[-1])


def compare(options, case):
    model, backend, ranks = case.split(":")
    steps = options.steps if model == "mlp" else max(30, options.steps // 6)
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(run(options, {"strategy.name": "data", "world_size": int(ranks), "comm.backend": backend,
                                  "net.name": model, "train.steps": steps + 10}))
        theirs.append(peer(options, model, int(ranks), steps))
    mine = statistics.median(row["ms_per_step"] for row in ours)
    other = statistics.median(row["ms_per_step"] for row in theirs)
    result = {"case": case, "rounds": options.rounds, "ms_per_step": round(mine, 3), "peer_ms_per_step": round(other, 3),
              "ratio": round(mine / other, 3), "limit": LIMITS.get(case),
              "seconds_to_first_loss": round(statistics.median(r["seconds_to_first_loss"] for r in ours), 2),
              "peer_seconds_to_first_loss": round(statistics.median(r["seconds_to_first_loss"] for r in theirs), 2)}
    result["holds"] = result["limit"] is None or result["ratio"] <= result["limit"]
    print(json.dumps(result), flush=True)
    return result["holds"]


def forms(options, steps=60):
    """Gloo, the CNN, two ranks: gradients in buckets during backward against tensor by tensor after it, and the peer."""
    times = {form: [] for form in ("buckets", "tensors", "flat")}
    theirs = []
    for _ in range(options.rounds):
        for form, kept in times.items():
            kept.append(run(options, {"strategy.name": "data", "world_size": 2, "comm.backend": "gloo", "net.name": "cnn",
                                      "comm.form": form, "train.steps": steps + 10})["ms_per_step"])
        theirs.append(peer(options, "cnn", 2, steps)["ms_per_step"])
    medians = {form: statistics.median(kept) for form, kept in times.items()}
    other = statistics.median(theirs)
    result = {"case": "forms over Gloo, CNN, 2 ranks", "rounds": options.rounds,
              **{form + "_ms": round(value, 2) for form, value in medians.items()}, "peer_ms": round(other, 2),
              "buckets_to_tensors": round(medians["buckets"] / medians["tensors"], 3), "limit": 0.85,
              "buckets_to_peer": round(medians["buckets"] / other, 3), "peer_limit": 1.0}
    result["holds"] = result["buckets_to_tensors"] <= 0.85 and result["buckets_to_peer"] <= 1.0
    print(json.dumps(result), flush=True)
    return result["holds"]


def crowded(options, ranks=8):
    """Many ranks on few cores: what a step takes against the arithmetic alone."""
    cores = len(os.sched_getaffinity(0))
    steps, alone = [], []
    for _ in range(options.rounds):
        summary = run(options, {"strategy.name": "data", "world_size": ranks, "comm.backend": "shm",
                                "train.steps": 610})
        steps.append(summary["ms_per_step"])
        # Where ranks share caches their arithmetic takes longer than alone, so it is taken from the same run.
        alone.append(summary["ms_per_step"] - summary["comm_ms_per_step"] - summary["wait_ms_per_step"])
    step, one = statistics.median(steps), statistics.median(alone)
    ratio = step / (ranks * one / cores)
    result = {"case": f"{ranks} ranks on {cores} cores", "ms_per_step": round(step, 3),
              "one_rank_without_communication_ms": round(one, 3), "ratio": round(ratio, 2), "limit": 1.3}
    result["holds"] = ratio <= 1.3 or cores >= ranks
    print(json.dumps(result), flush=True)
    return result["holds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--peer", default=os.environ.get("LOCKSTEP_PEER", "../shared/peers/ddp_peer.py"))
    parser.add_argument("--data", default=os.environ.get("LOCKSTEP_MNIST", "../shared/data/mnist"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--cases", default=",".join(LIMITS))
    options = parser.parse_args()
    holds = [compare(options, case) for case in options.cases.split(",") if case]
    holds.append(forms(options))
    holds.append(crowded(options))
    sys.exit(0 if all(holds) else 1)


if __name__ == "__main__":
    main()
