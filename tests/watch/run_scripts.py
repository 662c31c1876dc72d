"""Runs each script of scripts/, styles/ and libraries/ as it is and watched, and compares: the recorded steps and losses
with the lines that it prints ("[RANK r] STEP n LOSS x", or each style's own), and the weights that it saves, bit for bit.

    python3 tests/watch/run_scripts.py [--long] [--python PYTHON]... [--only NAME]... [--ranks N]...

Without --long (or LOCKSTEP_LONG): nine scripts, on two ranks, with Debian's torch; with it all, on two and three, also
with the torch of the build for GPUs. Prints a line for each script, torch and number of ranks. Exit code 1 if one
differs, 77 if there is no torch.
"""

import argparse
import concurrent.futures
import functools
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

import recording

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MODULE = os.path.join(ROOT, "resources", "python", "lockstep.py")
LINE = r"^(?:RANK (?P<rank>\d+) )?STEP (?P<step>\d+) LOSS (?P<loss>\S+)$"
LIMIT_S = 300
# How each script is started: by itself, once a rank, or by a launcher; the oldest torch that has what it uses.
SCRIPTS = {
    "single": ("alone", (1,)), "accumulate": ("alone", (1,)), "autocast": ("alone", (1,)), "lbfgs": ("alone", (1,)),
    "grad_scaler": ("alone", (2, 3)), "two_optimizers": ("alone", (1,)), "own_optimizer": ("alone", (1,)),
    "by_hand": ("alone", (1,)), "by_data": ("alone", (1,)), "functional": ("alone", (1,)),
    "compiled": ("alone", (2, 3)), "without_torch": ("alone", (1,)),
    "ddp_environment": ("ranks", (1,)), "no_sync": ("ranks", (1,)), "all_reduce_by_hand": ("ranks", (1,)),
    "ring": ("ranks", (1,)), "ring_batched": ("ranks", (1,)), "zero": ("ranks", (1,)), "fsdp2": ("ranks", (2, 6)),
    "pipelining": ("ranks", (2, 6)), "tensor_parallel": ("ranks", (2, 6)),
    "ddp_spawn": ("spawn", (1,)), "fork_ranks": ("spawn", (1,)), "rpc_halves": ("spawn", (1,)),
    "torchrun_ddp": ("torchrun", (2,))}
# Scripts of styles/ print as their authors do; a step and its loss, and the rank where it is told.
STYLES = {
    "trainer_class": ("alone", (1,), r"step (?P<step>\d+) train loss (?P<loss>\S+)"),
    "make_train_step": ("alone", (1,), r"^(?P<step>\d+): (?P<loss>\S+)$"),
    "torch_func": ("alone", (2, 0), r"^(?P<step>\d+)\t(?P<loss>\S+)$"),
    "gan": ("alone", (1,), r"Iter: (?P<step>\d+)\tLoss_D: (?P<loss>\S+)"),
    "checkpoint_ema": ("alone", (1, 11), r"^iter: (?P<step>\d+)  loss: (?P<loss>\S+)"),
    "ddp_join": ("spawn", (1, 11), r"^rank=(?P<rank>\d+) batch=(?P<step>\d+) loss=(?P<loss>\S+)$"),
    "subcommands": ("alone", (1,), r"^batch (?P<step>\d+): (?P<loss>\S+)$"),
    "tqdm_bar": ("alone", (1,), r"step (?P<step>\d+) \| loss (?P<loss>\S+)"),
    "reinforce": ("alone", (1,), r"^Episode (?P<step>\d+)\t.*Loss: (?P<loss>\S+)$"),
    "tutorial_spawned": ("spawn", (1,), r"^Rank (?P<rank>\d+), batch (?P<step>\d+), loss (?P<loss>\S+)$"),
    "hooks_engine": ("alone", (1,), r"^Iteration\[(?P<step>\d+)\] Loss: (?P<loss>\S+)$"),
    "fgsm": ("alone", (1,), r"^ *(?P<step>\d+) clean .* adversarial (?P<loss>\S+)$"),
    "step_in_backward": ("alone", (2, 1), r"^\[(?P<step>\d+)\] (?P<loss>\S+)$")}
# Scripts of libraries/ write a curve, too; each needs its library.
LIBRARIES = {"lightning_fit": ("spawn", (2,)), "accelerated": ("ranks", (2,)), "tensorboard_writer": ("alone", (1,))}
# Has no backward pass and no optimizer: it is said that no step was seen.
UNSEEN = ("torch_func",)
NEEDS = {"tqdm_bar": ("tqdm",), "lightning_fit": ("lightning",), "accelerated": ("accelerate",),
         "tensorboard_writer": ("tensorboard",)}
CURVES = {"lightning_fit": "train_loss", "accelerated": "train/loss", "tensorboard_writer": "weights/norm"}
FOLDERS = {"scripts": SCRIPTS, "styles": STYLES, "libraries": LIBRARIES}
ALL = {name: (folder, *each) for folder, table in FOLDERS.items() for name, each in table.items()}
QUICK = ("gan", "fgsm", "trainer_class", "single", "by_hand", "lbfgs", "ddp_environment", "ring", "ddp_spawn")


def free_port():
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return each.getsockname()[1]


def environment_of(ranks, port, save):
    ours = ("RANK", "WORLD_SIZE", "PYTHONPATH", "PYTHONUNBUFFERED")  # unbuffered lines of two ranks would mix
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP_") and name not in ours}
    return {**kept, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MASTER_ADDR": "127.0.0.1", "RANKS": str(ranks),
            "MASTER_PORT": str(port), "SAVE": save, "PYTHONWARNINGS": "ignore", "GLOO_SOCKET_IFNAME": "lo",
            "TP_SOCKET_IFNAME": "lo"}


def start(python, name, ranks, save, record):
    """Runs a script to its end; returns what its processes printed."""
    folder, how = ALL[name][:2]
    script = os.path.join(HERE, folder, name + ".py")
    environment = environment_of(ranks, free_port(), save)
    watched = [python, MODULE] if record else [python]
    if record:
        environment["LOCKSTEP_RECORD"] = record
    commands = [(watched + [script], environment)]
    if how == "torchrun":
        commands = [(watched + ["-m", "torch.distributed.run", f"--nproc_per_node={ranks}",
                                f"--master_port={environment['MASTER_PORT']}", script], environment)]
    elif how == "ranks":
        commands = [(watched + [script], {**environment, "RANK": str(rank), "LOCAL_RANK": str(rank),
                                          "WORLD_SIZE": str(ranks)}) for rank in range(ranks)]
    children = [subprocess.Popen(command, env=each, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                 start_new_session=True) for command, each in commands]
    try:
        with concurrent.futures.ThreadPoolExecutor(len(children)) as pool:
            texts = list(pool.map(lambda each: each.communicate(timeout=LIMIT_S), children))
    finally:
        for each in children:
            if each.poll() is None:
                os.killpg(each.pid, signal.SIGKILL)  # what it has started too
    failed = [f"exit code {each.returncode}: {' | '.join(errors.strip().splitlines()[-3:])}"
              for each, (_, errors) in zip(children, texts) if each.returncode != 0]
    if failed:
        raise RuntimeError(("watched: " if record else "not watched: ") + "; ".join(failed))
    if record and name in UNSEEN and "no training step of PyTorch was seen" not in texts[0][1]:
        raise RuntimeError("it was not said that no step was seen")
    for _, errors in texts:
        for line in errors.splitlines():
            if line.startswith("lockstep:") and "nothing was recorded" not in line:
                raise RuntimeError(line)
    return "".join(output for output, _ in texts)


def printed(name, output):
    found = {}
    for each in re.finditer(ALL[name][3] if len(ALL[name]) > 3 else LINE, output, re.MULTILINE):
        told = each.groupdict()
        found.setdefault(int(told.get("rank") or 0), []).append((int(told["step"]), float(told["loss"])))
    return found


def recorded(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith("record"):
            each = recording.read(os.path.join(folder, name))
            found[each["rank"]] = each
    return found


def difference(ranks, wanted, records):
    """What is wrong with the recordings of a script, or nothing; `wanted`: what it printed."""
    if wanted and len(records) != ranks:
        return f"{len(records)} ranks joined, not {ranks}"
    for rank, lines in wanted.items():
        rows = records[rank]["steps"]
        if [row["step"] for row in rows] != [step for step, _ in lines]:
            return f"rank {rank}: steps {[row['step'] for row in rows]}, it printed {[step for step, _ in lines]}"
        for row, (step, loss) in zip(rows, lines):
            if not abs(row["loss"] - loss) <= 1e-6 * max(1.0, abs(loss)):
                return f"rank {rank}, step {step}: loss {row['loss']:.9g}, it printed {loss:.9g}"
            if sum(row["phases"].values()) > 1.02 * row["wall"] + 50_000:
                return f"rank {rank}, step {step}: phases {sum(row['phases'].values())} ns of {row['wall']} ns"
        if records[rank]["outcome"] != 0:
            return f"rank {rank}: outcome {records[rank]['outcome']}: {records[rank]['message']}"
        for text in records[rank]["logs"]:
            return f"rank {rank}: {text}"
    return None


COMPARE = """
import sys, torch
def same(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return torch.equal(a, b)
for one, other in zip(sys.argv[1::2], sys.argv[2::2]):
    if not same(torch.load(one), torch.load(other)):
        sys.exit("weights differ: " + one)
"""


def check(python, name, ranks):
    with tempfile.TemporaryDirectory() as folder:
        plain, watched = os.path.join(folder, "plain"), os.path.join(folder, "watched")
        try:
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                alone = pool.submit(start, python, name, ranks, plain, "")
                output = start(python, name, ranks, watched, os.path.join(folder, "record"))
                alone.result()
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return str(error), {}
        records = recorded(folder)
        saved = [each for each in sorted(os.listdir(folder)) if each.startswith("plain")]
        pairs = [path for each in saved
                 for path in (os.path.join(folder, each), os.path.join(folder, "watched" + each[len("plain"):]))]
        if pairs:
            compared = subprocess.run([python, "-W", "ignore", "-c", COMPARE, *pairs], stderr=subprocess.PIPE,
                                      text=True)
            if compared.returncode != 0:
                return compared.stderr.strip().splitlines()[-1], records
        elif printed(name, output):
            return "it saved no weights", records
        if name in UNSEEN:
            return "it joined" if records else None, records
        wrong = difference(ranks, printed(name, output), records)
        if wrong is None and name in CURVES and not records[0]["metrics"].get(CURVES[name]):
            wrong = f"the curve {CURVES[name]} is missing among {', '.join(sorted(records[0]['metrics']))}"
        return wrong, records


def version_of(python):
    try:
        text = subprocess.run([python, "-W", "ignore", "-c", "import torch; print(torch.__version__)"], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(int(each) for each in re.findall(r"\d+", text)[:2])


@functools.lru_cache(None)
def has_module(python, name):
    text = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({name!r}) is None)"
    return subprocess.run([python, "-c", text]).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true", default="LOCKSTEP_LONG" in os.environ)
    parser.add_argument("--python", action="append")
    parser.add_argument("--only", action="append")
    parser.add_argument("--ranks", type=int, action="append")
    given = parser.parse_args()
    newer = os.path.join(ROOT, "build", "cuda", "venv", "bin", "python3")
    pythons = given.python or ["/usr/bin/python3"] + ([newer] if given.long and os.path.exists(newer) else [])
    known = {python: version_of(python) for python in pythons}
    for python, version in known.items():
        if version is None:
            print(f"skipped: {python} has no torch (Debian's package python3-torch)")
    if not any(known.values()):
        return 77
    missing = set(ALL) ^ {name[:-3] for folder in FOLDERS for name in os.listdir(os.path.join(HERE, folder))
                          if name.endswith(".py")}
    failures = len(missing)
    if missing:
        print(f"without a script, or without a row in the tables: {', '.join(sorted(missing))}")
    for python, version in known.items():
        for name, (_, how, oldest, *_) in ALL.items():
            if version is None or name not in (given.only or (ALL if given.long else QUICK)):
                continue
            absent = [each for each in NEEDS.get(name, ()) if not has_module(python, each)]
            if absent:
                print(f"torch {'.'.join(map(str, version))}  {name}: skipped, needs {', '.join(absent)}")
                continue
            if version < oldest:
                print(f"torch {'.'.join(map(str, version))}  {name}: skipped, needs {'.'.join(map(str, oldest))}")
                continue
            for ranks in [1] if how == "alone" else given.ranks or ([2, 3] if given.long else [2]):
                wrong, _ = check(python, name, ranks)
                failures += wrong is not None
                right = "not seen, as it says" if name in UNSEEN else "the same"
                print(f"torch {'.'.join(map(str, version))}  {name}, {ranks} ranks: {wrong or right}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
