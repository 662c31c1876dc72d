"""Runs trials, a few side by side: torch is imported once, and the ranks of each trial are forked from this process.

    run_ranks.py RESOURCES TRIALS.json: a list of {"folder", "runner", "ranks"}; writes FOLDER/ends.json, the wait
    statuses. RESOURCES: resources/python. A trial that must be ended is an error: code that waits forever ends itself.
"""

import json
import os
import runpy
import signal
import sys
import time

import torch
import torch.distributed.rpc  # loaded before the fork

LIMIT_S = 200
SIDE_BY_SIDE = 3
GRACE_S = 3  # for the other ranks, once one has failed
torch.set_num_threads(1)
RESOURCES = sys.argv[1]
sys.path[:0] = [os.path.join(RESOURCES, "exercises"), RESOURCES]


def rank_main(folder, runner, rank, ranks):
    os.chdir(folder)
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(ranks), GLOO_SOCKET_IFNAME="lo")
    log = os.open(f"rank-{rank}.log", os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.argv = [runner, "code/student.py"]
    code = 0
    try:
        runpy.run_path(os.path.join(RESOURCES, "exercises", runner), run_name="__main__")
    except SystemExit as end:
        code = end.code or 0
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


class Trial:
    def __init__(self, folder, runner, ranks):
        self.folder = folder
        self.children = []
        self.ends = {}
        self.limit = self.stop = time.monotonic() + LIMIT_S
        for rank in range(ranks):
            child = os.fork()
            if child == 0:
                try:
                    rank_main(folder, runner, rank, ranks)
                finally:
                    os._exit(70)
            self.children.append(child)

    def has_ended(self):
        for child in [each for each in self.children if each not in self.ends]:
            if time.monotonic() > self.stop:
                os.kill(child, signal.SIGKILL)
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                self.ends[child] = status
                if status != 0:
                    self.stop = min(self.stop, time.monotonic() + GRACE_S)
        if len(self.ends) < len(self.children):
            return False
        with open(os.path.join(self.folder, "ends.json"), "w", encoding="utf-8") as file:
            json.dump([self.ends[child] for child in self.children], file)
        return True


with open(sys.argv[2], encoding="utf-8") as file:
    waiting = json.load(file)
running = []
late = []
while waiting or running:
    while waiting and len(running) < SIDE_BY_SIDE:
        running.append(Trial(**waiting.pop(0)))
    late += [trial.folder for trial in running if time.monotonic() > trial.limit]
    running = [trial for trial in running if not trial.has_ended()]
    time.sleep(0.005)
if late:
    sys.exit(f"not ended by themselves in {LIMIT_S} s: {sorted(set(late))}")
