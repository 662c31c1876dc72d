#!/usr/bin/env python3
"""What drawing costs, from one sitting: a run in the window and one headless are alive together and are held in turns by signals.

    window_turns.py [--build build] [--ranks 2,4,8] [--pairs 30] [--seconds 2] [--set key=value]...

A pair is a turn of each, of so many seconds, in random order; steps of the first 0.4 s of a turn are not counted. Prints for each
number of ranks how many times longer a step takes in the window (geometric mean over pairs, with its 95 % interval; neighbours are
merged until they do not follow each other). A machine that becomes slower does so for both, which whole runs in pairs
(window_ratio.py) do not have. Exit code 1 where a ratio is above 1.05. The window is drawn offscreen, or on the display where
QT_QPA_PLATFORM=xcb. Both runs' files are in the page cache.
"""
import argparse
import contextlib
import json
import math
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from window_ratio import LIMIT, T975, settings_of, spec_of

GUARD_NS = 400_000_000


def tree_of(root):
    """A process and all that it has started."""
    found, open_ = [], [root]
    while open_:
        process = open_.pop()
        found.append(process)
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{process}/task"):
                with open(f"/proc/{process}/task/{task}/children", encoding="utf-8") as file:
                    open_ += [int(child) for child in file.read().split()]
    return found


class Runner:
    """A run of an experiment that is longer than the measurement, in the window or headless."""

    def __init__(self, is_window, options, spec, folder):
        self.store = os.path.join(folder, "window" if is_window else "headless")
        path = self.store + ".json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        words = ([os.path.join(options.build, "tests/bin/bench_window"), path, self.store] if is_window else
                 [os.path.join(options.build, "bin/lockstep"), "run", path, "--json", "--store", self.store])
        kept = {key: value for key, value in os.environ.items() if not key.startswith("LOCKSTEP_")}
        self.process = subprocess.Popen(words, env={**kept, "XDG_DATA_HOME": self.store + ".data"},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def signal(self, what):
        for process in tree_of(self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, what)

    def hold(self):
        self.signal(signal.SIGSTOP)

    def go_on(self):
        self.signal(signal.SIGCONT)

    def end(self):
        self.go_on()
        self.signal(signal.SIGKILL)
        self.process.wait()

    def ends(self):
        """When each step of rank 0 ended, in ns of the monotonic clock."""
        try:
            name, = [name for name in os.listdir(self.store) if name.endswith(".run")]
            with contextlib.closing(sqlite3.connect(os.path.join(self.store, name))) as run:
                blobs = [row[0] for row in run.execute("SELECT end_ns FROM steps WHERE rank = 0 ORDER BY delta")]
        except (OSError, ValueError, sqlite3.Error):
            return []
        return [int.from_bytes(blob[at:at + 8], "little", signed=True) for blob in blobs for at in range(0, len(blob), 8)]

    def await_steps(self):
        limit = time.monotonic() + 60
        while len(self.ends()) < 20:
            if time.monotonic() > limit or self.process.poll() is not None:
                sys.exit(f"{self.store}: the run does not begin")
            time.sleep(0.2)


def log_ms(ends, begin, end):
    counted = [each for each in ends if begin + GUARD_NS <= each <= end]
    if len(counted) < 10:
        sys.exit("a turn has fewer than 10 steps: give more --seconds")
    return math.log((counted[-1] - counted[0]) / (len(counted) - 1))


def merged(logs):
    """Neighbours are averaged until the correlation of neighbours is below 0.2."""
    while len(logs) >= 8:
        mean = statistics.mean(logs)
        spread = sum((each - mean) ** 2 for each in logs)
        if spread == 0 or sum((a - mean) * (b - mean) for a, b in zip(logs, logs[1:])) / spread < 0.2:
            break
        logs = [statistics.mean(logs[at:at + 2]) for at in range(0, len(logs) - 1, 2)]
    return logs


def compare(ranks, options, settings):
    spec = spec_of(ranks, 10_000_000, {**settings, "aggregation.algorithm": "all_reduce"})
    del spec["variants"]
    with tempfile.TemporaryDirectory() as folder:
        runners = []
        try:
            for is_window in (False, True):
                runners.append(Runner(is_window, options, spec, folder))
                runners[-1].await_steps()
                runners[-1].hold()
            turns = {False: [], True: []}
            for _ in range(options.pairs):
                for is_window in random.sample([False, True], 2):
                    begin = time.monotonic_ns()
                    runners[is_window].go_on()
                    time.sleep(options.seconds)
                    turns[is_window].append((begin, time.monotonic_ns()))
                    runners[is_window].hold()
            for runner in runners:
                runner.go_on()
            time.sleep(2)  # what they have not stored yet
        finally:
            for runner in runners:
                runner.end()
        ends = [runner.ends() for runner in runners]
        logs = merged([log_ms(ends[True], *window) - log_ms(ends[False], *headless)
                       for window, headless in zip(turns[True], turns[False])])
    mean = statistics.mean(logs)
    half = T975[min(len(logs) - 1, len(T975) - 1)] * statistics.stdev(logs) / math.sqrt(len(logs))
    print(f"{ranks} ranks: a step takes {math.exp(mean):.3f} times as long in the window [{math.exp(mean - half):.3f}, "
          f"{math.exp(mean + half):.3f}], {options.pairs} pairs of turns of {options.seconds:g} s, {len(logs)} after merging",
          flush=True)
    return math.exp(mean) <= LIMIT


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--ranks", default="2,4,8")
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a turn")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    options = parser.parse_args()
    settings = settings_of(options)
    holds = [compare(int(ranks), options, settings) for ranks in options.ranks.split(",")]
    sys.exit(0 if all(holds) else 1)


if __name__ == "__main__":
    main()
