#!/usr/bin/env python3
"""One rank against PyTorch on the same work, in one sitting: ratios, because absolute times drift.

    peer_ratio.py --build build --peer ddp_peer.py --data FOLDER [--rounds 5] [--steps 300] [--models mlp,cnn]

The peer (LOCKSTEP_PEER, or --peer) is a script that takes --model, --world-size, --steps and --data and prints one JSON
object with ms_per_step and seconds_to_first_loss. It runs with /usr/bin/python3, Debian's, where python3-torch lives.
Exit code 1 if a limit is missed.
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

LIMITS = {"mlp": 0.9, "cnn": 1.0}
# Of what is ours. The CNN's own activations and their gradients are 70 MB at 64 images, and they push the data set out
# of the caches, so that copying a batch costs twice as much: its figures are printed, not judged.
DATA_US_LIMIT = {"mlp": 30.0}
MEMORY_MB_LIMIT = {"mlp": 60.0}


def environment():
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {**{k: v for k, v in os.environ.items() if not k.startswith("LOCKSTEP_")}, **threads}


def rank(options, model):
    with tempfile.TemporaryDirectory() as folder:
        spec, record = os.path.join(folder, "spec.json"), os.path.join(folder, "record")
        base = {"dataset.name": "mnist", "dataset.path": os.path.abspath(options.data), "net.name": model,
                "optimizer.name": "sgd", "optimizer.lr": 0.01, "train.batch": 64, "train.steps": options.steps + 10,
                "train.evaluate_every": 100000, "dataset.test_samples": 1}
        with open(spec, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "experiment": "optimizers", "base": base}, file)
        command = [os.path.join(options.build, "bin", "lockstep-rank"), "--spec", spec, "--record", record]
        start = time.monotonic()
        subprocess.run(command, env=environment(), stderr=subprocess.DEVNULL, check=True)
        tool = os.path.join(options.build, "tests", "bin", "record_figures")
        figures = json.loads(subprocess.check_output([tool, record]))
        return {**figures, "seconds_to_first_loss": figures["first_loss_at"] - start}


def peer(options, model):
    command = ["/usr/bin/python3", options.peer, "--model", model, "--world-size", "1", "--steps", str(options.steps),
               "--data", options.data]
    return json.loads(subprocess.check_output(command, env=environment()).splitlines()[-1])


def empty_process_mb(options):
    """Resident memory of a LibTorch program that does nothing: the rank program waiting for its spec on a pipe."""
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "spec")
        os.mkfifo(pipe)
        command = [os.path.join(options.build, "bin", "lockstep-rank"), "--spec", pipe]
        with subprocess.Popen(command, env=environment(), stderr=subprocess.DEVNULL) as process:
            time.sleep(3)
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                kilobytes = int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))
            process.kill()
    return kilobytes * 1024 / 1e6


def data_mb(options):
    """Training images as float32, labels as int64; one test image."""
    import gzip
    import struct
    with gzip.open(os.path.join(options.data, "train-images-idx3-ubyte.gz")) as file:
        count = struct.unpack(">II", file.read(8))[1]
    return count * (784 * 4 + 8) / 1e6


def compare(options, model, empty):
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(rank(options, model))
        theirs.append(peer(options, model))

    def middle(rows, key):
        return statistics.median(row[key] for row in rows)

    ratio = middle(ours, "ms_per_step") / middle(theirs, "ms_per_step")
    above = middle(ours, "resident_mb") - empty - data_mb(options)
    result = {"model": model, "rounds": options.rounds, "steps": options.steps,
              "rank_ms_per_step": round(middle(ours, "ms_per_step"), 3),
              "peer_ms_per_step": round(middle(theirs, "ms_per_step"), 3), "ratio": round(ratio, 3),
              "limit": LIMITS[model], "data_us_per_step": round(middle(ours, "data_us_per_step"), 1),
              "rank_seconds_to_first_loss": round(middle(ours, "seconds_to_first_loss"), 3),
              "peer_seconds_to_first_loss": round(middle(theirs, "seconds_to_first_loss"), 3),
              "memory_above_empty_and_data_mb": round(above, 1)}
    unlimited = float("inf")
    result["holds"] = bool(ratio <= LIMITS[model]
                           and result["data_us_per_step"] <= DATA_US_LIMIT.get(model, unlimited)
                           and above <= MEMORY_MB_LIMIT.get(model, unlimited)
                           and result["rank_seconds_to_first_loss"] <= result["peer_seconds_to_first_loss"])
    print(json.dumps(result), flush=True)
    return result["holds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--peer", default=os.environ.get("LOCKSTEP_PEER", "../shared/peers/ddp_peer.py"))
    parser.add_argument("--data", default=os.environ.get("LOCKSTEP_MNIST", "../shared/data/mnist"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--models", default="mlp,cnn")
    options = parser.parse_args()
    empty = empty_process_mb(options)
    holds = [compare(options, model, empty) for model in options.models.split(",")]
    sys.exit(0 if all(holds) else 1)


if __name__ == "__main__":
    main()
