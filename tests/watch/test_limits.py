"""What a run keeps while the workbench does not read, what a rank without a loss weighs, when ends of calls are asked
for, and that no thread does while a CUDA graph is captured. Needs no torch.

    python3 tests/watch/test_limits.py
"""

import contextlib
import io
import os
import sys
import tempfile
import threading
import time
import types

from recording import column, lockstep


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


def check_untold():
    """A rank that tells no loss, such as a parameter server, takes nothing from the loss of the others; NaN is told."""
    for ranks, weights in ((1, [1, 1]), (2, [0, 1])):
        sink = Stalled()
        sink.release.set()
        run = lockstep.Run(sink, 0, ranks)
        run.step()
        run.step(loss=float("nan"))
        run.finish()
        tables = [table for kind, table in (lockstep.read_frame(each[4:]) for each in sink.frames)
                  if kind == lockstep.STEPS]
        assert [each for table in tables for each in column(table, 4, "q")] == weights, ranks


def check_second_process():
    """Two processes of a script that train without a process group are both rank 0: the second loses nothing of the
    first, and says that it is not shown."""
    with tempfile.NamedTemporaryFile() as file:
        os.environ["LOCKSTEP_RECORD_SINCE"] = str(time.time_ns() - 1_000_000_000)
        lockstep._File(file.name, b"", 1).close()
        size = os.path.getsize(file.name)
        os.environ["LOCKSTEP_RECORD"] = file.name
        watcher = lockstep._Watcher.__new__(lockstep._Watcher)
        watcher.run, watcher.is_off = None, False
        with contextlib.redirect_stderr(io.StringIO()) as said:
            watcher.join(0, 1)
        assert watcher.is_off and os.path.getsize(file.name) == size > 0
        assert "another process of this script" in said.getvalue() and "fault" not in said.getvalue(), said.getvalue()
        del os.environ["LOCKSTEP_RECORD_SINCE"]
        lockstep._File(file.name, b"", 1).close()  # of an earlier run: recorded over


def check_capture():
    asked = []
    work = types.SimpleNamespace(is_completed=lambda: asked.append(1))
    call = lockstep._Call()
    call.work, call.entered, call.returned = work, 0, 0
    watcher = lockstep._Watcher.__new__(lockstep._Watcher)
    watcher.is_off, watcher.open_calls, watcher.look_for_stall = False, {1: call}, lambda now: None
    graph = object()
    lockstep._captures.append(graph)
    watcher.look_after_calls()
    assert not asked
    lockstep._captures.remove(graph)
    watcher.look_after_calls()
    assert asked


def check_ends():
    """A call ends between the last look that found it open and the first that does not: in the middle."""
    answers = [False, True]
    call = lockstep._Call()
    call.entered = call.returned = time.monotonic_ns()
    call.work = type("Work", (), {"is_completed": lambda self: answers.pop(0)})()
    watcher = lockstep._Watcher.__new__(lockstep._Watcher)
    watcher.is_off, watcher.open_calls, watcher.look_for_stall = False, {1: call}, lambda now: None
    assert watcher.look_after_calls() < 0.025
    seen = call.seen
    time.sleep(0.01)
    watcher.look_after_calls()
    assert call.returned <= seen <= call.left <= (seen + time.monotonic_ns()) // 2, (seen, call.left)
    # The backward pass ends before the sending thread looks again.
    call = lockstep._Call()
    call.work, call.entered, call.seen, call.total = None, 1_000, 5_000, [0, 0, 0]
    watcher.bucket_calls, watcher.run = [call], types.SimpleNamespace(_buckets=[])
    watcher.add_buckets(9_000)
    assert call.left == 7_000, call.left


def check_wake():
    """A call from C++ wakes the sending thread, once, where that sleeps; its sink empties the pipe."""
    waker, wake = os.pipe()
    call, box = lockstep._Call(), object()
    watcher = lockstep._Watcher.__new__(lockstep._Watcher)
    watcher.box, watcher.unbox_work, watcher.unbox_group = object, lambda each: each, lambda each: each
    watcher.add_call, watcher.bucket_calls = lambda *_: call, []
    watcher.backward_depth, watcher.backward_place = 1, None
    watcher.run, watcher.is_asleep = types.SimpleNamespace(_is_over=False, _wake=wake), True
    for _ in range(2):
        watcher.called_from_c(2, 0, (box,), box, 0, None)
    assert watcher.bucket_calls == [call, call]
    with tempfile.NamedTemporaryFile() as file:
        sink = lockstep._File(file.name, b"", 1)
        sink.wait(10, waker)
        os.write(wake, b"x")
        assert os.read(waker, 64) == b"x"
        sink.close()


if __name__ == "__main__":
    check_queue()
    check_untold()
    check_second_process()
    check_capture()
    check_ends()
    check_wake()
    print("a stalled workbench, losses not told, a captured graph, ends of calls: right")
    sys.exit(0)
