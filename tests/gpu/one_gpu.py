"""Several ranks on one GPU, with and without MPS; and what recordings show. Parts of training_on_gpu.py."""
import atexit, csv, os, re, shutil, signal, statistics, subprocess, sys, tempfile, time

from gpu_runs import ARGUMENTS, EXTRA, NAME_OF_WAY, Run, environment, middle_of, note, on_device, peer, speed_settings, time_for

CONTROL = "nvidia-cuda-mps-control"
NO_MPS = "/dev/null/no-mps"  # CUDA runs without MPS where it cannot connect


class Mps:
    """The MPS that is there, or one of this script's own, which is stopped however the script ends."""

    def __init__(self):
        self.pipes, self.why_not, self.folder = None, None, None

    def ask(self, commands, pipes, limit=3):
        return subprocess.run([CONTROL], input=commands, capture_output=True, text=True, timeout=limit,
                              env={**os.environ, "CUDA_MPS_PIPE_DIRECTORY": pipes})

    def answers(self, pipes):
        try:
            return os.path.exists(os.path.join(pipes, "control")) and self.ask("get_server_list\n", pipes).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False

    def begin(self):
        """Within ten seconds: `there`, `started`, or why there is none."""
        for pipes in filter(None, [os.environ.get("CUDA_MPS_PIPE_DIRECTORY"), "/tmp/nvidia-mps"]):
            if self.answers(pipes):
                self.pipes = pipes
                return "there, in " + pipes
        if not shutil.which(CONTROL):
            return "no " + CONTROL
        self.folder = tempfile.mkdtemp(prefix="lockstep-mps-", dir="/tmp")  # a socket's path has 107 bytes
        atexit.register(self.stop)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(1))
        begun, place = time.monotonic(), dict(os.environ, CUDA_MPS_PIPE_DIRECTORY=self.folder, CUDA_MPS_LOG_DIRECTORY=self.folder)
        place.pop("CUDA_VISIBLE_DEVICES", None)
        try:
            said = os.path.join(self.folder, "start.log")  # a pipe would stay open for as long as the daemon lives
            with open(said, "w") as file:
                started = subprocess.run([CONTROL, "-d"], env=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file,
                                         timeout=5)
            if started.returncode == 0:
                self.ask("start_server -uid %d\n" % os.getuid(), self.folder)
                while time.monotonic() - begun < 9:
                    if re.search(r"\d", self.ask("get_server_list\n", self.folder).stdout):
                        self.pipes = self.folder
                        return "started in %.1f s" % (time.monotonic() - begun)
                    time.sleep(0.1)
                reason = "no server within 9 s"
            else:
                with open(said) as file:
                    reason = (file.read().strip().splitlines() or ["ended with %d" % started.returncode])[-1]
        except (OSError, subprocess.TimeoutExpired) as failed:
            reason = type(failed).__name__
        self.stop()
        return "does not start: " + reason

    def stop(self):
        if not self.folder:
            return
        try:
            self.ask("quit\n", self.folder, 5)
        except (OSError, subprocess.TimeoutExpired):
            pass
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:  # it has just ended
                pass
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder = None

    def processes(self):
        """Those of this user that serve the folder."""
        found, place = [], b"CUDA_MPS_PIPE_DIRECTORY=" + os.fsencode(self.folder)
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/comm" % pid) as name, open("/proc/%s/environ" % pid, "rb") as variables:
                    if name.read().strip() == "nvidia-cuda-mps" and place in variables.read().split(b"\0"):
                        found.append(int(pid))
            except OSError:
                pass
        return found


MPS = Mps()


def both_ways():
    """(name, environment) of each way; with MPS first."""
    if MPS.pipes:
        yield "MPS: ", {"CUDA_MPS_PIPE_DIRECTORY": MPS.pipes}
    yield "without MPS: " if MPS.pipes else "", {"CUDA_MPS_PIPE_DIRECTORY": NO_MPS}


def end_of_ways():
    NAME_OF_WAY[0] = ""
    EXTRA.pop("CUDA_MPS_PIPE_DIRECTORY", None)


def wanted(is_right):
    """What is wanted of a GPU under MPS fails a run there only."""
    return is_right if ARGUMENTS.device != "cpu" and MPS.pipes and NAME_OF_WAY[0] == "MPS: " else None


def copy_rate():
    """Bytes a second of a copy of 64 MB on the GPU, by CUDA's events; None without a CUDA torch in this Python."""
    code = """
import torch
a = torch.empty(16 << 20, device="%s"); b = torch.empty_like(a)
for _ in range(20): b.copy_(a)
begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
begin.record()
for _ in range(100): b.copy_(a)
end.record(); end.synchronize()
print(100 * a.nbytes / begin.elapsed_time(end) * 1e3)
""" % ARGUMENTS.device
    if ARGUMENTS.device == "cpu":
        return None
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=time_for(60), env=environment())
    except subprocess.TimeoutExpired:
        return None
    return float(done.stdout) if done.returncode == 0 else None


def all_reduce(size, name="shm"):
    """Microseconds in the middle; None if it failed."""
    run = Run(on_device({"strategy.name": "collectives", "world_size": 2, "collective.name": "all_reduce", "comm.backend": name,
                         "sweep.min_bytes": size, "sweep.max_bytes": size, "sweep.calls": 50, "sweep.buffers": "in_place"})).go()
    if run.code != 0 or not run.measured() or run.measured()[2] != 0:
        note("all-reduce of %d B, 2 ranks" % size, run.last_words(), "0 wrong", False)
        return None
    return run.measured()[0]


def figure_of(name, run):
    """ms a step, or a failed row."""
    value = run.ms_per_step()
    if run.code != 0 or value is None:
        note(name, run.last_words(), "", False)
        return None
    return value


def sharing():
    """What the ranks of one GPU pay for sharing it: messages, pipeline, ZeRO-3, data parallelism."""
    size = 64 << 20 if ARGUMENTS.device != "cpu" else 4 << 20
    copied = copy_rate()
    python = peer("mlp", 2, 60)  # the rest of the part is for what must be measured
    deep = dict(speed_settings("deep-mlp"), **{"train.epochs": 4})
    micro = figure_of("deep-mlp, one rank, a micro-batch of 16", Run({**deep, "train.batch": 16}).go())
    for NAME_OF_WAY[0], place in both_ways():
        EXTRA.update(place)
        if (us := all_reduce(size)) is not None:
            rate = size / us * 1e6
            share = rate / copied if copied else None
            note("all-reduce of %d MB, 2 ranks" % (size >> 20),
                 "%.3f ms" % (us / 1e3) + (", %.1f %% of a copy" % (100 * share) if share else ""), "40 % of a copy's rate",
                 wanted(share >= 0.4) if share else None)
        latency = all_reduce(4)
        if latency is not None:
            note("all-reduce of 4 B, 2 ranks", "%.1f us" % latency, "at most 15 us", wanted(latency <= 15))
        stages, parts = 2, 4
        two = figure_of("pipeline, 2 stages, 4 micro-batches", Run({**deep, "strategy.name": "pipeline", "pipeline.stages": stages,
                                                                     "pipeline.microbatches": parts}).go())
        if two and micro:
            bound = (parts + stages - 1) * micro / stages
            note("pipeline, 2 stages, 4 micro-batches: ms a step", "%.3f, bound %.3f" % (two, bound), "at most 1.3 x bound",
                 wanted(two <= 1.3 * bound))
        zero = figure_of("ZeRO-3, 2 ranks", Run({**deep, "strategy.name": "zero", "zero.stage": 3, "world_size": 2}).go())
        if zero and latency is not None:
            gathers = 3 * 8  # parameters before forward and before backward, gradients after it, of deep-mlp's 8 layers
            note("ZeRO-3, 2 ranks: ms a step", "%.3f, %d x latency %.3f" % (zero, gathers, gathers * latency / 1e3), "", None)
        data = middle_of([Run(speed_settings("mlp", **{"strategy.name": "data", "world_size": 2, "train.epochs": 8})).go()
                          for _ in range(1 if ARGUMENTS.quick else 3)])
        if own := figure_of("mlp, 2 ranks", data):
            note("mlp, 2 ranks: ms a step", "%.4f" % own + (", DDP %.4f" % python if python else ""), "15 x DDP",
                 wanted(python / own >= 15) if python else None)


def overlap():
    """Gradients in buckets, on a stream beside backward, against one bucket, which starts when backward has ended: in pairs."""
    NAME_OF_WAY[0], place = next(both_ways())
    EXTRA.update(place)
    is_small = ARGUMENTS.quick or ARGUMENTS.device == "cpu"
    wide = speed_settings("deep-mlp", **{"net.hidden": 128 if is_small else 1024, "train.epochs": 2, "strategy.name": "data",
                                         "world_size": 2, "comm.form": "buckets", "log.every": 16,
                                         "dataset.train_samples": 2048 if is_small else 8192})
    name, pairs = "deep-mlp, 2 ranks, gradients in buckets", []
    for _ in range(1 if is_small else 2):
        # kB of the first bucket and of the others; 1 GB holds every gradient.
        pair = [figure_of(name, Run({**wide, "comm.first_bucket_kb": first, "comm.bucket_kb": others}).go())
                for first, others in ((4, 64 if is_small else 4000), (1_000_000, 1_000_000))]
        if None not in pair:
            pairs.append(pair)
    if pairs:
        many, one = (statistics.median(each) for each in zip(*pairs))
        ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
        note(name + ": ms a step", "%.3f, in one %.3f: %.2f x" % (many, one, ratio), "", None)


def one_rank():
    """One rank is not slower than in the first sitting (RESULTS.md), which was on an H200."""
    is_same = "H200" in subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout if shutil.which("nvidia-smi") else False
    for net, before in (("mlp", 0.080), ("cnn", 0.387)):
        now = figure_of("%s, one rank" % net, middle_of([Run(speed_settings(net, **{"train.epochs": 8})).go() for _ in range(3)]))
        if now:
            note("%s, one rank, with CUDA graphs: ms a step" % net, "%.4f" % now, "at most 1.1 x %.3f" % before,
                 now <= 1.1 * before if is_same else None)


def gpu_count():
    if not shutil.which("nvidia-smi"):
        return 0
    return len(subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.splitlines())


def nccl():
    """A rank on each GPU, where there are several."""
    gpus = gpu_count()
    if gpus < 2:
        note("NCCL between GPUs", "%d GPU" % gpus, "several GPUs", None)
        return
    size = 64 << 20
    for name in ("nccl", "shm"):
        run = Run({"device": "auto", "strategy.name": "collectives", "world_size": min(gpus, 8), "collective.name": "all_reduce",
                   "comm.backend": name, "sweep.min_bytes": size, "sweep.max_bytes": size, "sweep.calls": 50,
                   "sweep.buffers": "in_place"}).go()
        figure = run.measured()
        note("all-reduce of 64 MB on %d GPUs, %s" % (min(gpus, 8), name),
             "%.3f ms, %.1f GB/s" % (figure[0] / 1e3, figure[1]) if figure else run.last_words(), "0 wrong",
             run.code == 0 and figure is not None and figure[2] == 0)


class Watch:
    """nvidia-smi's figures beside a run, ten times a second, in a file; the mean use of the GPU."""

    def __init__(self, path):
        self.path, self.process = path, None

    def __enter__(self):
        if shutil.which("nvidia-smi") and ARGUMENTS.device != "cpu":
            self.process = subprocess.Popen(
                ["nvidia-smi", "--query-gpu=timestamp,utilization.gpu,memory.used,power.draw,clocks.sm", "--format=csv,nounits",
                 "-lms", "100"], stdout=open(self.path, "w"), stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.terminate()
            self.process.wait(5)

    def mean_use(self):
        if not self.process:
            return None
        with open(self.path) as file:
            uses = [float(row[1]) for row in list(csv.reader(file))[1:] if len(row) > 1 and row[1].strip().isdigit()]
        return statistics.mean(uses) if uses else None


def kernel_gaps(trace):
    """Of a trace of nsys, which reads CUPTI: share of the time between the first and the last kernel without any."""
    with open(trace) as file:
        rows = [(int(row["Start (ns)"]), int(row["Duration (ns)"])) for row in csv.DictReader(file)]
    rows.sort()
    busy, end = 0, rows[0][0]
    for start, length in rows:
        busy += max(0, start + length - max(start, end))
        end = max(end, start + length)
    return 1.0 - busy / (end - rows[0][0])


def between_kernels(settings):
    if not shutil.which("nsys"):
        return None
    folder = tempfile.mkdtemp(prefix="lockstep-nsys-")
    try:
        run = Run({**settings, "train.epochs": 1})
        report = os.path.join(folder, "run")
        subprocess.run(["nsys", "profile", "--trace=cuda", "-o", report] + run.command(), capture_output=True, timeout=time_for(40))
        subprocess.run(["nsys", "stats", "--report", "cuda_gpu_trace", "--format", "csv", "-o", report, report + ".nsys-rep"],
                       capture_output=True, timeout=time_for(40))
        return kernel_gaps(report + "_cuda_gpu_trace.csv")
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, IndexError, ZeroDivisionError):
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def recordings():
    """Recordings for `lockstep import`, whose Memory has cuBLAS's workspace, with the machine's figures beside them."""
    folder = ARGUMENTS.logs or tempfile.mkdtemp(prefix="lockstep-recordings-")
    ways = {"single": {}, "data": {"strategy.name": "data", "world_size": 2},
            "pipeline": {"strategy.name": "pipeline", "pipeline.stages": 2},
            "zero-3": {"strategy.name": "zero", "zero.stage": 3, "world_size": 2}}
    for name, settings in ways.items():
        file = os.path.join(folder, name + ".frames")
        with Watch(os.path.join(folder, name + "-machine.csv")) as watch:
            run = Run(speed_settings("deep-mlp", **settings), record=file).go()
        files = [file] if run.ranks == 1 else ["%s.rank%d" % (file, rank) for rank in range(run.ranks)]
        is_there = run.code == 0 and all(os.path.exists(each) and os.path.getsize(each) > 0 for each in files)
        note("recording of %s" % name, "%d file(s) %s" % (len(files), files[0]) if is_there else run.last_words(), "", is_there)
        use = watch.mean_use()
        gaps = between_kernels(speed_settings("deep-mlp", **settings)) if name == "single" else None
        note("  GPU in use" if gaps is None else "  GPU in use; without a kernel", "?" if use is None else "%.0f %%" % use
             + ("" if gaps is None else "; %.0f %% of the time" % (100 * gaps)), "", None)


def bits():
    """Collectives right to the bit."""
    command = [ARGUMENTS.checks, "--quick"] if ARGUMENTS.checks else None
    if not command or not os.access(ARGUMENTS.checks, os.X_OK):
        note("collectives right to the bit", "no cuda_collectives", "", None)
        return
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=time_for(240), env=environment())
        text, code = done.stdout, done.returncode
    except subprocess.TimeoutExpired as ended:
        text, code = (ended.stdout or b"").decode(errors="replace"), -1
    for line in text.splitlines():
        if told := re.match(r"(ok|FAIL) +([^:\n]*)(?:: (.*))?", line):
            note(told.group(2), told.group(3) or "", "right to the bit", told.group(1) == "ok")
    note("collectives right to the bit", "ended with %d" % code, "0", code == 0 if code != 77 else None)
