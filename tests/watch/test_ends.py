"""How a watched script ends: its exit code stays what it was, the recording says what happened, and nothing that a
script may ask of torch breaks by being watched. Exit code 77 if there is no torch.

    python3 tests/watch/test_ends.py [PYTHON]
"""

import os
import signal
import subprocess
import sys
import tempfile

import recording
import run_scripts

FINISHED, STOPPED, FAILED = 0, 1, 2
LIMIT_S = 200  # of one script
TRAIN = """
import importlib.util, os, signal, sys
assert importlib.util.find_spec("torch") is not None  # asked for before it is imported, as transformers does
import torch
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def train(steps=3):
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()

train()
"""
CAUGHT = """
try:
    sys.exit(3)
except SystemExit:
    train(1)
"""
FORKED = """
child = os.fork()
if child == 0:
    sys.exit(4)
assert os.waitpid(child, 0)[1] >> 8 == 4
train(1)
"""
KEYWORDS = """
x = torch.ones(3, 2, requires_grad=True)
slope = torch.autograd.grad(outputs=model(x).sum(), inputs=x, create_graph=True)[0]
torch.autograd.backward(tensors=[model(x).sum() + slope.sum()])
optimizer.step()
"""
SCRIPTED = """
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripted.py")
with open(path, "w") as file:
    file.write('''
import torch

@torch.jit.script
def slope(x: torch.Tensor):
    return torch.autograd.grad([(x ** 2).sum()], [x])[0]
''')
from scripted import slope
assert slope(torch.ones(2, requires_grad=True)).tolist() == [2.0, 2.0]
"""
FROZEN = """
from torch.utils.data import DataLoader
norm = torch.nn.BatchNorm1d(2)
norm.eval()
for x in DataLoader(torch.ones(32, 2), batch_size=8):
    optimizer.zero_grad()
    model(norm(x)).sum().backward()
    optimizer.step()
"""
WRITER = """
try:
    from torch.utils.tensorboard import SummaryWriter
except ImportError:
    print("add_scalar: skipped, there is no tensorboard", flush=True)
else:
    with SummaryWriter(os.path.dirname(os.path.abspath(__file__))) as writer:
        writer.add_scalar("rate", 0.5, 1)
    print("add_scalar: called", flush=True)
"""
# What follows the training; its exit code; the outcome that is recorded, or None; the steps; what the message says.
ENDS = {"what scripts do": (FORKED + KEYWORDS + SCRIPTED + FROZEN + WRITER + CAUGHT, 0, FINISHED, 10, ""),
        "exit 3": ("sys.exit(3)", 3, FAILED, 3, "rank 0 ended with exit code 3 after step 3"),
        "exit 3, raised": ("raise SystemExit(3)", 3, FAILED, 3, "rank 0 ended with exit code 3 after step 3"),
        "not a number": ("model.weight.data.fill_(float('nan'))\ntrain(2)", 0, FINISHED, 5, ""),
        "error": ("raise ValueError('no good')", 1, FAILED, 3, "line 15, in <module> | raise ValueError('no good') | "
                  "ValueError: no good"),
        "Ctrl-C": ("signal.raise_signal(signal.SIGINT)", 130, STOPPED, 3, ""),
        "killed": ("os.kill(os.getpid(), signal.SIGKILL)", 137, None, None, "")}


def run(python, folder, text, ranks=1):
    """Runs a script to its end; returns its exit code, its recordings and what it wrote to stderr."""
    script = os.path.join(folder, "script.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(text)
    environment = {**run_scripts.environment_of(ranks, run_scripts.free_port(), ""),
                   "LOCKSTEP_RECORD": os.path.join(folder, "record")}
    child = subprocess.Popen([python, run_scripts.MODULE, script], env=environment, stderr=subprocess.PIPE, text=True,
                             start_new_session=True)
    try:
        errors = child.communicate(timeout=LIMIT_S)[1]
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)  # what it has started too
    return child.returncode, run_scripts.recorded(folder), errors


def check(python, text, code, outcome, steps, message):
    with tempfile.TemporaryDirectory() as folder:
        got, records, errors = run(python, folder, TRAIN + text)
    assert got == code, (got, errors)
    assert not any(line.startswith("lockstep:") for line in errors.splitlines()), errors
    assert len(records) == 1, records
    if outcome is not None:
        told = records[0]
        assert told["outcome"] == outcome and message in told["message"], (told["outcome"], told["message"])
        assert len(told["steps"]) == steps, len(told["steps"])
        warnings = [each for each in told["logs"] if "the loss is nan from step 4 on (script.py, line 11)" in each]
        assert len(warnings) == ("nan" in text), told["logs"]
        # One batch passes before it is known that the rest of the model trains.
        assert FROZEN not in text or told["steps"][-1]["samples"] == 24, told["steps"][-1]
        assert WRITER not in text or told["metrics"] in ({}, {"rate": [0.5]}), told["metrics"]


def check_fault(python):
    """An error in the watcher is one warning; the script continues."""
    with tempfile.TemporaryDirectory() as folder:
        code, records, errors = run(python, folder, TRAIN + """
import lockstep
lockstep._Watcher.end_step = None
train(3)
print("done", file=sys.stderr)
""")
    warnings = [line for line in errors.splitlines() if line.startswith("lockstep:")]
    assert code == 0 and "done" in errors and len(warnings) == 1, (code, errors)
    assert len(records[0]["steps"]) == 3, records[0]["steps"]


def check_failing_rank(python):
    """A rank that the script itself started ends with an exit code; the other in order."""
    text = """
import sys, torch
import torch.distributed as dist
import torch.multiprocessing as mp

def main(rank):
    dist.init_process_group("gloo", rank=rank, world_size=2)
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        dist.all_reduce(model.weight.grad)
        optimizer.step()
    dist.barrier()
    sys.exit(3 * rank)

if __name__ == "__main__":
    context = mp.get_context("spawn")
    children = [context.Process(target=main, args=(rank,)) for rank in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    sys.exit(max(child.exitcode for child in children))
"""
    with tempfile.TemporaryDirectory() as folder:
        code, records, errors = run(python, folder, text, 2)
    assert code == 3 and sorted(records) == [0, 1], (code, errors)
    assert [records[rank]["outcome"] for rank in (0, 1)] == [FINISHED, FAILED], records
    assert "rank 1 ended with exit code 3" in records[1]["message"], records[1]["message"]


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/python3"
    if run_scripts.version_of(python) is None:
        print(f"skipped: {python} has no torch (Debian's package python3-torch)")
        return 77
    for name, case in ENDS.items():
        check(python, *case)
        print(f"{name}: right", flush=True)
    check_fault(python)
    check_failing_rank(python)
    print("a fault of ours, a failing rank: right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
