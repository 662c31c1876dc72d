"""What a run keeps while the workbench does not read, and that no thread asks for ends of calls while a CUDA graph is
captured. Needs no torch.

    python3 tests/watch/test_limits.py
"""

import sys
import threading
import types

from recording import lockstep


class Stalled:
    """A workbench that reads nothing until it is released."""

    spec = {}

    def __init__(self):
        self.release = threading.Event()
        self.is_sending = threading.Event()
        self.frames = []

    def send(self, data):
        self.is_sending.set()
        self.release.wait()
        self.frames.append(data)

    def wait(self, seconds, waker):
        self.release.wait(seconds)
        return []

    def close(self):
        pass


def check_queue():
    sink = Stalled()
    run = lockstep.Run(sink, 0, 1)
    sink.is_sending.wait()
    for _ in range(lockstep.MOST_WAITING + 500):
        run.step(loss=1.0)
    assert len(run._queue) == lockstep.MOST_WAITING, len(run._queue)
    sink.release.set()
    run.finish()
    told = [table.text(2) for kind, table in (lockstep.read_frame(each[4:]) for each in sink.frames)
            if kind == lockstep.LOG]
    assert len(told) == 1 and told[0].startswith("rank 0: 501 steps, metrics or log lines were not sent"), told


def check_capture():
    asked = []
    work = types.SimpleNamespace(is_completed=lambda: asked.append(1))
    call = lockstep._Call()
    call.work = work
    watcher = lockstep._Watcher.__new__(lockstep._Watcher)
    watcher.is_off, watcher.open_calls, watcher.look_for_stall = False, {1: call}, lambda now: None
    graph = object()
    lockstep._captures.append(graph)
    watcher.look_after_calls()
    assert not asked
    lockstep._captures.remove(graph)
    watcher.look_after_calls()
    assert asked


if __name__ == "__main__":
    check_queue()
    check_capture()
    print("a stalled workbench, a captured graph: right")
    sys.exit(0)
