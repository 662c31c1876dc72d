#!/usr/bin/env python3
"""All-reduce over shared memory beside Open MPI's, in one sitting: the medians of several rounds and their ratio.

    all_reduce_ratio.py [--build build] [--ranks 2] [--rounds 5]

Both bind a rank to a core alike. Exit code 1 if shared memory is slower at 4 KB or above.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys


def measure(command):
    lines = subprocess.check_output(command, text=True).splitlines()
    return {row["bytes"]: row["ms"] for row in map(json.loads, lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    tools = os.path.join(options.build, "tests", "bin")
    mpi = ["mpirun", "-n", str(options.ranks), "--oversubscribe", "--bind-to", "none", os.path.join(tools, "bench_all_reduce_mpi")]
    if os.geteuid() == 0:
        mpi.insert(1, "--allow-run-as-root")
    ours, theirs = [], []
    for _ in range(options.rounds):
        ours.append(measure([os.path.join(tools, "bench_all_reduce"), str(options.ranks)]))
        theirs.append(measure(mpi))
    holds = True
    for size in ours[0]:
        shm = statistics.median(row[size] for row in ours)
        peer = statistics.median(row[size] for row in theirs)
        print(json.dumps({"bytes": size, "shm_ms": shm, "mpi_ms": peer, "ratio": round(shm / peer, 3)}), flush=True)
        holds = holds and (size < 4096 or shm <= peer)
    sys.exit(0 if holds else 1)


if __name__ == "__main__":
    main()
