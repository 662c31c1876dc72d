"""Runs of lockstep-rank by themselves, and the table of what they show: for training_on_gpu.py and one_gpu.py."""
import argparse, json, os, re, signal, statistics, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, FAILED = [], []
ARGUMENTS = argparse.Namespace()
NAME_OF_WAY = [""]  # stands before the names of figures that are taken with and without MPS
EXTRA = {}  # of the environment of what is started
PART_ENDS = [None]


def environment():
    return {**os.environ, **EXTRA}


def time_for(seconds):
    """At most the rest of the part's time; a second at least, so that a limit is what stops it."""
    left = seconds if PART_ENDS[0] is None else PART_ENDS[0] - time.monotonic()
    return max(1.0, min(seconds, left))


def note(name, figure, wanted, is_right):
    name = NAME_OF_WAY[0] + name
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

    def __init__(self, settings, name="run", limit=150, record=None):
        self.settings = dict(settings)
        self.ranks = ranks_of(self.settings)
        self.file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
        json.dump({"version": 1, "experiment": "optimizers", "name": name, "repeat": 0, "base": self.settings}, self.file)
        self.file.close()
        self.limit, self.record = limit, record

    def command(self):
        return [ARGUMENTS.rank, "--spec", self.file.name, "--local", str(self.ranks)] + (
            ["--record", self.record] if self.record else [])

    def go(self):
        # A new process group, so that stopping the launcher at a limit stops its ranks too.
        process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
                                   start_new_session=True)
        try:
            self.table, self.log = process.communicate(timeout=time_for(self.limit))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            self.table, self.log = process.communicate()
            self.log += "\nstopped at its limit"
        except BaseException:  # the script is being ended
            os.killpg(process.pid, signal.SIGKILL)
            raise
        self.code = process.returncode
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


def speed_settings(net, **more):
    return on_device({"dataset.name": "digits", "dataset.train_samples": 8192, "dataset.test_samples": 256, "net.name": net,
                      "net.hidden": 128, "train.batch": 64, "train.epochs": 4 if ARGUMENTS.quick else 16,
                      "train.evaluate_every": 1000, "optimizer.name": "sgd", "optimizer.lr": 0.01, "log.every": 64}, **more)


def peer(model, ranks, limit=200):
    """ms a step of PyTorch; None without a GPU, or if it fails or takes longer."""
    if ARGUMENTS.device == "cpu":
        return None
    try:
        done = subprocess.run([sys.executable, os.path.join(HERE, "torch_peer.py"), "--model", model, "--ranks", str(ranks)],
                              capture_output=True, text=True, timeout=time_for(limit), env=environment())
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)["ms_per_step"] if done.returncode == 0 else None


def middle_of(runs):
    return sorted(runs, key=lambda run: run.ms_per_step() or 1e9)[len(runs) // 2]
