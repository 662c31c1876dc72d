#!/usr/bin/env python3
"""Training on a GPU: right, as fast as it has to be, and with nothing left behind. Called by run.sh.

    training_on_gpu.py --rank build/cuda/bin/lockstep-rank [--device cuda:0] [--quick] [--only speed,deaths] [--first FILE]
                       [--logs DIR]

Prints a line a check and a table last; ends with 1 if one has failed. --first: what cuda_collectives has printed, which comes
first in the table. --logs: where each run's settings, log and table are kept. --device cpu tries the script itself where
there is no GPU: then nothing is held against Python, and speeds say nothing.
"""
import argparse, concurrent.futures, json, os, re, signal, statistics, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
PRESETS = os.path.join(HERE, "..", "..", "resources", "presets")
PARTS = ["parity", "collectives", "speed", "deaths", "presets"]
ROWS, FAILED = [], []


def note(name, figure, wanted, is_right):
    ROWS.append((name, figure, wanted, "ok" if is_right is True else "-" if is_right is None else "FAILED"))
    if is_right is False:
        FAILED.append(name)
    print("%-62s %-24s %-22s %s" % ROWS[-1], flush=True)


def ranks_of(settings):
    strategy = settings.get("strategy.name", "single")
    size = {"single": 1, "pipeline": settings.get("pipeline.stages", 2), "tensor": settings.get("tensor.size", 2),
            "grid": settings.get("grid.data", 2) * settings.get("grid.pipeline", 2) * settings.get("grid.tensor", 1)}
    return size.get(strategy, settings.get("world_size", 2))


class Run:
    """One run of lockstep-rank by itself; what its log says."""

    kept, kept_lock = 0, threading.Lock()

    def __init__(self, settings, name="run", limit=150):
        self.settings = dict(settings)
        self.ranks = ranks_of(self.settings)
        self.file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
        json.dump({"version": 1, "experiment": "optimizers", "name": name, "repeat": 0, "base": self.settings}, self.file)
        self.file.close()
        self.limit = limit

    def command(self):
        return [ARGUMENTS.rank, "--spec", self.file.name, "--local", str(self.ranks)]

    def go(self):
        try:
            done = subprocess.run(self.command(), capture_output=True, text=True, timeout=self.limit)
            self.table, self.log, self.code = done.stdout, done.stderr, done.returncode
        except subprocess.TimeoutExpired as ended:
            self.table, self.log, self.code = "", (ended.stderr or b"").decode(errors="replace"), -1
        self.keep()
        os.unlink(self.file.name)
        return self

    def keep(self):
        if not ARGUMENTS.logs:
            return
        with Run.kept_lock:
            Run.kept += 1
            path = os.path.join(ARGUMENTS.logs, "%03d.log" % Run.kept)
        with open(path, "w") as file:
            file.write("%s\nended with %d\n%s%s" % (json.dumps(self.settings), self.code, self.log, self.table))

    def accuracy(self):
        found = re.findall(r"test accuracy ([0-9.]+) %", self.log)
        return float(found[-1]) if found else None

    def ms_per_step(self):
        rates = [float(rate.replace(",", "")) for rate in re.findall(r"([0-9,]+) samples/s", self.log)]
        # The first line has the start in it, and the recording of graphs. Each rank of data parallelism tells of its own part.
        own = self.settings["train.batch"] / (self.ranks if self.settings.get("strategy.name") == "data" else 1)
        return own / statistics.median(rates[1:]) * 1e3 if len(rates) > 1 else None

    def difference(self):
        found = re.search(r"verified: .* to within ([0-9.e+-]+) over", self.log)
        return float(found.group(1)) if found else None

    def measured(self):
        """Of a sweep's last size: microseconds in the middle, GB/s, and how many elements were wrong."""
        rows = [line.split() for line in self.table.splitlines()[1:]]
        return (float(rows[-1][4]), float(rows[-1][6]), int(rows[-1][7])) if rows else None

    def last_words(self):
        lines = [line for line in self.log.splitlines() if line.strip()]
        return lines[-1][:160] if lines else "no output"


def on_device(settings, **more):
    return {**settings, "device": ARGUMENTS.device, **more}


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


def presets():
    """Every variant ends, and learns as it does on the CPU. Accuracy does not depend on who else runs: several at once."""
    def both(settings):
        return Run(on_device(settings)).go(), Run({**settings, "device": "cpu"}).go()

    pool = concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 4))
    waiting = []
    for preset in ["optimizers"] if ARGUMENTS.quick else ["optimizers", "aggregation", "partitioning", "model-parallel"]:
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


def speed_settings(net, **more):
    return on_device({"dataset.name": "digits", "dataset.train_samples": 8192, "dataset.test_samples": 256, "net.name": net,
                      "net.hidden": 128, "train.batch": 64, "train.epochs": 4 if ARGUMENTS.quick else 16,
                      "train.evaluate_every": 1000, "optimizer.name": "sgd", "optimizer.lr": 0.01, "log.every": 64}, **more)


def peer(model, ranks):
    if ARGUMENTS.device == "cpu":
        return None
    done = subprocess.run([sys.executable, os.path.join(HERE, "torch_peer.py"), "--model", model, "--ranks", str(ranks)],
                          capture_output=True, text=True, timeout=200)
    return json.loads(done.stdout)["ms_per_step"] if done.returncode == 0 else None


def against_python(name, run, other, at_least):
    mine = run.ms_per_step()
    if run.code != 0 or mine is None:
        note(name, run.last_words(), "", False)
    elif other is None:
        note(name, "%.4f ms" % mine, "no torch in this Python", None if ARGUMENTS.device == "cpu" else False)
    else:
        note(name, "%.4f ms, Python %.4f" % (mine, other), "%.2f times as fast >= %.1f" % (other / mine, at_least),
             other / mine >= at_least)


def middle_of(runs):
    return sorted(runs, key=lambda run: run.ms_per_step() or 1e9)[len(runs) // 2]


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
    """A rank is killed in the midst of training: the others end and name it, and the GPU's memory is free again."""
    ways = [("data", {"strategy.name": "data", "world_size": 3}), ("pipeline", {"strategy.name": "pipeline", "pipeline.stages": 3}),
            ("tensor", {"strategy.name": "tensor", "tensor.size": 2})]
    for trial, (way, settings) in enumerate(ways[:1] if ARGUMENTS.quick else ways):
        before = memory_used()
        # A pipe that nobody reads would fill with the log and hold up everyone.
        run = Run(speed_settings("deep-mlp", **{**settings, "train.epochs": 100000, "train.batch": 60, "log.every": 1000000}))
        process = subprocess.Popen(run.command(), stderr=subprocess.PIPE, text=True)
        time.sleep(10 if ARGUMENTS.device != "cpu" else 3)
        ranks = children_of(process.pid)
        name = "a killed rank of %d, %s: seconds until all have ended" % (run.ranks, way)
        if len(ranks) != run.ranks:
            process.kill()
            note(name, process.stderr.read()[-120:], "at most 3", False)
            continue
        os.kill(ranks[trial % run.ranks], signal.SIGKILL)
        killed = time.perf_counter()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
        took = time.perf_counter() - killed
        note(name, "%.2f s" % took, "at most 3", took <= 3.0)
        named = "has died" in process.stderr.read()
        note("  a survivor names it", "yes" if named else "no", "yes", named)
        for _ in range(20):  # the driver cleans up after a process has gone
            left = memory_used() - before
            if left <= 16:
                break
            time.sleep(0.25)
        note("  memory left on the GPU", "%d MB" % left, "at most the driver's 16 MB", left <= 16)
        os.unlink(run.file.name)


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--rank", required=True)
    p.add_argument("--device", default="cuda:0")
    p.add_argument("--quick", action="store_true")
    p.add_argument("--only", default=",".join(PARTS))
    p.add_argument("--first")
    p.add_argument("--logs")
    ARGUMENTS = p.parse_args()
    if ARGUMENTS.logs:
        os.makedirs(ARGUMENTS.logs, exist_ok=True)
    ARGUMENTS.rank = os.path.abspath(ARGUMENTS.rank)
    if unknown := [part for part in ARGUMENTS.only.split(",") if part not in PARTS]:
        sys.exit("training_on_gpu.py: --only: %s is not one of %s" % (unknown[0], ", ".join(PARTS)))
    if ARGUMENTS.first:
        with open(ARGUMENTS.first) as file:
            for line in file:
                if told := re.match(r"(ok|FAIL) +([^:\n]*)(?:: (.*))?", line):
                    note(told.group(2), told.group(3) or "", "right to the bit", told.group(1) == "ok")
    for part in ARGUMENTS.only.split(","):
        started = time.perf_counter()
        {"parity": parity, "collectives": collectives, "speed": speed, "deaths": deaths, "presets": presets}[part]()
        print("-- %s: %.0f s" % (part, time.perf_counter() - started), flush=True)
    print("\n%-62s %-24s %-22s" % ("what", "figure", "wanted"))
    for row in ROWS:
        print("%-62s %-24s %-22s %s" % row)
    sys.exit(1 if FAILED else 0)
