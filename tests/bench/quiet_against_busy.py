#!/usr/bin/env python3
"""What is said on a quiet machine, and beside busy loops that use its cores.

    tests/bench/quiet_against_busy.py build/bin/lockstep [--loops 6] [--epochs 1] [--parts scaling,model-parallel]

scaling: one process, 2 and 4 ranks. model-parallel: all variants of the preset, with Pipeline over RPC and over messages. Prints
for each machine the headlines and caveats, the times of steps and how much of its time a rank waited for others' work. Exit code
1 where a ratio to the baseline moves by more than 25 % and no run is marked as disturbed. A comparison of different numbers of
ranks waits for a quiet machine first (LOCKSTEP_QUIET_S): 0 here, since the loops do not end.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

PARTS = {"scaling": ["scaling", "--only", "single,2,4"], "model-parallel": ["model-parallel"]}
BUSY_MACHINE = 0.1  # analysis::BusyMachine
MOST_MOVED = 0.25


class BusyLoops:
    """Processes that use a core each."""

    def __init__(self, count):
        self.count = count
        self.processes = []

    def __enter__(self):
        self.processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(self.count)]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def result_of(lockstep, words):
    with tempfile.TemporaryDirectory() as store:
        command = [lockstep, "run", *words, "--json", "--store", store]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LOCKSTEP_QUIET_S": "0"})
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)


def show(machine, result):
    print(f"  {machine}:")
    for entry in result["runs"]:
        summary = entry["summary"]
        delay = summary.get("run_delay_by_others")
        print(f"    {entry['name']}: {summary['ms_per_step_typical'] or summary['ms_per_step']:.3f} ms a step, "
              f"delayed by others {'unknown' if delay is None else format(delay, '.0%')}")
    said = {each["text"]: each["role"] for entry in result["runs"] for each in entry["findings"]}
    for text, role in said.items():
        if role in ("headline", "caveat"):
            print(f"    [{role}] {text}")
    sys.stdout.flush()


def ratios_of(result):
    return {each["run"]: 1.0 + each["difference"] for each in result.get("comparisons", []) if each["difference"] is not None}


def is_marked(result):
    return any((entry["summary"].get("run_delay_by_others") or 0.0) >= BUSY_MACHINE for entry in result["runs"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("--loops", type=int, default=6)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--parts", default=",".join(PARTS))
    options = parser.parse_args()
    misled = False
    for part in options.parts.split(","):
        print(part)
        words = [*PARTS[part], "--set", f"train.epochs={options.epochs}"]
        quiet = result_of(options.lockstep, words)
        show("quiet", quiet)
        with BusyLoops(options.loops):
            busy = result_of(options.lockstep, words)
        show(f"beside {options.loops} busy loops", busy)
        before, after = ratios_of(quiet), ratios_of(busy)
        for name in before.keys() & after.keys():
            moved = after[name] / before[name] - 1.0
            print(f"  {name}: {before[name]:.2f} times the baseline when quiet, {after[name]:.2f} when busy ({moved:+.0%})")
            misled = misled or (abs(moved) > MOST_MOVED and not is_marked(busy))
    return 1 if misled else 0


if __name__ == "__main__":
    sys.exit(main())
