#!/usr/bin/env python3
"""Training on a GPU: right, as fast as it has to be, and with nothing left behind. Called by run.sh.

    training_on_gpu.py --rank build/cuda/bin/lockstep-rank [--checks build/cuda/tests/bin/cuda_collectives]
                       [--device cuda:0] [--quick] [--only sharing,deaths] [--seconds 410] [--no-limits] [--logs DIR]

Prints a line a check and a table last; ends with 1 if one has failed. --logs: where each run's settings, log and table are
kept, and the recordings. --device cpu tries the script itself where there is no GPU: then nothing is held against Python,
and speeds say nothing.
"""
import argparse, concurrent.futures, json, os, re, signal, statistics, subprocess, sys, time, traceback

import one_gpu
from gpu_runs import (ARGUMENTS, EXTRA, FAILED, NAME_OF_WAY, PART_ENDS, ROWS, Run, environment, middle_of, note, on_device, peer,
                      speed_settings)

HERE = os.path.dirname(os.path.abspath(__file__))
PRESETS = os.path.join(HERE, "..", "..", "resources", "presets")
# Each part with its limit in seconds, in the order of a sitting: what matters most comes first.
SITTING = {"sharing": 120, "one_rank": 40, "overlap": 40, "aggregation": 50, "nccl": 20, "recordings": 45, "bits": 60,
           "deaths": 40, "parity": 40}
MORE = {"collectives": 100, "speed": 200, "presets": 120}  # of the first sitting; with --only


def parity():
    """The losses of several ranks are those of one process."""
    base = {"dataset.name": "digits", "dataset.train_samples": 1200, "net.name": "deep-mlp", "train.batch": 48,
            "train.epochs": 1, "verify": True}
    cases = [("data, 2 ranks", {"strategy.name": "data", "world_size": 2}),
             ("data, 4 ranks", {"strategy.name": "data", "world_size": 4}),
             ("data by ring, 4 ranks", {"strategy.name": "data", "world_size": 4, "aggregation.algorithm": "ring"}),
             ("data in buckets, 2 ranks", {"strategy.name": "data", "world_size": 2, "comm.form": "buckets"}),
             ("data over Gloo, 2 ranks", {"strategy.name": "data", "world_size": 2, "comm.backend": "gloo"}),
             ("pipeline, 3 stages", {"strategy.name": "pipeline", "pipeline.stages": 3}),
             ("tensor, 2 parts", {"strategy.name": "tensor", "tensor.size": 2}),
             ("ZeRO-1", {"strategy.name": "zero", "zero.stage": 1, "world_size": 2}),
             ("ZeRO-2", {"strategy.name": "zero", "zero.stage": 2, "world_size": 2}),
             ("ZeRO-3", {"strategy.name": "zero", "zero.stage": 3, "world_size": 2}),
             ("grid 2 x 2", {"strategy.name": "grid", "grid.data": 2, "grid.pipeline": 2}),
             ("convolutions, data, 2 ranks", {"strategy.name": "data", "world_size": 2, "net.name": "cnn",
                                              "dataset.train_samples": 480})]
    for name, settings in cases[:3] if ARGUMENTS.quick else cases:
        run = Run(on_device(base, **settings)).go()
        difference = run.difference()
        if run.code != 0 or difference is None:
            note("as one process: " + name, run.last_words(), "at most 1e-4", False)
        else:
            note("as one process: " + name, "%.2g" % difference, "at most 1e-4", difference <= 1e-4)


def presets(names=("optimizers", "aggregation", "partitioning", "model-parallel")):
    """Every variant ends, and learns as it does on the CPU. Accuracy does not depend on who else runs: several at once."""
    def both(settings):
        return Run(on_device(settings)).go(), Run({**settings, "device": "cpu"}).go()

    pool = concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 4))
    waiting = []
    for preset in names[:1] if ARGUMENTS.quick else names:
        with open(os.path.join(PRESETS, preset + ".json")) as file:
            spec = json.load(file)
        for variant in spec["variants"]:
            settings = {**spec.get("base", {}), **{key: value for key, value in variant.items() if key not in ("name", "group")}}
            waiting.append(("%s, %s: test accuracy" % (preset, variant["name"]), pool.submit(both, settings)))
    for name, runs in waiting:
        gpu, cpu = runs.result()
        if gpu.code != 0 or gpu.accuracy() is None or cpu.accuracy() is None:
            note(name, (gpu if gpu.code != 0 else cpu).last_words(), "that of the CPU", False)
        else:
            note(name, "%.1f %%" % gpu.accuracy(), "%.1f %% on the CPU" % cpu.accuracy(), gpu.accuracy() >= cpu.accuracy() - 2.0)


def against_python(name, run, other, at_least):
    mine = run.ms_per_step()
    if run.code != 0 or mine is None:
        note(name, run.last_words(), "", False)
    elif other is None:
        note(name, "%.4f ms" % mine, "no torch in this Python", None if ARGUMENTS.device == "cpu" else False)
    else:
        note(name, "%.4f ms, Python %.4f" % (mine, other), "%.2f times as fast >= %.1f" % (other / mine, at_least),
             other / mine >= at_least)


def speed():
    for net in ("mlp", "cnn"):
        eager, other, graphs = [], [], []
        for _ in range(1 if ARGUMENTS.quick else 3):  # by turns, because a machine's clock drifts
            eager.append(Run(speed_settings(net, **{"train.graphs": False})).go())
            graphs.append(Run(speed_settings(net)).go())
            other.append(peer(net, 1))
        known = [value for value in other if value is not None]
        python = statistics.median(known) if known else None
        against_python("%s, one rank, without graphs: ms a step" % net, middle_of(eager), python, 1.0)
        against_python("%s, one rank, with CUDA graphs: ms a step" % net, middle_of(graphs), python, 2.0 if net == "mlp" else 1.0)
        for precision in ("bfloat16", "float16") if ARGUMENTS.device != "cpu" or net == "mlp" else ():
            run = Run(speed_settings(net, **{"train.precision": precision, "train.channels_last": net == "cnn"})).go()
            note("%s, one rank, %s: ms a step" % (net, precision),
                 "%.4f ms" % run.ms_per_step() if run.ms_per_step() else run.last_words(), "", None if run.code == 0 else False)
    twos, others = [], []
    for _ in range(1 if ARGUMENTS.quick else 3):
        twos.append(Run(speed_settings("mlp", **{"strategy.name": "data", "world_size": 2})).go())
        others.append(peer("mlp", 2))
    known = [value for value in others if value is not None]
    two = middle_of(twos)
    against_python("mlp, two ranks on one GPU: ms a step", two, statistics.median(known) if known else None, 5.0)
    told = re.findall(r"all_reduce over ([^\n]*)", two.log)
    note("  carried by", told[0][:60] if told else "?", "", None)
    gloo = Run(speed_settings("mlp", **{"strategy.name": "data", "world_size": 2, "comm.backend": "gloo", "train.epochs": 2})).go()
    note("mlp, two ranks over Gloo: ms a step", "%.4f ms" % gloo.ms_per_step() if gloo.ms_per_step() else gloo.last_words(), "",
         None if gloo.code == 0 else False)


def collectives():
    """An all-reduce of 64 MB as the workbench's sweep times it, on the device's own memory and through Gloo."""
    megabytes = 64 if ARGUMENTS.device != "cpu" else 4
    taken = {}
    for backend in ("shm", "gloo"):
        run = Run(on_device({"strategy.name": "collectives", "world_size": 2, "collective.name": "all_reduce",
                             "comm.backend": backend, "sweep.min_bytes": megabytes << 20, "sweep.max_bytes": megabytes << 20,
                             "sweep.calls": 20, "sweep.buffers": "in_place"})).go()
        name = "all-reduce of %d MB, 2 ranks, %s" % (megabytes, backend)
        if run.code != 0 or not run.measured():
            note(name, run.last_words(), "", False)
            continue
        us, rate, wrong = run.measured()
        taken[backend] = us
        note(name, "%.3f ms, %.1f GB/s" % (us / 1e3, rate), "0 wrong" if wrong == 0 else "%d WRONG" % wrong, wrong == 0)
    if len(taken) == 2:
        ratio = taken["gloo"] / taken["shm"]
        note("  times as fast as Gloo", "%.1f" % ratio, "at least 20", ratio >= 20.0 if ARGUMENTS.device != "cpu" else None)


def memory_used():
    if ARGUMENTS.device == "cpu":
        return 0
    asked = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"], capture_output=True, text=True)
    return int(asked.stdout.split()[0]) if asked.returncode == 0 else 0


def children_of(pid):
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % entry) as file:
                if int(file.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(entry))
        except (OSError, IndexError):
            pass
    return found


def deaths():
    """A rank is killed in the midst of training, under MPS if it is there: the others end and name it, and the GPU's memory is free."""
    NAME_OF_WAY[0], place = next(one_gpu.both_ways())
    EXTRA.update(place)
    ways = [("data", {"strategy.name": "data", "world_size": 3}), ("pipeline", {"strategy.name": "pipeline", "pipeline.stages": 3}),
            ("tensor", {"strategy.name": "tensor", "tensor.size": 2})]
    for trial, (way, settings) in enumerate(ways[:1] if ARGUMENTS.quick else ways):
        before = memory_used()
        # A pipe that nobody reads would fill with the log and hold up everyone.
        run = Run(speed_settings("deep-mlp", **{**settings, "train.epochs": 100000, "train.batch": 60, "log.every": 1000000}))
        process = subprocess.Popen(run.command(), stderr=subprocess.PIPE, text=True, env=environment(), start_new_session=True)
        time.sleep(10 if ARGUMENTS.device != "cpu" else 3)
        ranks = children_of(process.pid)
        name = "a killed rank of %d, %s: seconds until all have ended" % (run.ranks, way)
        if len(ranks) != run.ranks:
            os.killpg(process.pid, signal.SIGKILL)
            note(name, process.stderr.read()[-120:], "at most 3", False)
            continue
        os.kill(ranks[trial % run.ranks], signal.SIGKILL)
        killed = time.perf_counter()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with its ranks, which hold the pipe open that is read below
        took = time.perf_counter() - killed
        note(name, "%.2f s" % took, "at most 3", took <= 3.0)
        named = "has died" in process.stderr.read()
        note("  a survivor names it", "yes" if named else "no", "yes", named)
        for _ in range(20):  # the driver cleans up after a process has gone
            left = memory_used() - before
            if left <= 16:
                break
            time.sleep(0.25)
        note("  memory left on the GPU", "%d MB" % left, "at most the driver's 16 MB",
             left <= 16 if not one_gpu.MPS.pipes else None)  # MPS's server keeps some
        os.unlink(run.file.name)


def aggregation():
    presets(("aggregation",))


def carry_out(parts, seconds):
    """Each part within its limit and all within `seconds`; what finds no time left is said."""
    ends = time.monotonic() + seconds
    for part in parts:
        limit = {**SITTING, **MORE}[part] if not ARGUMENTS.no_limits else 3600
        PART_ENDS[0] = min(time.monotonic() + limit, ends) if not ARGUMENTS.no_limits else None
        started = time.monotonic()
        if started > ends - 3 and not ARGUMENTS.no_limits:
            note(part, "no time left", "", None)
            continue
        try:
            (getattr(one_gpu, part, None) or globals()[part])()
        except subprocess.TimeoutExpired:
            note(part, "stopped at its limit", "", False)
        except Exception as failed:  # the other parts are still measured
            traceback.print_exc()
            note(part, "%s: %s" % (type(failed).__name__, failed), "", False)
        finally:
            one_gpu.end_of_ways()
        print("-- %s: %.0f s" % (part, time.monotonic() - started), flush=True)
    PART_ENDS[0] = None


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rank", required=True)
    p.add_argument("--checks")
    p.add_argument("--device", default="cuda:0")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--only", default=",".join(SITTING))
    p.add_argument("--seconds", type=float, default=410)
    p.add_argument("--no-limits", action="store_true")
    p.add_argument("--logs")
    p.parse_args(namespace=ARGUMENTS)
    if ARGUMENTS.logs:
        os.makedirs(ARGUMENTS.logs, exist_ok=True)
    ARGUMENTS.rank = os.path.abspath(ARGUMENTS.rank)
    if unknown := [part for part in ARGUMENTS.only.split(",") if part not in SITTING and part not in MORE]:
        sys.exit("training_on_gpu.py: --only: %s is not one of %s" % (unknown[0], ", ".join([*SITTING, *MORE])))
    note("MPS", one_gpu.MPS.begin(), "", None)
    carry_out(ARGUMENTS.only.split(","), ARGUMENTS.seconds)
    one_gpu.MPS.stop()
    print("\n%-62s %-24s %-22s" % ("what", "figure", "wanted"))
    for row in ROWS:
        print("%-62s %-24s %-22s %s" % row)
    sys.exit(1 if FAILED else 0)
