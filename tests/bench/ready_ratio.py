#!/usr/bin/env python3
"""What a ready process saves: ranks that are forked against ranks that are started, in one sitting.

    ready_ratio.py --build build [--runs 300] [--pairs 10]

runs:       that many runs of two steps, one rank, built-in digits, against as many cold starts of `lockstep-rank --version`:
            at most a quarter of their time. Prints the memory of the ready process after the first tenth and at the end.
first loss: seconds from the command to the first loss with and without the ready process, in pairs whose order
            alternates: at 4 ranks at most 0.6, at 1 rank not later.

Exit code 1 if a limit is missed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

RUNS_LIMIT = 0.25
MOST_REPEATS = 100
FIRST_LOSS_LIMIT = 0.6
SINGLE_LIMIT = 1.02  # the same program does the same: what is above is noise
DIGITS = {"dataset.name": "digits", "net.name": "mlp", "train.steps": 2,
          "measure.interleave": False}


def environment(folder, ready):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("LOCKSTEP_")}
    return {**kept, "XDG_DATA_HOME": folder, "LOCKSTEP_READY": ready}


def command(build, folder, settings, repeats=1):
    spec = os.path.join(folder, "spec.json")
    # An experiment repeats its variants at most 100 times.
    parts = -(-repeats // MOST_REPEATS)
    if repeats % parts != 0:
        sys.exit(f"--runs {repeats}: {MOST_REPEATS} at most, or a multiple of {parts}")
    with open(spec, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "experiment": "own", "base": {**DIGITS, **settings}, "repeats": repeats // parts,
                   "variants": [{"name": f"part {part + 1}"} for part in range(parts)]}, file)
    return [os.path.join(build, "bin", "lockstep"), "run", spec, "--json"]


def ready_process(workbench):
    """The pid of the workbench's ready process; None while there is none."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if parent == workbench and b"--ready" in file.read().split(b"\0"):
                    return int(name)
        except OSError:
            continue
    return None


def memory_kb(pid):
    """Pss, and what is not a file's: the first depends on the ranks that are alive, the second does not."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in file if line.endswith(" kB\n")}
    return kilobytes["Pss"], kilobytes["Anonymous"]


def watch(workbench, samples):
    while workbench.poll() is None:
        try:
            samples.append((time.monotonic(), *memory_kb(ready_process(workbench.pid))))
        except (OSError, KeyError):
            pass
        time.sleep(0.25)


def runs(build, count):
    begin = time.monotonic()
    for _ in range(count):
        subprocess.run([os.path.join(build, "bin", "lockstep-rank"), "--version"], stdout=subprocess.DEVNULL, check=True)
    cold = time.monotonic() - begin
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as errors:
        begin = time.monotonic()
        with subprocess.Popen(command(build, folder, {}, count), env=environment(folder, "1"), stdout=subprocess.PIPE,
                              stderr=errors) as workbench:
            samples = []
            watcher = threading.Thread(target=watch, args=(workbench, samples))
            watcher.start()
            output = workbench.stdout.read()
        watcher.join()
        took = time.monotonic() - begin
        if not output:
            errors.seek(0)
            sys.exit(errors.read())
        result = json.loads(output)["runs"]
    if [run["status"] for run in result] != ["finished"] * count:
        sys.exit("not every run has finished")
    print(f"{count} cold starts of lockstep-rank --version: {cold:.2f} s, {1e3 * cold / count:.0f} ms each")
    print(f"{count} runs of two steps: {took:.2f} s, {1e3 * took / count:.0f} ms each; ratio {took / cold:.3f} "
          f"(limit {RUNS_LIMIT})")
    if len(samples) > 1:
        early, late = samples[max(1, len(samples) // 10)], samples[-1]
        print(f"memory of the ready process: anonymous {early[2] / 1e3:.1f} MB after a tenth, {late[2] / 1e3:.1f} MB at the "
              f"end; Pss {early[1] / 1e3:.1f} and {late[1] / 1e3:.1f} MB ({len(samples)} samples)")
    return took / cold <= RUNS_LIMIT


def first_loss(build, ranks, ready):
    settings = {"strategy.name": "data", "world_size": ranks} if ranks > 1 else {}
    with tempfile.TemporaryDirectory() as folder:
        output = subprocess.run(command(build, folder, settings), env=environment(folder, ready), check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        return json.loads(output)["runs"][0]["summary"]["seconds_to_first_loss"]


def first_losses(build, ranks, pairs, limit):
    ratios, seconds = [], {"0": [], "1": []}
    for pair in range(pairs):
        for ready in ("01", "10")[pair % 2]:
            seconds[ready].append(first_loss(build, ranks, ready))
        ratios.append(seconds["1"][-1] / seconds["0"][-1])
    ratio = statistics.median(ratios)
    print(f"first loss at {ranks} rank(s), {pairs} pairs: {statistics.median(seconds['0']):.3f} s without, "
          f"{statistics.median(seconds['1']):.3f} s with a ready process; median ratio {ratio:.3f} "
          f"({min(ratios):.3f} to {max(ratios):.3f}; limit {limit})")
    return ratio <= limit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--pairs", type=int, default=10)
    options = parser.parse_args()
    is_good = options.runs == 0 or runs(options.build, options.runs)
    if options.pairs > 0:
        is_good = first_losses(options.build, 4, options.pairs, FIRST_LOSS_LIMIT) and is_good
        is_good = first_losses(options.build, 1, options.pairs, SINGLE_LIMIT) and is_good
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
