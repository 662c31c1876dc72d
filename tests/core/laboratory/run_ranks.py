"""Runs trials one after another: torch is imported once, and the ranks of each trial are forked from this process.

    run_ranks.py RESOURCES TRIALS.json: a list of {"folder", "runner", "ranks"}; writes FOLDER/ends.json, the wait
    statuses. RESOURCES: resources/python.
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


def run(folder, runner, ranks):
    children = []
    for rank in range(ranks):
        child = os.fork()
        if child == 0:
            try:
                rank_main(folder, runner, rank, ranks)
            finally:
                os._exit(70)
        children.append(child)
    ends = {}
    stop = time.monotonic() + LIMIT_S
    while len(ends) < ranks:
        if time.monotonic() > stop:
            for child in set(children) - set(ends):
                os.kill(child, signal.SIGKILL)
        for child in set(children) - set(ends):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                ends[child] = status
                if status != 0:
                    stop = min(stop, time.monotonic() + GRACE_S)
        time.sleep(0.005)
    with open(os.path.join(folder, "ends.json"), "w", encoding="utf-8") as file:
        json.dump([ends[child] for child in children], file)


with open(sys.argv[2], encoding="utf-8") as file:
    trials = json.load(file)
for trial in trials:
    run(**trial)
