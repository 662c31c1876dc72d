"""What watching costs a script: us a step, us a collective called from Python and from C++, DDP steps, memory, and how
its communication time compares to torch.profiler's.

    python3 tests/bench/watch_cost.py [PYTHON] [ROUNDS]

A process that is watched and one that is not live side by side and work in turns, some milliseconds each, so that both
meet the same machine; four such pairs, for where the system puts the threads of a process weighs on all its calls. A
call is made by one process alone in its group, and the training thread's CPU time counts: the figures are of calls, not
of a network or of other programs. Then an MLP under DDP on two ranks. On a busy machine the difference of the minima
says more than the median. Limits: 20, 3 and 40 us, 3 %, 5 MB and 10 %. Exit code 1 above one of them.
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
DDP = torch.nn.parallel.DistributedDataParallel
tensor = torch.ones(4)

def trains(model, x):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    def step():
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
    return step

def mlp():
    return torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(),
                               torch.nn.Linear(512, 10))

CALLS = {
    "step": lambda: trains(torch.nn.Linear(1, 1), torch.ones(1, 1)),
    "Python": lambda: lambda: dist.all_reduce(tensor),
    "C++": lambda: lambda: dist._broadcast_coalesced(dist.group.WORLD, [tensor], 1 << 20, 0),
    "reducer": lambda: trains(DDP(torch.nn.Linear(1, 1)), torch.ones(1, 1)),
    "ddp": lambda: trains(DDP(mlp()), torch.randn(128, 784))}

def memory():
    with open("/proc/self/smaps_rollup") as file:
        kilobytes = {each.split()[0]: int(each.split()[1]) for each in list(file)[1:]}
    return {"rss": kilobytes["Rss:"] / 1024, "anonymous": kilobytes["Anonymous:"] / 1024}

def profiled(count):
    """ms of all-reduces: as torch.profiler has them, and as the watcher has."""
    module = sys.modules.get("lockstep")
    watched = lambda: sum(each[2] for each in list(module._watcher.totals.values())) if module else 0
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        before = watched()
        for _ in range(count):
            call()
        after = watched()
    spans = [each.time_range.elapsed_us() for each in profile.events() if each.name.startswith("gloo:")]
    return {"profiler": sum(spans) / 1e3, "watcher": (after - before) / 1e6, "calls": len(spans)}

for line in sys.stdin:
    name, count = line.split()
    count = int(count)
    if name == "memory":
        found = memory()
    elif name == "profile":
        found = profiled(count)
    elif name in CALLS:
        call = CALLS[name]()
        for _ in range(count):
            call()
        found = {}
    else:
        wall, thread, process = time.perf_counter(), time.thread_time(), time.process_time()
        for _ in range(count):
            call()
        spent = time.perf_counter() - wall, time.thread_time() - thread, time.process_time() - process
        found = {name: each / count * 1e6 for name, each in zip(("wall", "thread", "process"), spent)}
    print(json.dumps(found), flush=True)
os._exit(0)
'''


class Side:
    """A script on some ranks, watched or not, that works when it is asked."""

    def __init__(self, python, script, ranks, is_watched, folder):
        with socket.socket() as each:
            each.bind(("127.0.0.1", 0))
            port = each.getsockname()[1]
        command = [python] + ([MODULE] if is_watched else []) + [script]
        self.children = []
        for rank in range(ranks):
            environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1",
                           "MASTER_PORT": str(port), "LOCKSTEP_RECORD": os.path.join(folder, "record"),
                           "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
            self.children.append(subprocess.Popen(command, env=environment, stdin=subprocess.PIPE,
                                                  stdout=subprocess.PIPE, text=True))

    def ask(self, name, count=0):
        """What each rank found."""
        for each in self.children:
            each.stdin.write(f"{name} {count}\n")
            each.stdin.flush()
        lines = [each.stdout.readline() for each in self.children]
        if not all(lines):
            sys.exit("the script failed")
        return [json.loads(line) for line in lines]

    def end(self):
        for each in self.children:
            each.stdin.close()
            each.wait()


def in_turns(sides, rounds, count):
    """Pairs of (not watched, watched), each what all ranks found."""
    pairs = []
    for number in range(rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        found = {which: sides[which].ask("run", count) for which in order}
        pairs.append((found[0], found[1]))
    return pairs


def quartiles(values):
    values = sorted(values)
    return f"half of {len(values)} pairs from {values[len(values) // 4]:.1f} to {values[3 * len(values) // 4]:.1f}"


def main():
    python = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/python3"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    is_good = True

    def tell(value, limit, unit, rest):
        nonlocal is_good
        is_good = is_good and value <= limit
        print(f"{value:.1f} {unit} (limit {limit}; {rest})", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        limits = {"step": (20, "us a step"), "Python": (3, "us a collective called from Python"),
                  "C++": (40, "us a collective called from C++"), "reducer": (60, "us a DDP step with one collective")}
        pairs = {name: [] for name in limits}
        for _ in range(4):
            sides = [Side(python, script, 1, is_watched, folder) for is_watched in (False, True)]
            for name in limits:
                for side in sides:
                    side.ask(name, 200)
                pairs[name] += [(plain[0]["thread"], watched[0]["thread"])
                                for plain, watched in in_turns(sides, max(1, rounds // 4), 100)]
            for side in sides:
                side.end()
        for name, (limit, unit) in limits.items():
            differences = [watched - plain for plain, watched in pairs[name]]
            least = min(watched for _, watched in pairs[name]) - min(plain for plain, _ in pairs[name])
            tell(statistics.median(differences), limit, unit, f"{quartiles(differences)}; of the minima {least:.1f}")

        sides = [Side(python, script, 2, is_watched, folder) for is_watched in (False, True)]
        for side in sides:
            side.ask("ddp", 20)
        pairs = in_turns(sides, rounds, 10)
        for what, limit in (("wall", 3), ("process", None)):
            ratios = [100 * (sum(each[what] for each in watched) / sum(each[what] for each in plain) - 1)
                      for plain, watched in pairs]
            least = [min(sum(each[what] for each in pair[which]) for pair in pairs) / 2e3 for which in (0, 1)]
            rest = f"{quartiles(ratios)}; the minima {least[0]:.2f} and {least[1]:.2f} ms"
            if limit is not None:
                tell(statistics.median(ratios), limit, "% of the time of a DDP step on two ranks", rest)
            else:
                print(f"{statistics.median(ratios):.1f} % of its CPU time on both ranks, all threads ({rest})")
        memory = [[each for each in side.ask("memory")] for side in sides]
        kinds = {kind: statistics.mean(watched[kind] - plain[kind] for plain, watched in zip(*memory))
                 for kind in ("rss", "anonymous")}
        tell(kinds["rss"], 5, "MB of memory", f"{kinds['anonymous']:.1f} MB of it the process's own")
        above = []
        times = [0.0, 0.0, 0.0]
        for _ in range(10):
            plain = sides[0].ask("profile", 20)
            for rank, each in enumerate(sides[1].ask("profile", 20)):
                above.append(100 * (each["watcher"] / each["profiler"] - 1))
                calls = each["calls"] * 20
                times = [times[0] + plain[rank]["profiler"] / calls, times[1] + each["profiler"] / calls,
                         times[2] + each["watcher"] / calls]
        tell(statistics.median(above), 10, "% above torch.profiler's communication time",
             f"{quartiles(above)}; ms a call: {times[2]:.2f}, torch.profiler's {times[1]:.2f}, "
             f"unwatched {times[0]:.2f}")
        for side in sides:
            side.end()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
