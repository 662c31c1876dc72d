#!/usr/bin/env python3
"""What drawing costs: the same runs in the window and headless, in pairs, which of the two first drawn at random.

    window_ratio.py [--build build] [--pairs 5] [--ranks 2,4,8] [--seconds 6] [--stored RUNSxSTEPS [--view curves]] [--set key=value]...

Prints a line a pair and one for each number of ranks: how many times longer a step takes in the window (geometric mean over pairs
and variants, with its 95 % interval over pairs), and how many cores the workbench kept busy in both. Exit code 1 where a ratio is
above 1.05. The window is drawn offscreen, or on the display where QT_QPA_PLATFORM=xcb. All variants train one after the other.
With --stored the window shows so many stored runs of so many steps beside: as curves in the same chart, drawn again with each new
point; with --view heat-map also as a heat map in a second chart (11 to 100 runs); with --view replay they are replayed meanwhile, each
step in 1 ms.
"""
import argparse
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

LIMIT = 1.05
T975 = [math.inf, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]
VARIANTS = [{"name": name, "aggregation.algorithm": name} for name in ("all_reduce", "ring", "parameter_server")]


def spec_of(ranks, steps, settings):
    base = {"strategy.name": "data", "world_size": ranks, "dataset.name": "digits", "net.name": "mlp", "optimizer.name": "sgd",
            "optimizer.lr": 0.05, "train.steps": steps, "train.evaluate_every": 100000, "measure.interleave": False, **settings}
    return {"version": 1, "experiment": "aggregation", "base": base, "variants": VARIANTS}


def started(command, folder):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("LOCKSTEP_")}
    done = subprocess.run(command, env={**kept, "XDG_DATA_HOME": folder}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr}")
    return done.stdout


def linked_store(stored, store):
    """A store with the same runs; what changes is its own."""
    os.mkdir(store)
    for name in os.listdir(stored):
        place = os.link if name.endswith(".run") else shutil.copy
        if os.path.isfile(os.path.join(stored, name)):
            place(os.path.join(stored, name), os.path.join(store, name))


def runs_of(is_window, options, spec, stored=None):
    """(name, ms a step, cores of the workbench) of each run."""
    build = options.build
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "spec.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        store = os.path.join(folder, "runs")
        if is_window:
            command = [os.path.join(build, "tests/bin/bench_window"), path, store]
            if options.stored:
                linked_store(stored, store)
                command += ["1280x800", options.stored, options.view]
            lines = started(command, folder).splitlines()
            runs = [json.loads(line) for line in lines]
            return {run["name"]: (run["ms_per_step"], run.get("workbench_cores")) for run in runs}
        text = started([os.path.join(build, "bin/lockstep"), "run", path, "--json", "--store", store], folder)
        return {run["name"]: (run["summary"]["ms_per_step"], next((m["workbench_cores"] for m in run.get("machines", [])), None))
                for run in json.loads(text)["runs"]}


def cores_of(runs):
    known = [cores for _, cores in runs.values() if cores is not None]
    return statistics.mean(known) if known else math.nan


def compare(ranks, options, settings, stored):
    ms = next(iter(runs_of(False, options, {**spec_of(ranks, 200, settings), "variants": VARIANTS[:1]}).values()))[0]
    spec = spec_of(ranks, max(300, int(options.seconds * 1000 / ms / len(VARIANTS))), settings)
    logs, window_cores, headless_cores = [], [], []
    for pair in range(options.pairs):
        order = [True, False]
        random.shuffle(order)
        found = {is_window: runs_of(is_window, options, spec, stored) for is_window in order}
        by_name = {name: math.log(found[True][name][0] / found[False][name][0]) for name in found[True]}
        logs.append(statistics.mean(by_name.values()))
        window_cores.append(cores_of(found[True]))
        headless_cores.append(cores_of(found[False]))
        each = ", ".join(f"{name} {math.exp(log):.3f}" for name, log in by_name.items())
        print(f"  {ranks} ranks, pair {pair + 1}, {'window' if order[0] else 'headless'} first: {each}", flush=True)
    mean = statistics.mean(logs)
    t = T975[min(len(logs) - 1, len(T975) - 1)]
    half = t * statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.inf
    print(f"{ranks} ranks: a step takes {math.exp(mean):.3f} times as long in the window "
          f"[{math.exp(mean - half):.3f}, {math.exp(mean + half):.3f}], {len(logs)} pairs of {spec['base']['train.steps']} steps; "
          f"workbench {statistics.mean(window_cores):.3f} cores, headless {statistics.mean(headless_cores):.3f}", flush=True)
    return math.exp(mean) <= LIMIT


def settings_of(options):
    """Of --set key=value."""
    settings = {}
    for each in options.settings:
        key, _, value = each.partition("=")
        try:
            settings[key] = json.loads(value)
        except ValueError:
            settings[key] = value
    return settings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--ranks", default="2,4,8")
    parser.add_argument("--seconds", type=float, default=6.0, help="of training in each half of a pair")
    parser.add_argument("--stored", help="runs that the window shows beside: 100x100000")
    parser.add_argument("--view", choices=["curves", "heat-map", "replay"], default="curves", help="how it shows them")
    parser.add_argument("--set", action="append", default=[], dest="settings")
    options = parser.parse_args()
    if options.view != "curves" and not options.stored:
        parser.error(f"--view {options.view} shows stored runs: give --stored RUNSxSTEPS")
    settings = settings_of(options)
    with tempfile.TemporaryDirectory() as folder:
        stored = os.path.join(folder, "stored")
        if options.stored:
            started([os.path.join(options.build, "tests/bin/bench_window"), "-", stored, "1280x800", options.stored], folder)
        holds = [compare(int(ranks), options, settings, stored) for ranks in options.ranks.split(",")]
    sys.exit(0 if all(holds) else 1)


if __name__ == "__main__":
    main()
