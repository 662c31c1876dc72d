"""Writes one message of each kind that resources/python/lockstep.py sends, for test_python_frames; with --read prints
what it reads from frames on stdin."""

import struct
import sys
import time

sys.path.insert(0, sys.argv[1])
import lockstep


def row(step, spans, calls=(), buckets=()):
    each = lockstep._StepRow()
    each.step = step
    each.end = 1_000_000 * step
    each.wall = 900_000
    each.samples = 64 * step
    each.batch = 32
    each.loss = 1.0 / step
    each.lr = 0.1
    each.spans = spans
    each.calls = list(calls)
    each.buckets = list(buckets)
    return each


def frames():
    yield lockstep.hello_frame("run-1", 1, 2, "cpu", "1.13.1")
    yield lockstep.prepared_frame({"device": "cpu", "train_samples": 8000, "steps": 40, "dataset": "Zahlen – 数字"})
    told = row(1, [(1, 0, 300), (2, 300, 900)], buckets=[(500, 600, False), (700, 950, True)])
    yield lockstep.steps_frame([told.columns(2, True), row(2, [(3, 10, 40)]).columns(2, False),
                                row(3, []).columns(1, False), row(4, [], calls=[(100, 150, True)]).columns(2, True),
                                row(5, [(3, 10, 40), (3, 90, 160)], calls=[(100, 150, True)]).columns(2, True)])
    yield lockstep.spans_frame(list(told.span_rows()), 5)
    yield lockstep.evaluation_frame(4, 256, 77, 5, 0.5, float("nan"), 0.25)
    yield lockstep.log_frame(2, "x" * 70_000)
    yield lockstep.vitals_frame()
    yield lockstep.applied_frame(lockstep.STOP, 5, -1, 0.0)
    yield lockstep.metrics_frame("grad norm", [(1, 64, 10, 2.5), (2, 128, 20, float("nan"))])
    yield lockstep.steps_frame([row(1 + i, []).columns(1, False) for i in range(lockstep.MOST_ROWS)])
    yield lockstep.goodbye_frame(lockstep.FAILED, 4, "rank 1 failed")
    yield from turns()
    no_command_is_lost()
    what_ends_a_wait_is_read()


def no_command_is_lost():
    board = lockstep._Board(-1, 0, 1)
    for i in range(board.ENTRIES):
        assert board.publish(i, lockstep.SET_STRAGGLER, -1, float(i))
    assert not board.publish(0, lockstep.STOP, -1, 0.0)  # the first one has not been read
    assert board.due(0) == (lockstep.SET_STRAGGLER, -1, 0.0)
    assert board.publish(0, lockstep.STOP, -1, 0.0)
    assert board.due(0) is None  # the second one is for later
    assert board.due(None) == (lockstep.SET_STRAGGLER, -1, 1.0)


class NoWorkbench:
    def send(self, data):
        pass

    def wait(self, seconds, waker):
        time.sleep(seconds)
        return []


def what_ends_a_wait_is_read():
    """Commands that came close together: the second was published for a step that a paused run does not reach."""
    run = lockstep.Run(NoWorkbench(), 0, 1)
    run._board.publish(1, lockstep.PAUSE, -1, 0.0)
    run._board.publish(2, lockstep.RESUME, -1, 0.0)
    assert run.step(loss=1.0)


def turns():
    """A run that holds after its second step, and is told to run six more."""
    turn = lockstep._Turn()
    turn.begin(0, 0, 2)
    turn.add(10, 1)
    assert not turn.must_hold(1) and turn.must_hold(2)
    yield turn.hold(2)
    assert turn.hold(2) is None
    turn.begin(2, 7, 6)
    turn.resume()
    for step in range(3, 9):
        turn.add(100 + step, 4)
    yield turn.hold(8)


def read(data):
    while data:
        size = struct.unpack_from("<I", data)[0]
        kind, table = lockstep.read_frame(data[4:4 + size])
        data = data[4 + size:]
        if kind == lockstep.WELCOME:
            print("welcome", table.number(0, "I"), table.text(1))
        else:
            print("control", table.number(0, "B"), table.number(1, "i"), float(table.number(2, "d")))


if "--read" in sys.argv:
    read(sys.stdin.buffer.read())
else:
    for each in frames():
        sys.stdout.buffer.write(each)
