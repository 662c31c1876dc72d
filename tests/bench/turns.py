#!/usr/bin/env python3
"""Runs that take turns (measure.interleave): how often the interval of a comparison holds the truth.

    tests/bench/turns.py build/bin/lockstep [--trials 20] [--steps 1500] [--parts equal,quiet,busy,one-after-the-other]

equal:  all_reduce against sum, which is the same work, while another process burns a core on and off for random 0.2 to
        1.5 s. The interval should hold 0 in at least 17 of 20.
quiet:  a variant whose ranks all wait for a fifth of a step longer, on a quiet machine: found (the interval does not hold
        0) in at least 17 of 20. A convolutional net with steps of some ms, because a sleep ends some 0.01 to 0.1 ms
        late. The fifth is of a step as the baseline takes it in turns, measured first. Each trial also prints what its
        own baseline lets expect, delay over step, and in which phases the increase lies: the delay itself is in
        backward; more in other phases is what a rank is slower at after it slept.
busy:   the same with the burner: the interval holds the true difference in at least 17 of 20. On busy cores steps take
        longer and the sleep does not, so the truth is what the trial's baseline lets expect; 20 % is counted as well.
one-after-the-other: as equal, without turns: how far the single runs' times are apart.
"""
import argparse
import json
import multiprocessing
import random
import statistics
import subprocess
import sys
import tempfile
import time


def burn(seed):
    """A core, on and off."""
    chance = random.Random(seed)
    while True:
        end = time.monotonic() + chance.uniform(0.2, 1.5)
        while time.monotonic() < end:
            pass
        time.sleep(chance.uniform(0.2, 1.5))


class Burner:
    def __init__(self, is_on, seed):
        self.process = multiprocessing.Process(target=burn, args=(seed,), daemon=True) if is_on else None

    def __enter__(self):
        if self.process:
            self.process.start()

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.join()


def run(lockstep, spec):
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/spec.json"
        with open(path, "w") as file:
            json.dump(spec, file)
        done = subprocess.run([lockstep, "run", path, "--json", "--store", folder + "/runs"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return json.loads(done.stdout)


def spec_of(steps, variants, limit, interleave=True):
    base = {"strategy.name": "data", "world_size": 2, "dataset.name": "digits", "net.name": "mlp", "optimizer.name": "sgd",
            "optimizer.lr": 0.05, "train.steps": steps, "train.evaluate_every": 100000,
            "measure.interleave": interleave, **({"measure.limit_s": limit} if interleave else {})}
    return {"version": 1, "experiment": "aggregation", "base": base, "variants": variants}


PHASES = ["ms_per_step", "data_ms", "forward_ms", "backward_ms", "communicate_ms", "wait_ms", "optimize_ms"]
EQUAL = [{"name": "all_reduce"}, {"name": "sum", "aggregation.rule": "sum"}]


def slow_steps(spec):
    """The same with steps of some ms, a fifth as many."""
    spec["base"].update({"net.name": "cnn", "train.batch": 16, "train.steps": max(50, spec["base"]["train.steps"] // 5)})
    return spec


def slowed(delay_ms):
    return [{"name": "all_reduce"}, {"name": "slowed", "straggler.ranks": [0, 1], "straggler.delay_ms": delay_ms}]


def trials(name, count, lockstep, spec, is_burning):
    """Of each trial its comparison, the times of both runs, and the difference that was expected."""
    found = []
    delay_ms = spec["variants"][-1].get("straggler.delay_ms", 0.0)
    for trial in range(count):
        with Burner(is_burning, trial):
            result = run(lockstep, spec)
        one = result["comparisons"][0]
        times = [entry["summary"]["ms_per_step"] for entry in result["runs"]]
        low, high = one["ci95"]
        print(f"{name} {trial + 1}: {one['difference']:+.3f} [{low if low is None else round(low, 3)}, "
              f"{high if high is None else round(high, 3)}] n={one['n']} {one['unit']}, merged {one['blocks_merged']}; "
              f"alone {times[0]:.3f} and {times[1]:.3f} ms", flush=True)
        found.append((one, times, print_increase(result, delay_ms) if delay_ms > 0.0 else 0.0))
    return found


def print_increase(result, delay_ms):
    """Gives the difference that follows from the delay and the baseline of the same trial."""
    base, slowed = ({key: statistics.mean(rank[key] for rank in run["ranks"]) for key in PHASES} for run in result["runs"])
    step_ms = result["runs"][0]["summary"]["ms_per_step"]
    phases = ", ".join(f"{key[:-3]} {slowed[key] - base[key]:+.3f}" for key in PHASES)
    print(f"    {delay_ms:.3f} ms of {step_ms:.3f}: {delay_ms / step_ms:+.3f} expected; increase of {phases} ms", flush=True)
    return delay_ms / step_ms


def holds(entry, value):
    low, high = entry[0]["ci95"]
    return low is not None and low <= value <= high


def half_width(entries):
    return statistics.median((entry[0]["ci95"][1] - entry[0]["ci95"][0]) / 2 for entry in entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--limit", type=float, default=10.0)
    parser.add_argument("--parts", default="equal,quiet,busy,one-after-the-other")
    options = parser.parse_args()
    parts = options.parts.split(",")
    n = options.trials
    if "equal" in parts:
        equal = trials("equal", n, options.lockstep, spec_of(options.steps, EQUAL, options.limit), True)
        print(f"equal work, burner: the interval holds 0 in {sum(holds(e, 0.0) for e in equal)} of {n}; "
              f"median half-width {half_width(equal):.3f}")
    if "quiet" in parts or "busy" in parts:
        first = run(options.lockstep, slow_steps(spec_of(options.steps, EQUAL, options.limit)))
        step_ms = statistics.geometric_mean(each["summary"]["ms_per_step"] for each in first["runs"])
        spec = slow_steps(spec_of(options.steps, slowed(round(step_ms / 5, 4)), options.limit))
        print(f"a step takes {step_ms:.3f} ms; every rank of `slowed` waits {step_ms / 5:.3f} ms longer")
    if "quiet" in parts:
        quiet = trials("quiet", n, options.lockstep, spec, False)
        seen = sum(e[0]["ci95"][0] is not None and e[0]["ci95"][0] > 0.0 for e in quiet)
        print(f"a fifth slower, quiet: found in {seen} of {n}; mean {statistics.mean(e[0]['difference'] for e in quiet):.3f}, "
              f"expected {statistics.mean(e[2] for e in quiet):.3f}; median half-width {half_width(quiet):.3f}; the interval "
              f"holds what was expected in {sum(holds(e, e[2]) for e in quiet)}")
    if "busy" in parts:
        busy = trials("busy", n, options.lockstep, spec, True)
        print(f"a fifth slower, burner: the interval holds what was expected in {sum(holds(e, e[2]) for e in busy)} of {n}, "
              f"0.200 in {sum(holds(e, 0.2) for e in busy)}; median half-width {half_width(busy):.3f}")
    if "one-after-the-other" in parts:
        alone = trials("alone", n, options.lockstep, spec_of(options.steps, EQUAL, 0.0, False), True)
        apart = [abs(e[1][1] / e[1][0] - 1) for e in alone]
        print(f"equal work, one after the other, burner: the times of the two are within 5 % of each other in "
              f"{sum(a <= 0.05 for a in apart)} of {n}; they are apart by {statistics.median(apart):.3f} in the median, "
              f"{max(apart):.3f} at most; no interval")


if __name__ == "__main__":
    main()
