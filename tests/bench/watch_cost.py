"""What watching costs a script: us a step, us a collective called from Python and one of DDP's, and DDP steps in turns.

    python3 tests/bench/watch_cost.py [PYTHON] [ROUNDS]

One process alone in its group makes each call, and its training thread's CPU time counts, so that the figures are of
calls, not of a network or of other programs; then an MLP under DDP
on two ranks, with and without the watcher in turns. Limits: 20, 3 and 40 us, and 3 %. Exit code 1 above one of them.
"""

import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile

MODULE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "python", "lockstep.py")
SCRIPT = r'''
import json, os, sys, time
import torch
import torch.distributed as dist
torch.set_num_threads(1)
dist.init_process_group("gloo")

def per_call(call, count):
    best = float("inf")
    for _ in range(5):
        start = time.thread_time()
        for _ in range(count):
            call()
        best = min(best, (time.thread_time() - start) / count * 1e6)
    return best

def step():
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()

if sys.argv[1] == "calls":
    weight = torch.nn.Linear(1, 1)
    model, x, optimizer = weight, torch.ones(1, 1), torch.optim.SGD(weight.parameters(), lr=0.0)
    found = {"step": per_call(step, 2000)}
    tensor = torch.ones(4)
    found["Python"] = per_call(lambda: dist.all_reduce(tensor), 2000)
    bare = per_call(lambda: weight(x).sum().backward(), 2000)
    model = torch.nn.parallel.DistributedDataParallel(weight)
    found["C++"] = per_call(lambda: model(x).sum().backward(), 1000) - bare
else:
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(
        torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)))
    optimizer, x = torch.optim.SGD(model.parameters(), lr=0.0), torch.randn(128, 784)
    for _ in range(10):
        step()
    times = []
    for _ in range(100):
        start = time.perf_counter()
        step()
        times.append((time.perf_counter() - start) * 1e6)
    found = {"ddp": sorted(times)[50]}
if dist.get_rank() == 0:
    print(json.dumps(found))
'''


def measure(python, script, what, ranks, is_watched, folder):
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        port = each.getsockname()[1]
    children = []
    for rank in range(ranks):
        environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1",
                       "MASTER_PORT": str(port), "LOCKSTEP_RECORD": os.path.join(folder, "record"),
                       "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
        command = [python] + ([MODULE] if is_watched else []) + [script, what]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    texts = [each.communicate()[0] for each in children]
    if any(each.returncode for each in children):
        sys.exit("the script failed")
    return json.loads(texts[0])


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/python3"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    differences = {"step": [], "Python": [], "C++": [], "ddp": []}
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        for number in range(rounds):
            for what, ranks in (("calls", 1), ("ddp", 2)):
                found = {}
                for is_watched in (False, True) if number % 2 == 0 else (True, False):
                    found[is_watched] = measure(python, script, what, ranks, is_watched, folder)
                for name, before in found[False].items():
                    after = found[True][name]
                    differences[name].append(100 * (after / before - 1) if name == "ddp" else after - before)
    limits = {"step": (20, "us a step"), "Python": (3, "us a collective called from Python"),
              "C++": (40, "us a collective of DDP's"), "ddp": (3, "% of a DDP step on two ranks")}
    is_good = True
    for name, (limit, unit) in limits.items():
        middle = statistics.median(differences[name])
        is_good = is_good and middle <= limit
        print(f"{middle:.1f} {unit} (limit {limit}; from {min(differences[name]):.1f} to {max(differences[name]):.1f})")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
