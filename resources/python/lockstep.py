"""Shows a training script in the Lockstep workbench. One file, the standard library alone.

    import lockstep

    lr = lockstep.parameter("lr", 0.1, help="Learning rate.")
    run = lockstep.connect()
    for images, labels in batches:
        with run.span("forward"):
            loss = ...
        with run.span("backward"):
            loss.backward()
        if not run.step(loss=loss.item(), samples=len(labels), lr=lr):
            break
    run.evaluate(accuracy=0.97)

The workbench starts such a script once per rank (`strategy.name` own, `rank.program` "python3 train.py") with the
environment that torchrun sets. Started by hand, every call does nothing; with LOCKSTEP_RECORD=FILE the run is recorded
for `lockstep import FILE` (ranks above 0 add .RANK to the name).

A PyTorch script need not be changed: the second half of this file watches torch. On a machine without a workbench

    LOCKSTEP_RECORD=FILE python3 -m lockstep train.py --lr 0.1

records what it saw.
"""

import atexit
import collections
import collections.abc
import fcntl
import functools
import hashlib
import hmac
import json
import linecache
import math
import mmap
import os
import py_compile
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import weakref
import zlib
from array import array

PHASES = ("data", "forward", "backward", "communicate", "wait", "optimize", "evaluate")
LEVELS = ("debug", "info", "warning", "error")

_now = time.monotonic_ns
_get_ident = threading.get_ident
_NAN = float("nan")


# ---- FlatBuffers: a table is a dictionary from slot to value -------------------------------------------------------
#
# The tables, their slots and the order of the union are those of core/wire/lockstep.fbs.

class Number:
    """A number in a table; `code` is struct's: B, i, I, q, d."""

    __slots__ = ("code", "value")

    def __init__(self, code, value):
        self.code = code
        self.value = value


def _pad(buffer, alignment, rest=0):
    """Adds zeros until the length is `rest` above a multiple of `alignment`."""
    while len(buffer) % alignment != rest:
        buffer.append(0)


def _write_table(buffer, table):
    """Appends vtable, table and everything below it; returns where the table begins."""
    size_of = {slot: struct.calcsize("<" + value.code) if isinstance(value, Number) else 4
               for slot, value in table.items()}
    offsets = {}
    size = 4
    for slot in sorted(table, key=lambda each: -size_of[each]):  # 8-byte numbers first: nothing needs padding
        offsets[slot] = size
        size += size_of[slot]
    slots = max(table, default=-1) + 1
    _pad(buffer, 2)
    vtable = len(buffer)
    buffer += struct.pack("<HH%dH" % slots, 4 + 2 * slots, size, *(offsets.get(slot, 0) for slot in range(slots)))
    _pad(buffer, 8, 4)
    start = len(buffer)
    buffer += bytes(size)
    struct.pack_into("<i", buffer, start, start - vtable)
    for slot, value in table.items():
        place = start + offsets[slot]
        if isinstance(value, Number):
            struct.pack_into("<" + value.code, buffer, place, value.value)
        else:
            struct.pack_into("<I", buffer, place, _write_part(buffer, value) - place)
    return start


def _write_part(buffer, part):
    """Appends a text, a column of numbers (array), a table (dict) or a list of tables; returns where it begins."""
    if isinstance(part, dict):
        return _write_table(buffer, part)
    if isinstance(part, str):
        data = part.encode("utf-8", "replace")
        _pad(buffer, 4)
        start = len(buffer)
        buffer += struct.pack("<I", len(data)) + data + b"\0"
        return start
    if isinstance(part, array):
        _pad(buffer, 8, 4)
        start = len(buffer)
        buffer += struct.pack("<I", len(part)) + part.tobytes()
        return start
    _pad(buffer, 4)
    start = len(buffer)
    buffer += struct.pack("<I", len(part)) + bytes(4 * len(part))
    for i, each in enumerate(part):
        place = start + 4 + 4 * i
        struct.pack_into("<I", buffer, place, _write_part(buffer, each) - place)
    return start


def frame(kind, table):
    """One message: its length, then the FlatBuffer. `kind`: its place in the union Body, from 1."""
    buffer = bytearray(b"\0\0\0\0LKS1")
    struct.pack_into("<I", buffer, 0, _write_table(buffer, {0: Number("B", kind), 1: table}))
    return struct.pack("<I", len(buffer)) + bytes(buffer)


class Table:
    """Reads a table of a message from the workbench. Damaged bytes raise struct.error."""

    def __init__(self, data, start):
        self._data = data
        self._start = start
        self._vtable = start - struct.unpack_from("<i", data, start)[0]

    def _place(self, slot):
        size = struct.unpack_from("<H", self._data, self._vtable)[0]
        if 4 + 2 * slot >= size:
            return 0
        offset = struct.unpack_from("<H", self._data, self._vtable + 4 + 2 * slot)[0]
        return self._start + offset if offset else 0

    def number(self, slot, code, default=0):
        place = self._place(slot)
        return struct.unpack_from("<" + code, self._data, place)[0] if place else default

    def _target(self, slot):
        place = self._place(slot)
        return place + struct.unpack_from("<I", self._data, place)[0] if place else 0

    def table(self, slot):
        return Table(self._data, self._target(slot))

    def text(self, slot):
        start = self._target(slot)
        if not start:
            return ""
        size = struct.unpack_from("<I", self._data, start)[0]
        return bytes(self._data[start + 4:start + 4 + size]).decode("utf-8", "replace")


def read_frame(payload):
    """The kind of a message and its table."""
    root = Table(payload, struct.unpack_from("<I", payload, 0)[0])
    return root.number(0, "B"), root.table(1)


# ---- messages --------------------------------------------------------------------------------------------------------

HELLO, PREPARED, STEPS, SPANS, EVALUATION, LOG, VITALS, APPLIED, GOODBYE, WELCOME, CONTROL = range(1, 12)
HELD, METRICS, CALLS = 17, 18, 19
PROTOCOL = 2
PAUSE, RESUME, STOP, SET_STRAGGLER = range(4)
RUN_STEPS = 8
UNCOUNTED = 3  # steps after a hold, a pause or an evaluation that a block does not count
FINISHED, STOPPED, FAILED = range(3)
MOST_ROWS = 8192  # of a message: its frame stays far below the 4 MiB that are allowed
MOST_SPANS = 1 << 16  # that wait to be sent
MOST_WAITING = 20_000  # steps and metrics while the workbench does not read
MOST_OF_STEP = 1 << 14  # spans, calls and losses that are kept of one step
MOST_TEXT = 60_000


def _q(value):
    return Number("q", int(value))


def _clip(text, most=MOST_TEXT):
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def hello_frame(run_id, rank, world_size, device, torch_version):
    return frame(HELLO, {0: Number("I", PROTOCOL), 1: run_id, 2: Number("i", rank), 3: Number("i", world_size),
                         4: _q(os.getpid()), 5: socket.gethostname(), 6: device, 7: torch_version})


def prepared_frame(facts):
    return frame(PREPARED, {0: facts.get("device", ""), 1: _q(facts.get("train_samples", 0)),
                            2: _q(facts.get("test_samples", 0)), 3: _q(facts.get("steps", 0)),
                            4: _q(facts.get("steps_per_epoch", 0)), 5: _q(facts.get("parameters", 0)),
                            7: _clip(facts.get("dataset", "")), 8: _clip(facts.get("communication", "")),
                            9: Number("i", len(os.sched_getaffinity(0)))})


def steps_frame(rows):
    """Rows as StepRow.columns() gives them."""
    (step, end, wall, samples, batch, loss, lr, sent, phases, arrival, hidden, untold) = zip(*rows)
    per_phase = [{0: array("q", column)} for column in zip(*phases)]
    return frame(STEPS, {0: array("q", step), 1: array("q", end), 2: array("q", wall), 3: array("q", samples),
                         4: array("q", batch), 5: array("d", loss), 6: array("d", lr), 7: array("q", sent),
                         8: per_phase, 9: array("q", arrival), 10: array("q", hidden), 12: array("q", untold)})


def spans_frame(spans, dropped):
    step, phase, start, duration = zip(*spans)
    return frame(SPANS, {0: array("q", step), 1: array("B", phase), 2: array("q", start), 3: array("q", duration),
                         4: _q(dropped)})


def evaluation_frame(step, samples, end, duration, accuracy, loss, train_loss):
    return frame(EVALUATION, {0: _q(step), 1: _q(samples), 2: _q(end), 3: _q(duration), 4: Number("d", accuracy),
                              5: Number("d", loss), 6: Number("d", train_loss)})


def log_frame(level, text):
    return frame(LOG, {0: _q(_now()), 1: Number("B", level), 2: _clip(text)})


def vitals_frame():
    with open("/proc/self/statm", "rb") as file:
        pages = int(file.read().split()[1])
    return frame(VITALS, {0: _q(_now()), 1: _q(pages * mmap.PAGESIZE), 2: _q(0)})


def applied_frame(command, step, rank, value):
    return frame(APPLIED, {0: Number("B", command), 1: _q(step), 2: _q(_now()), 3: Number("i", rank),
                           4: Number("d", value)})


def held_frame(step, block, start, counted):
    """`counted`: steps of the block, their time, their samples."""
    return frame(HELD, {0: _q(step), 1: _q(_now()), 2: _q(block), 3: _q(start), 4: _q(counted[0]), 5: _q(counted[1]),
                        6: _q(counted[2])})


def goodbye_frame(outcome, step, message):
    return frame(GOODBYE, {0: Number("B", outcome), 1: _q(step), 2: _clip(message)})


def metrics_frame(name, rows):
    step, samples, end, value = zip(*rows)
    return frame(METRICS, {0: array("q", step), 1: array("q", samples), 2: array("q", end), 3: array("d", value),
                           4: name})


def calls_frame(rank, rows):
    """The last calls of a rank, as _Call.row() gives them; none: forget what was sent."""
    kind, step, number, group, members, peer, size, entered, waited, left = zip(*rows) if rows else [()] * 10
    return frame(CALLS, {0: array("B", kind), 1: array("q", step), 2: array("q", number), 3: array("i", group),
                         4: array("q", members), 5: array("i", peer), 6: array("q", size), 7: array("q", entered),
                         8: array("q", waited), 9: array("q", left), 10: Number("i", rank), 11: _q(_now())})


# ---- parameters ------------------------------------------------------------------------------------------------------

_given = None
_asked = set()
_flags = set(filter(None, os.environ.get("LOCKSTEP_FLAGS", "").split(",")))  # given on the command line instead


def _given_parameters():
    global _given
    if _given is None:
        _given = json.loads(os.environ.get("LOCKSTEP_PARAMETERS", "{}"))
    return _given


def parameter(name, default, help="", minimum=None, maximum=None, choices=None):
    """The value that the workbench gives `own.NAME`, or else `default`, whose type is the parameter's.

    The workbench finds these calls by reading the script, without running it: name, default and limits must be written
    as literals.
    """
    _asked.add(name)
    value = _given_parameters().get(name, default)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not type(default):
        raise ValueError(f"own.{name}: {value!r} is not {type(default).__name__}, as its default {default!r} is")
    if choices is not None and value not in choices:
        raise ValueError(f"own.{name}: {value!r} is not one of {', '.join(map(str, choices))}")
    if (minimum is not None and value < minimum) or (maximum is not None and value > maximum):
        raise ValueError(f"own.{name}: {value!r} is outside [{minimum}, {maximum}]")
    return value


# ---- the connection --------------------------------------------------------------------------------------------------

def _receive(connection, size):
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise ConnectionError("lockstep: the workbench closed the connection while this rank introduced itself")
        data += more
    return data


def _handshake(connection, secret):
    """Both sides prove that they have the secret without sending it (core/wire/handshake.h)."""
    own = os.urandom(32)
    head = b"Lockstep" + struct.pack("<I", PROTOCOL)
    connection.sendall(head + own)
    challenge = _receive(connection, 76)
    theirs = challenge[12:44]

    def proof(side):
        return hmac.new(secret, side + own + theirs, hashlib.sha256).digest()

    if challenge[:12] != head or not hmac.compare_digest(challenge[44:], proof(b"Lockstep workbench")):
        raise ConnectionError("lockstep: the peer at LOCKSTEP_TELEMETRY is not the workbench that started this rank, "
                              "or speaks another version of the protocol")
    connection.sendall(proof(b"Lockstep rank"))


class _Workbench:
    """A socket to the workbench."""

    def __init__(self, address, secret, hello, timeout):
        host, port = address.rsplit(":", 1)
        self._socket = socket.create_connection((host, int(port)), timeout)
        self._received = b""
        _handshake(self._socket, secret)
        self._socket.sendall(hello)
        while True:
            kind, table = self._next()
            if kind == WELCOME:
                break
        self.spec = json.loads(table.text(1))
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _next(self):
        size = struct.unpack("<I", _receive(self._socket, 4))[0]
        return read_frame(_receive(self._socket, size))

    def send(self, data):
        self._socket.sendall(data)

    def wait(self, seconds, waker):
        """Sleeps until there is something to do; returns the control messages that have come."""
        ready = select.select([self._socket, waker], [], [], seconds)[0]
        controls = []
        if waker in ready:
            os.read(waker, 64)
        if self._socket in ready:
            more = self._socket.recv(1 << 16)
            if not more:
                raise ConnectionError("the workbench has gone")
            self._received += more
        while len(self._received) >= 4:
            size = struct.unpack_from("<I", self._received)[0]
            if len(self._received) < 4 + size:
                break
            kind, table = read_frame(self._received[4:4 + size])
            self._received = self._received[4 + size:]
            if kind == CONTROL:
                controls.append((table.number(0, "B"), table.number(1, "i"), table.number(2, "d")))
        return controls

    def close(self):
        """Ends the stream and waits until the workbench has read it."""
        self._socket.shutdown(socket.SHUT_WR)
        self._socket.settimeout(2)
        try:
            while self._socket.recv(1 << 16):
                pass
        except OSError:
            pass
        self._socket.close()

    def abandon(self):
        """In a forked child: the connection is the parent's."""
        self._socket.close()


class _File:
    """A recording, for `lockstep import`."""

    spec = {}

    def __init__(self, path, hello, world_size):
        spec = {"version": 1, "experiment": "own", "name": os.path.basename(sys.argv[0]) or "own", "repeat": 0,
                "base": {"strategy.name": "own", "rank.program": shlex.join([sys.executable] + sys.argv),
                         "world_size": world_size,
                         **{"own." + name: value for name, value in _given_parameters().items()}}}
        # Without a buffer: what was sent outlives SIGKILL, and a forked child has nothing to write.
        self._file = open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666), "wb", buffering=0)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise OSError(f"another process records to {path}") from None
        except OSError:
            pass  # a file system without locks
        if os.path.isfile(path):
            written = os.fstat(self._file.fileno())
            since = int(os.environ.get("LOCKSTEP_RECORD_SINCE", written.st_mtime_ns))
            if written.st_size and written.st_mtime_ns > since and not _is_called:
                self._file.close()
                raise OSError(f"another process of this script has recorded to {path}")
            self._file.truncate(0)
        self.send(frame(WELCOME, {0: Number("I", PROTOCOL), 1: json.dumps(spec)}) + hello)

    def send(self, data):
        data = memoryview(data)
        while data:
            data = data[self._file.write(data):]

    def wait(self, seconds, waker):
        if select.select([waker], [], [], seconds)[0]:
            os.read(waker, 64)
        return []

    def close(self):
        self._file.close()

    def abandon(self):
        """In a forked child: the file is the parent's."""
        self._file.close()


class _Board:
    """Commands that rank 0 passes on, each with the step after which every rank carries it out.

    The workbench shares the memory among the ranks of a run (LOCKSTEP_BOARD: its descriptor or path). Rank 0 publishes a
    command for the end of the next step: no rank is past that, as long as the ranks meet in a collective every step.
    Every rank counts what it has read, so that no entry is written over before all have seen it.
    """

    ENTRIES = 64
    ENTRY = struct.Struct("<qqqd")
    RANKS = 64
    SIZE = 8 + ENTRIES * ENTRY.size + RANKS * 8

    def __init__(self, descriptor, rank, ranks):
        is_shared = descriptor >= 0 and ranks <= self.RANKS
        self._memory = mmap.mmap(descriptor, self.SIZE) if is_shared else bytearray(self.SIZE)
        numbers = memoryview(self._memory).cast("q")  # written and read as a whole, unlike by struct
        self._count = numbers[:1]
        self._rank = rank if is_shared else 0
        self._counts_read = numbers[-self.RANKS:][:ranks if is_shared else 1]
        self._read = 0

    @classmethod
    def named(cls, name, rank, ranks):
        """`name`: LOCKSTEP_BOARD. A child of the started process may not have the descriptor: it opens the path."""
        if not name.startswith("/"):
            return cls(int(name or "-1"), rank, ranks)
        try:
            descriptor = os.open(name, os.O_RDWR)
        except OSError:
            return cls(-1, rank, ranks)
        try:
            return cls(descriptor, rank, ranks)
        finally:
            os.close(descriptor)

    def publish(self, after_step, command, rank, value):
        """False if the slowest rank has to read first."""
        count = self._count[0]
        if count - min(self._counts_read) >= self.ENTRIES:
            return False
        self.ENTRY.pack_into(self._memory, 8 + count % self.ENTRIES * self.ENTRY.size, after_step, command, rank, value)
        self._count[0] = count + 1
        return True

    def is_read(self):
        return self._count[0] == self._read

    def due(self, step):
        """The next command for a rank that has done `step` steps (None: whatever is next), or None."""
        if self.is_read():
            return None
        entry = self.ENTRY.unpack_from(self._memory, 8 + self._read % self.ENTRIES * self.ENTRY.size)
        if step is not None and entry[0] > step:
            return None
        self._read += 1
        self._counts_read[self._rank] = self._read
        return entry[1:]


class _Turn:
    """A run that takes turns with others: its block of steps, after which the ranks hold."""

    def __init__(self):
        self._last = None  # step of the block; None: no limit
        self._number = 0
        self._start = 0  # ns; 0: no block has begun
        self._counted = [0, 0, 0]
        self._since = 0  # steps since a hold, a pause or an evaluation
        self._is_held = False

    def begin(self, step, number, steps):
        self._last = None if steps < 0 else step + int(steps)
        self._number = max(0, number)

    def add(self, wall, samples):
        self._since += 1
        if self._since > UNCOUNTED:
            self._counted[0] += 1
            self._counted[1] += wall
            self._counted[2] += samples

    def disturb(self):
        self._since = 0

    def must_hold(self, step):
        return self._last is not None and step >= self._last

    def hold(self, step):
        """The message for the workbench where the ranks begin to hold; else None."""
        if self._is_held:
            return None
        self._is_held = True
        is_block = self._start != 0  # else the run has just begun, or was cut short
        return held_frame(step, self._number if is_block else 0, self._start, self._counted if is_block else (0, 0, 0))

    def resume(self):
        self.disturb()
        if self._is_held:
            self._is_held = False
            self._counted = [0, 0, 0]
            self._start = 0 if self._last is None else _now()


# ---- what a step consists of -----------------------------------------------------------------------------------------

def _overlap(start, end, stretches):
    return sum(max(0, min(end, last) - max(start, first)) for first, last in stretches)


def _union(stretches):
    total = 0
    reached = 0
    for first, last in sorted(stretches):
        total += max(0, last - max(first, reached))
        reached = max(reached, last)
    return total


class _StepRow:
    """One step as the script stamped it; the sending thread turns it into a row."""

    __slots__ = ("step", "end", "wall", "samples", "batch", "loss", "lr", "spans", "calls", "buckets")

    def has_loss(self, must_have):
        """Reads a loss that a GPU computed, once it is there; `must_have`: waits for it."""
        if isinstance(self.loss, float):
            return True
        if not must_have and not self.loss.is_there():
            return False
        self.loss = self.loss.value()
        return True

    def columns(self, ranks, is_watched):
        arrival, communicate, hidden, untold, taken = self._communication()
        phases = [0] * len(PHASES)
        for phase, start, end in self.spans:
            stamped = _overlap(start, end, taken) if taken else 0
            if phase != 3 or not stamped:  # of communication the stamps say more
                phases[phase] += end - start - stamped
        if ranks > 1:
            untold += phases[3]  # messages that are not stamped
            if not is_watched:
                untold = untold or max(1, self.wall)
        phases[3] += communicate
        return (self.step, self.end, self.wall, self.samples, self.batch, self.loss, self.lr, -1, phases, arrival,
                hidden, untold)

    def _communication(self):
        """When this rank reached the aggregation; the time of all of it; what was hidden; what cannot be told apart
        into waiting and transferring; and the stretches that are no longer of the phase around them."""
        if self.buckets:
            arrival = max(start for start, _, is_last in self.buckets if is_last)
            end = max(done for _, done, _ in self.buckets)
            hidden = _union([(start, min(done, arrival)) for start, done, _ in self.buckets if start < arrival])
            extra = sum(last - first for first, last, _ in self.calls)
            return arrival, max(0, end - arrival) + extra, hidden, extra, [(arrival, end)] + [c[:2] for c in self.calls]
        if not self.calls:
            return 0, 0, 0, 0, []
        first = self.calls[0][0]
        last = max(end for _, end, _ in self.calls)
        busy = sum(end - start for start, end, _ in self.calls)
        if all(is_told for _, _, is_told in self.calls) and busy >= 0.9 * (last - first):
            return first, last - first, 0, 0, [(first, last)]  # calls in a row: the ranks meet at the first
        return 0, busy, 0, max(1, busy), [call[:2] for call in self.calls]

    def span_rows(self):
        if not self.calls and not self.buckets:
            for phase, start, end in self.spans:
                yield self.step, phase, start, end - start
            return
        taken = self._communication()[4]
        for phase, start, end in self.spans:
            for first, last in taken:  # a phase ends where the communication at its end begins
                if start < first < end <= last + 1_000_000:
                    end = first
            yield self.step, phase, start, end - start


class _Span:
    __slots__ = ("_run", "_phase", "_start")

    def __init__(self, run, phase):
        self._run = run
        self._phase = phase

    def __enter__(self):
        self._start = _now()

    def __exit__(self, kind, error, trace):
        self._run._spans.append((self._phase, self._start, _now()))


class _Evaluation(_Span):
    """Is no part of a step."""

    __slots__ = ()

    def __exit__(self, kind, error, trace):
        self._run._add_evaluation(self._start, _now())


class _Nothing:
    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        pass


_NOTHING = _Nothing()


# ---- a run -----------------------------------------------------------------------------------------------------------

class Run:
    """What connect() gives. All calls are for the training thread, except log()."""

    def __init__(self, sink, rank, world_size):
        self.rank = rank
        self.world_size = world_size
        self.local_rank = int(os.environ.get("LOCAL_RANK", "0"))
        #: `train.seed` plus the number of the repeat; 1 without a workbench.
        self.seed = int(os.environ.get("LOCKSTEP_SEED", "1"))
        self._sink = sink
        self._board = _Board.named(os.environ.get("LOCKSTEP_BOARD", ""), self.rank, self.world_size)
        self._turn = _Turn()
        self._is_paused = False
        self._facts = {}
        self._step = 0
        self._samples = 0
        self._shares = self.world_size  # of a step's samples
        self._last_end = _now()
        self._outside = 0  # ns since the last step that are no training: evaluation
        self._evaluation_ns = 0
        self._spans = []
        self._calls = []
        self._buckets = []
        self._is_watched = False
        self._watcher = None  # of a script that does not call us
        self._delay = 0.0
        self._is_stopped = False
        self._is_over = False
        self._queue = collections.deque()  # in order: step rows, metrics (name, row) and frames
        self._controls = collections.deque()
        self._lost = None
        self._is_prepared = False
        self._unsent = 0
        self._had_loss = False  # in the last step that was sent
        self._span_of = {name: (_Evaluation if name == "evaluate" else _Span)(self, i) for i, name in enumerate(PHASES)}
        if sink is not None:
            self._waker, self._wake = os.pipe()
            self._thread = threading.Thread(target=self._send_all, name="lockstep", daemon=True)
            self._thread.start()

    # -- for the script

    def describe(self, *, train_samples=0, test_samples=0, steps=0, steps_per_epoch=0, parameters=0, dataset="",
                 device="cpu", communication="", same_batch=False):
        """Tells what is trained, before the first step; 0 and empty texts mean not told. `same_batch`: every rank works
        on the same samples of a step, as with model parallelism."""
        self._shares = 1 if same_batch else self.world_size
        self._facts = {"train_samples": train_samples, "test_samples": test_samples, "steps": steps,
                       "steps_per_epoch": steps_per_epoch, "parameters": parameters, "dataset": dataset,
                       "device": device, "communication": communication}
        self._prepare()

    def step(self, loss=_NAN, samples=0, lr=_NAN, **metrics):
        """Ends a step; `samples`: of this step on this rank, 0: not told. Other keywords are metrics.

        Returns False when the run is to end. While the run is paused it does not return.
        """
        if self._sink is None or self._is_over:
            return not self._is_stopped
        self._add_step(float(loss), samples, float(lr))
        for name, value in metrics.items():
            self.metric(name, value)
        self._control()
        return not self._is_stopped

    def _add_step(self, loss, samples, lr):
        """`loss`: a number, or a _LateLoss."""
        global _exit_code
        _exit_code = None  # whoever caught it went on
        if self._delay:
            time.sleep(self._delay)
        row = _StepRow()
        row.end = now = _now()
        self._step = row.step = self._step + 1
        self._samples += samples * self._shares  # every rank is taken to have as many
        row.wall = now - self._last_end - self._outside
        row.samples = self._samples
        # The weight of its loss, where it is not told; of several ranks one without a loss weighs nothing.
        row.batch = samples or (0 if loss is _NAN and self.world_size > 1 else 1)
        row.loss = loss
        row.lr = lr
        row.spans = self._spans
        row.calls = self._calls
        row.buckets = self._buckets
        self._spans, self._calls, self._buckets = [], [], []  # the row's are read later, by another thread
        self._outside = 0
        if not self._is_prepared:
            self._prepare()
        self._put(row)
        if self._turn._start:  # in a block
            self._turn.add(row.wall, samples)
        self._last_end = now

    def span(self, name):
        """`with run.span("forward"):` counts its time as that phase: data, forward, backward, communicate, optimize or
        evaluate. Evaluation is no part of a step's time."""
        try:
            return self._span_of[name] if self._sink is not None else _NOTHING
        except KeyError:
            raise ValueError(f"span: {name!r} is not one of {', '.join(PHASES)}") from None

    def evaluate(self, accuracy=_NAN, loss=_NAN, train_loss=_NAN, **metrics):
        """Accuracy (0 to 1) and loss on the test set, and the loss on the training set (Lockstep's own runs take its
        first 10,000 samples). Rank 0 alone reports it; other ranks' calls do nothing."""
        if self._sink is not None and self.rank == 0 and not self._is_over:
            now = _now()
            self._queue.append(evaluation_frame(self._step, self._samples, now, self._evaluation_ns, float(accuracy),
                                                float(loss), float(train_loss)))
            for name, value in metrics.items():
                self.metric(name, value)
        self._evaluation_ns = 0

    def _add_evaluation(self, start, end):
        self._outside += end - start
        self._evaluation_ns += end - start
        self._turn.disturb()
        self._queue.append(spans_frame([(self._step, PHASES.index("evaluate"), start, end - start)], 0))

    def metric(self, name, value):
        """A number of one's own after the last step, drawn as a curve of that name."""
        if not isinstance(name, str) or not 0 < len(name) <= 100:
            raise ValueError(f"metric: a name has 1 to 100 characters, {name!r} has not")
        if name in ("loss", "accuracy", "test_loss"):
            raise ValueError(f"metric: {name} is told with step() or evaluate()")
        if self._sink is not None and not self._is_over:
            self._put((name, (self._step, self._samples, _now(), float(value))))

    def log(self, text, level="info"):
        """A line in the run's log. Any thread."""
        if level not in LEVELS:
            raise ValueError(f"log: {level!r} is not one of {', '.join(LEVELS)}")
        if self._sink is not None and not self._is_over:
            self._put(log_frame(LEVELS.index(level), str(text)))

    def finish(self):
        """Ends the run in order; done at the script's end too. Later calls do nothing."""
        self._end(STOPPED if self._is_stopped else FINISHED, "")

    # -- control

    def _is_waiting(self):
        return self._is_paused or self._turn.must_hold(self._step)

    def _publish(self):
        """Rank 0: passes on what the workbench has sent. Where every rank waits, or will, it takes effect at once."""
        while self._controls:
            command, rank, value = self._controls[0]
            if command not in (PAUSE, RESUME, STOP, SET_STRAGGLER, RUN_STEPS):
                self.log("a program of one's own does not carry out this command; nothing was changed", "warning")
            elif not self._board.publish(self._step + (self.world_size > 1 and not self._is_waiting()), command, rank,
                                         value):
                return
            self._controls.popleft()

    def _control(self):
        if self._controls:
            self._publish()
        elif not self._is_paused and self._turn._last is None and self._board.is_read() and self._lost is None:
            return
        has_waited = False
        while not self._is_stopped and self._lost is None:
            # The board is read in order, and what ends a wait may stand behind what is for a later step.
            due = self._board.due(None if self._is_waiting() else self._step)
            if due is not None:
                self._carry_out(*due)
            elif not self._is_waiting():
                break
            else:
                if not self._is_paused and (message := self._turn.hold(self._step)):
                    self._queue.append(message)
                has_waited = True
                time.sleep(0.005)
                self._publish()
        if has_waited:
            self._turn.resume()
            self._last_end = _now()
        if self._lost is not None:
            self._is_stopped = True

    def _carry_out(self, command, rank, value):
        if command == RUN_STEPS:
            self._turn.begin(self._step, rank, value)
            return
        self._queue.append(applied_frame(command, self._step + 1, rank, value))
        if command == STOP:
            self._is_stopped = True
        elif command == SET_STRAGGLER and rank in (-1, self.rank):
            self._delay = max(0.0, value) / 1e3
        elif command in (PAUSE, RESUME):
            self._is_paused = command == PAUSE

    def _prepare(self):
        if self._sink is not None and not self._is_prepared and not self._is_over:
            self._is_prepared = True
            self._queue.append(prepared_frame(self._facts))

    def _put(self, item):
        if len(self._queue) < MOST_WAITING:
            self._queue.append(item)
        else:
            self._unsent += 1

    # -- the sending thread

    def _send_all(self):
        next_vitals = next_flush = 0
        try:
            while True:
                is_over = self._is_over  # first: what was recorded before it is then sent below
                patience = 0.025 if self._watcher is None else self._watcher.look_after_calls()
                self._controls.extend(self._sink.wait(0.0 if is_over else patience, self._waker))
                now = _now()
                if now >= next_vitals:
                    next_vitals = now + 250_000_000
                    self._sink.send(vitals_frame())
                if is_over or now >= next_flush:  # it also wakes for ends of calls: rows go out together
                    next_flush = now + 25_000_000
                    self._flush(is_over)
                if is_over:
                    return
        except Exception as error:  # the script must learn of it, whatever it is
            self._lost = error
            print(f"lockstep: nothing more is sent to the workbench: {error}", file=sys.stderr)

    def _flush(self, is_over):
        rows = []
        spans = []
        metrics = {}
        for _ in range(len(self._queue)):
            item = self._queue[0]
            if isinstance(item, _StepRow):
                if not item.has_loss(is_over):
                    break
                self._look_for_nan(item)
                rows.append(item.columns(self.world_size, self._is_watched))
                spans.extend(item.span_rows())
                if len(rows) == MOST_ROWS:
                    rows = self._send_rows(rows)
            elif isinstance(item, tuple):
                metrics.setdefault(item[0], []).append(item[1])
            else:
                rows = self._send_rows(rows)
                self._sink.send(item)
            self._queue.popleft()
        self._send_rows(rows)
        if self._unsent:
            count, self._unsent = self._unsent, 0
            text = f"rank {self.rank}: {count} steps, metrics or log lines were not sent, because the workbench did not read"
            self._sink.send(log_frame(LEVELS.index("warning"), text))
        if spans:
            self._sink.send(spans_frame(spans[:MOST_SPANS], max(0, len(spans) - MOST_SPANS)))
        for name, values in metrics.items():
            for i in range(0, len(values), MOST_ROWS):
                self._sink.send(metrics_frame(name, values[i:i + MOST_ROWS]))

    def _look_for_nan(self, row):
        """Says once where a loss stops being a number; one that was never told is NaN from the first step on."""
        is_number = math.isfinite(row.loss)
        if self._had_loss and not is_number:
            where = "" if self._watcher is None else self._watcher.told_loss()
            text = f"rank {self.rank}: the loss is {row.loss} from step {row.step} on{where}"
            self._sink.send(log_frame(LEVELS.index("warning"), text))
        self._had_loss = is_number

    def _send_rows(self, rows):
        if rows:
            self._sink.send(steps_frame(rows))
        return []

    def _end(self, outcome, message):
        if self._sink is None or self._is_over:
            return
        for name in sorted(set(_given_parameters()) - _asked - _flags):
            self.log(f"own.{name} was given, but the script never asked for it", "warning")
        self._prepare()
        if self._watcher is not None:
            self._watcher.report()
            if self.world_size > 1:  # another rank may wait for a call that this one did not make
                self._queue.append(calls_frame(self.rank, self._watcher.last_calls()))
            self._watcher.forget_groups()
        self._is_over = True
        os.write(self._wake, b"x")
        self._thread.join(10)
        if self._thread.is_alive():
            return
        try:
            if self._lost is None:
                self._sink.send(goodbye_frame(outcome, self._step, message))
            self._sink.close()
        except OSError:
            pass
        os.close(self._waker)
        os.close(self._wake)

    def _abandon(self):
        """In a forked child, where the script may still hold this run."""
        if self._is_over:
            return
        self._is_over = True
        self._sink.abandon()
        os.close(self._waker)
        os.close(self._wake)

    def _fail(self, kind, error, trace):
        """One line: the rank, the error, and the script's own line that led to it."""
        frames = [each for each in traceback.extract_tb(trace) if each.filename != __file__]
        own = [each for each in frames if not _is_library(each.filename)] or frames
        lines = [f'File "{own[-1].filename}", line {own[-1].lineno}, in {own[-1].name}', own[-1].line] if own else []
        lines += [line.strip() for part in traceback.format_exception_only(kind, error)
                  for line in part.strip().splitlines()[:2]]
        self._end(FAILED, f"rank {self.rank} failed after step {self._step}; its last lines: "
                          + " | ".join(filter(None, lines[:5])))

    # -- collectives

    def _collective(self, start, end, is_told=True):
        self._is_watched = True
        if len(self._calls) < MOST_OF_STEP:
            self._calls.append((start, end, is_told))


def _is_library(path):
    return path.startswith(("<", os.path.dirname(os.__file__) + os.sep)) or "-packages" + os.sep in path


_run = None


def _told_rank():
    """This process's rank and the number of ranks, as its environment says."""
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


def connect(timeout=10.0):
    """The run of this process. Raises ConnectionError if there is a workbench that cannot be reached."""
    global _is_called
    _is_called = True  # the script reports more than can be seen from outside
    if _watcher is not None:
        _watcher.leave()
    return _join(*_told_rank(), timeout)


_is_called = False  # by the script: connect()


def _join(rank, world_size, timeout=10.0):
    global _run
    if _run is not None:
        return _run
    environment = os.environ
    torch = sys.modules.get("torch")
    hello = hello_frame(environment.get("LOCKSTEP_RUN", ""), rank, world_size, "cpu",
                        str(getattr(torch, "__version__", "")))
    sink = None
    if "LOCKSTEP_TELEMETRY" in environment:
        secret = bytes.fromhex(environment.get("LOCKSTEP_SECRET", ""))
        if "LOCKSTEP_WATCH" not in environment:  # else children that are ranks need it
            environment.pop("LOCKSTEP_SECRET", None)
        try:
            sink = _Workbench(environment["LOCKSTEP_TELEMETRY"], secret, hello, timeout)
        except (OSError, struct.error) as error:
            raise ConnectionError(f"lockstep: no connection to the workbench: {error}") from None
    elif "LOCKSTEP_RECORD" in environment:
        sink = _File(environment["LOCKSTEP_RECORD"] + (f".{rank}" if rank else ""), hello, world_size)
    _run = Run(sink, rank, world_size)
    if sink is not None:
        _end_with_process()
    return _run


_is_hooked = False


def _end_with_process():
    """However this process ends, short of a signal, the run ends first."""
    global _is_hooked
    util = sys.modules.get("multiprocessing.util")
    if util is not None:  # children of fork and forkserver skip atexit
        util.Finalize(None, _finish, exitpriority=0)
    if _is_hooked:
        return
    _is_hooked = True
    atexit.register(_finish)
    _watch_exit()
    os.register_at_fork(after_in_child=_after_fork)
    previous = sys.excepthook

    def report(kind, error, trace):
        previous(kind, error, trace)
        sys.stderr.flush()
        _finish(error)

    sys.excepthook = report


_exit_code = None  # what sys.exit was given last


def _watch_exit():
    """Of SystemExit nothing is left when atexit calls us."""
    original = sys.exit

    @functools.wraps(original)
    def leave(*arguments):
        global _exit_code
        _exit_code = arguments[0] if len(arguments) == 1 else None
        original(*arguments)

    sys.exit = leave


def _finish(error=None):
    """Ends the run in order or, by the error that ends the process, as failed. multiprocessing calls it while an
    exception passes. A fault in here is one line, and the process ends as it would have."""
    if _run is None:
        return
    error = sys.exc_info()[1] if error is None else error
    code = _exit_code
    if isinstance(error, SystemExit):
        code = error.code
        error = error.__context__ if error.code else None
    try:
        if isinstance(error, Exception):
            _run._fail(type(error), error, error.__traceback__)
            return
        _run._is_stopped = _run._is_stopped or isinstance(error, KeyboardInterrupt)
        if _run._watcher is not None and _run._watcher.is_training_thread():
            try:
                _run._watcher.call(_run._watcher.find_step_by_hand, True)
            except SystemExit:  # stopped: it ends anyway
                code = None
        if code:
            text = str(code) if isinstance(code, int) else f"1: {code}"
            _run._end(FAILED, f"rank {_run.rank} ended with exit code {text} after step {_run._step}")
        else:
            _run.finish()
    except Exception as fault:
        print(f"lockstep: the end of the run was not told: {type(fault).__name__}: {fault}", file=sys.stderr)


def _after_fork():
    """A forked child is no rank until it joins itself."""
    global _run
    if _run is not None and _run._sink is not None:
        _run._abandon()
    _run = None
    if _watcher is not None:
        _watcher.begin()


# ---- collectives of PyTorch ------------------------------------------------------------------------------------------

_WATCHED = ("all_reduce", "reduce", "broadcast", "all_gather", "all_gather_into_tensor", "all_gather_object", "gather",
            "scatter", "reduce_scatter", "reduce_scatter_tensor", "all_to_all", "all_to_all_single", "barrier")


class _Work:
    """A started collective; wait() is stamped."""

    def __init__(self, work):
        self._work = work

    def wait(self, *arguments, **keywords):
        start = _now()
        try:
            return self._work.wait(*arguments, **keywords)
        finally:
            _run._collective(start, _now(), is_told=False)

    def __getattr__(self, name):
        return getattr(self._work, name)


def watch(distributed):
    """`watch(torch.distributed)` stamps the collectives that the script calls as functions of that module. With one
    blocking collective per step (or several in a row) waiting is told apart from transferring."""
    run = connect()
    if run._sink is None:
        return distributed
    run._is_watched = True

    def stamped(call):
        def wrapper(*arguments, **keywords):
            start = _now()
            result = call(*arguments, **keywords)
            if keywords.get("async_op") and result is not None:
                return _Work(result)
            on_device = any(getattr(each, "is_cuda", False) for each in arguments)
            run._collective(start, _now(), is_told=not on_device)
            return result
        wrapper.__wrapped__ = call
        return wrapper

    for name in _WATCHED:
        call = getattr(distributed, name, None)
        if call is not None and not hasattr(call, "__wrapped__"):
            setattr(distributed, name, stamped(call))
    return distributed


def ddp(model, state=None, hook=None):
    """Stamps the collectives of a DistributedDataParallel model, bucket by bucket, and returns it. `hook` and `state`: a
    communication hook of one's own; without one gradients are averaged as DDP does."""
    run = connect()
    if run._sink is None:
        if hook is not None:
            model.register_comm_hook(state, hook)
        return model
    if hook is None:
        from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook as hook

    def stamped(of_hook, bucket):
        start = _now()
        is_last = bucket.is_last()

        def done(future):
            run._buckets.append((start, _now(), is_last))
            value = future.value()
            return value[0] if isinstance(value, (list, tuple)) else value

        return hook(of_hook, bucket).then(done)

    model.register_comm_hook(state, stamped)
    run._is_watched = True
    return model


# ---- watching a script that does not call us -------------------------------------------------------------------------
#
# sitecustomize.py calls watch_torch() when torch has been imported. Methods of torch are replaced by wrappers that
# stamp the time and call the original with the arguments as they are: nothing else is computed, so that weights stay
# the same to the last bit. A fault in here ends the watching with one warning, never the script.

_watcher = None

# The methods of ProcessGroup: the call's place in core/base/call.h, and the argument whose bytes count.
_GROUP_CALLS = {"broadcast": (0, 0), "reduce": (1, 0), "allreduce": (2, 0), "allreduce_coalesced": (2, 0),
                "gather": (3, 1), "allgather": (4, 1), "_allgather_base": (4, 1), "allgather_coalesced": (4, 1),
                "allgather_into_tensor_coalesced": (4, 1), "scatter": (5, 0), "reduce_scatter": (6, 1),
                "_reduce_scatter_base": (6, 1), "reduce_scatter_tensor_coalesced": (6, 1), "alltoall": (7, 1),
                "alltoall_base": (7, 1), "barrier": (8, None), "send": (9, 0), "recv": (10, 0),
                "recv_anysource": (10, 0)}
_CALL_NAMES = ("broadcast", "reduce", "all_reduce", "gather", "all_gather", "scatter", "reduce_scatter", "all_to_all",
               "barrier", "send", "recv")
# The operators of the dispatcher that C++ calls, each with its method of ProcessGroup.
_OPERATORS = {"broadcast_": "broadcast", "reduce_": "reduce", "allreduce_": "allreduce",
              "allreduce_coalesced_": "allreduce_coalesced", "gather_": "gather", "allgather_": "allgather",
              "_allgather_base_": "_allgather_base", "allgather_coalesced_": "allgather_coalesced",
              "allgather_into_tensor_coalesced_": "allgather_into_tensor_coalesced", "scatter_": "scatter",
              "reduce_scatter_": "reduce_scatter", "_reduce_scatter_base_": "_reduce_scatter_base",
              "reduce_scatter_tensor_coalesced_": "reduce_scatter_tensor_coalesced", "alltoall_": "alltoall",
              "alltoall_base_": "alltoall_base", "barrier": "barrier", "send": "send", "recv_": "recv",
              "recv_any_source_": "recv_anysource"}
_LAST_CALLS = 64
_MOST_CURVES = 200
_MOST_CODES = 20_000
_STALL_NS = 2_000_000_000
_PATIENCE_NS = 10_000_000_000  # of a call, before it is said
_FORWARD, _BACKWARD, _OPTIMIZE = 1, 2, 5


_captures = []  # CUDA graphs that are being captured: no thread may ask a GPU for anything meanwhile


def _watch_captures(torch):
    def beginning(original):
        def capture_begin(self, *arguments, **keywords):
            _captures.append(self)
            try:
                return original(self, *arguments, **keywords)
            except BaseException:
                _captures.remove(self)
                raise
        return capture_begin

    def ending(original):
        def capture_end(self, *arguments, **keywords):
            try:
                return original(self, *arguments, **keywords)
            finally:
                if self in _captures:
                    _captures.remove(self)
        return capture_end

    for name, make in (("capture_begin", beginning), ("capture_end", ending)):
        _replace(torch.cuda.CUDAGraph, name, make)


class _LateTensor:
    """A number that a GPU computes: copied behind the computation, read when the copy is done."""

    def __init__(self, torch, tensor):
        self._value = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
        self._value.copy_(tensor, non_blocking=True)
        self._event = torch.cuda.Event()
        self._event.record()

    def is_there(self):
        return not _captures and self._event.query()

    def value(self):
        self._event.synchronize()
        return float(self._value)


class _LateLoss:
    """The loss of a step, some of whose numbers are not there yet."""

    def __init__(self, losses, divisor):
        self._losses = losses
        self._divisor = divisor

    def is_there(self):
        return all(isinstance(each.value, float) or each.value.is_there() for each in self._losses)

    def value(self):
        for each in self._losses:
            if not isinstance(each.value, float):
                each.value = each.value.value()
        return _combined(self._losses, self._divisor)


class _Place:
    """A call in the script, by its line and bytecode offset."""

    __slots__ = ("code", "line")

    def __init__(self, code, line):
        self.code = code
        self.line = line


_NO_WEIGHTS = frozenset()


class _Loss:
    """What one call of backward was given; `divisor`: what the script divided it by last; -1: not read."""

    __slots__ = ("value", "place", "divisor", "is_gradient", "zeroed")

    def __init__(self, value, place, divisor, is_gradient):
        self.zeroed = _NO_WEIGHTS  # ids of parameters whose gradients were set to zero afterwards
        self.value = value
        self.place = place
        self.divisor = divisor
        self.is_gradient = is_gradient


def _combined(losses, divisor):
    """The loss of a step. Calls from one place are parts of a batch: averaged, or added where each was divided by
    their number (`divisor`: that of an earlier step). Calls from different places are terms: added."""
    by_place = {}
    for each in losses:
        by_place.setdefault(each.place, []).append(each)
    total = 0.0
    for parts in by_place.values():
        whole = sum(each.value for each in parts)
        divisors = {each.divisor for each in parts} - {-1}
        is_divided = bool(divisors) and divisors <= {len(parts), divisor} and min(divisors) > 1
        total += whole if is_divided else whole / len(parts)
    return total if by_place else _NAN


class _Call:
    """A call of this rank to others. What most calls do not set is of the class."""

    peer = -1
    waited = left = 0
    seen = 0  # when the sending thread last found it open
    reference = None
    is_said = False

    def row(self):
        return (self.kind, self.step, self.number, self.known[1], self.known[2], self.peer, self.bytes, self.entered,
                self.waited, self.left)


def _tensors(value):
    """All tensors in an argument of a collective: a tensor, or lists of them."""
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _tensors(each)
    elif hasattr(value, "element_size"):
        yield value


def _first_tensor(batch, depth=0):
    if hasattr(batch, "element_size"):
        return batch
    parts = batch.values() if isinstance(batch, collections.abc.Mapping) else batch
    if depth < 4 and isinstance(batch, (list, tuple, collections.abc.Mapping)):
        for each in parts:
            found = _first_tensor(each, depth + 1)
            if found is not None:
                return found
    return None


class _Watcher:
    """What is seen of a script. Its methods are for the training thread, unless they say otherwise."""

    def __init__(self, torch):
        self.torch = torch
        self.tensor = torch.Tensor
        self.is_off = False
        self.folder = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
        self.is_library_of = {}  # id of a code -> (whether it is a library's, the code: so that the id stays its own)
        self.places = {}  # (id of a code, bytecode offset) -> _Place
        self.begin()

    def begin(self):
        """At the start, and in a forked child."""
        self.run = None
        self.early_spans = []  # before this process has joined
        self.early_outside = 0
        self.start = 0  # of the training; 0: not known
        self.thread = None  # that trains: the first that calls backward or steps
        self.step_depth = 0
        self.backward_depth = 0
        self.mark = _now()  # where the phase before ended
        self.losses = []
        self.has_zeroed = False  # whether zero_grad() was called since
        self.divisor = 0
        self.samples = 0
        self.samples_used = 0  # of these, before the last backward; while no optimizer has stepped
        self.optimizers = {}  # id -> [weak reference, name, place, steps]
        self.counting = None
        self.has_optimizer = False
        self.has_scaler = False
        self.leaves = []
        self.step_by_hand = False
        self.evaluations = []  # regions without gradients, outermost first: [start, place, whether a loader gave data]
        self.is_in_eval_mode = False
        self.mode_depth = 0
        self.mode_of = None  # the module that eval() was called of last
        self.frozen = weakref.WeakSet()  # modules that are in eval mode while others train
        self.backward_place = None
        self.loss_place = None
        self.backward_start = 0
        self.found = {}
        self.skipped = 0
        self.notes = []
        self.facts = {}
        self.calls = collections.deque(maxlen=_LAST_CALLS)
        self.last_at, self.last_change, self.is_stalled = None, 0, False
        self.is_asleep = False  # the sending thread: it looks at no call until it is woken, or has slept
        self.open_calls = {}  # id of a Work -> _Call
        self.bucket_calls = []
        self.numbers = {}  # id of a group -> what group_of() gives
        self.default_group = None
        self.totals = {}
        self.metric_names = set()

    # -- faults

    def call(self, method, *arguments):
        """Any thread. What goes wrong in here is one warning."""
        if self.is_off:
            return None
        try:
            return method(*arguments)
        except Exception as error:
            return self.fault(error)

    def fault(self, error):
        if self.is_off:
            return
        self.is_off = True
        self.forget_groups()
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        text = f"the script is no longer watched, because of a fault in lockstep.py, line {line}: " \
               f"{type(error).__name__}: {error}"
        print(f"lockstep: {text}", file=sys.stderr)
        if self.run is not None:
            self.run.log(text, "warning")

    def leave(self):
        """The script has called connect()."""
        self.is_off = True

    def is_training_thread(self):
        return self.thread is None or self.thread == _get_ident()

    def is_training(self):
        own = _get_ident()
        if self.thread is None:
            self.thread = own
        return self.thread == own

    # -- places

    def is_library(self, code):
        known = self.is_library_of.get(id(code))  # a code's own hash is slow
        if known is None:
            if len(self.is_library_of) > _MOST_CODES:  # a script that makes code as it runs
                self.is_library_of.clear()
                self.places.clear()
            name = code.co_filename
            is_library = name == __file__ or name.startswith(self.folder) or _is_library(name)
            known = self.is_library_of[id(code)] = (is_library, code)
        return known[0]

    def place(self, frame):
        """The user's line that led here."""
        first = frame
        known = self.is_library_of
        while frame is not None:
            each = known.get(id(frame.f_code))
            if not (self.is_library(frame.f_code) if each is None else each[0]):
                break
            frame = frame.f_back
        frame = frame or first
        key = (id(frame.f_code), frame.f_lasti)
        place = self.places.get(key)
        if place is None:
            place = self.places[key] = _Place(frame.f_code, frame.f_lineno)
        return place

    def told_place(self, place, name=""):
        """`name`: what is there; else the line itself is quoted."""
        line = place.line
        path = place.code.co_filename
        what = name or linecache.getline(path, line).strip()[:100]
        return {"what": what, "file": os.path.basename(path), "line": line}

    def told_loss(self):
        """Any thread: the place of the loss, for a message."""
        place = next(iter(self.found.get("loss", ())), None)
        return "" if place is None else f" ({os.path.basename(place.code.co_filename)}, line {place.line})"

    def note_found(self, what, place, name=""):
        found = self.found.setdefault(what, {})
        if place not in found and len(found) < 8:
            found[place] = name

    # -- ranks

    def join(self, rank=None, world_size=None):
        """As soon as this process is known to be a rank."""
        if self.run is not None:
            return
        if rank is None:
            rank, world_size = self.own_rank()
        try:
            self.run = _join(rank, world_size)
        except OSError as error:
            self.is_off = True
            print(f"lockstep: process {os.getpid()} is not watched as rank {rank}: {error} (without a process group "
                  "every process that trains is rank 0; one of them is shown)", file=sys.stderr)
            return
        if self.run._watcher is None and self.run._sink is not None:
            self.run._watcher = self
            self.run._spans = self.early_spans
            self.run._outside = self.early_outside
            self.run._last_end = self.start or self.run._last_end

    def own_rank(self):
        distributed = self.torch.distributed
        if distributed.is_available() and distributed.is_initialized():
            return distributed.get_rank(), distributed.get_world_size()
        return _told_rank()

    # -- steps

    def training_begins(self):
        """What came before is no part of the first step."""
        self.mark = self.start = _now()
        self.evaluations = []
        self.early_spans = []
        self.early_outside = 0
        if self.run is not None:
            self.run._last_end = self.mark
            self.run._outside = 0
            self.run._spans, self.run._calls, self.run._buckets = [], [], []

    def has_begun(self):
        return bool(self.losses) or (self.run is not None and self.run._step > 0)

    def optimizer_is_made(self, optimizer):
        self.has_optimizer = True
        if not self.has_begun() and self.is_training_thread():
            self.training_begins()

    def add_span(self, phase, start, end):
        spans = self.early_spans if self.run is None else self.run._spans
        if len(spans) < MOST_OF_STEP:
            spans.append((phase, start, end))

    def entry_of(self, optimizer, frame):
        entry = self.optimizers.get(id(optimizer))
        if entry is None or entry[0]() is not optimizer:
            entry = [weakref.ref(optimizer), type(optimizer).__name__, self.place(frame), 0]
            self.optimizers[id(optimizer)] = entry
        return entry

    def step_ends(self, start, before, optimizer, frame, returned, is_skipped=False):
        """`before`: the number of losses when it began at `start`; `returned`: by a closure."""
        counting = self.counting
        run = self.run
        if counting is not None and counting[3] and counting[0]() is optimizer and run is not None \
                and returned is None and len(self.losses) == 1 and type(self.losses[0].value) is float \
                and not (self.backward_depth or self.has_zeroed or is_skipped or len(run._spans) >= MOST_OF_STEP):
            groups = getattr(optimizer, "param_groups", None)
            rate = groups[0].get("lr") if groups else None
            if type(rate) is float:  # as below: what nearly all scripts do
                run._spans.append((_OPTIMIZE, start, _now()))
                counting[3] += 1
                loss, self.losses = self.losses[0].value, []
                self.end_step(loss, rate)
                return
        if self.backward_depth:  # a hook on a gradient steps: the backward pass continues after it
            self.add_span(_BACKWARD, self.backward_start, start)
            self.backward_start = _now()
        self.add_span(_OPTIMIZE, max(start, self.mark), _now())
        entry = self.entry_of(optimizer, frame)
        entry[3] += 1
        self.leaves = []
        losses, self.losses = self.losses, []
        if self.has_zeroed:
            self.has_zeroed = False
            losses = self.without_discarded(losses, optimizer)
        if self.counting is None or self.counting[0]() is None:
            self.counting = entry
        loss = self.loss_of(losses)
        if returned is not None and len(losses) > before == 0:  # a closure: it may have been called several times
            value = self.read(returned)
            if value is not None:
                loss = value
        if entry is not self.counting:
            if losses and isinstance(loss, float) and self.run is not None:
                self.run.metric(f"loss of {entry[1]}, line {entry[2].line}", loss)
            self.mark = _now()
            return
        if entry[3] == 1:
            self.note_found("step", entry[2], f"{entry[1]}.step")
        self.skipped += is_skipped
        group = optimizer.param_groups[0] if getattr(optimizer, "param_groups", None) else {}
        rate = group.get("lr", _NAN)
        if type(rate) is not float:
            rate = _NAN if hasattr(rate, "element_size") and rate.device.type != "cpu" else float(rate)
        if "parameters" not in self.facts and group:
            weights = [each for group in optimizer.param_groups for each in group["params"]]
            self.facts["parameters"] = sum(each.numel() for each in weights)
            self.facts["device"] = str(weights[0].device) if weights else "cpu"
        self.end_step(loss, rate)
        if self.backward_depth:
            self.backward_start = _now()

    def without_discarded(self, losses, optimizer):
        """The losses whose gradients reach a step of `optimizer`: none was set to zero after its backward."""
        groups = getattr(optimizer, "param_groups", None)
        weight = next((id(each) for each in groups[0]["params"]), 0) if groups else 0
        return [each for each in losses if weight not in each.zeroed]

    def gradients_are_zeroed(self, weights):
        """By zero_grad() of an optimizer or a module, of these parameters."""
        zeroed = {id(each) for each in weights}
        for each in self.losses:
            each.zeroed |= zeroed
        self.has_zeroed = True

    def loss_of(self, losses):
        if len(losses) == 1 and isinstance(losses[0].value, float):
            return losses[0].value
        if any(not each.is_gradient for each in losses):
            losses = [each for each in losses if not each.is_gradient]
        if losses and losses[-1].divisor == len(losses) > 1:
            self.divisor = len(losses)
        is_there = all(isinstance(each.value, float) for each in losses)
        return _combined(losses, self.divisor) if is_there else _LateLoss(losses, self.divisor)

    def end_step(self, loss, rate):
        if self.run is None:
            self.join()
        run = self.run
        if run is None or run._sink is None or run._is_over:
            return
        if run._lost is not None:
            self.is_off = True  # no workbench reads what would be kept
            return
        if run._step == 0:
            self.describe()
        run._add_step(loss, self.samples, rate)
        self.samples = 0
        if run._step == 5:
            self.report()
        run._control()
        self.mark = run._last_end
        if run._is_stopped and run._lost is None:
            raise SystemExit(0)  # in the script's own thread, so that it may tidy up

    def describe(self):
        distributed = self.torch.distributed
        if distributed.is_available() and distributed.is_initialized():
            self.facts["communication"] = distributed.get_backend()
        if not self.run._facts:
            self.run._facts = self.facts
        if "torch.distributed.rpc" in sys.modules and self.facts.get("same_batch"):
            self.run._shares = 1

    # -- losses

    def read(self, loss):
        """The number of a scalar tensor, at once or late; None: it is none."""
        if type(loss) is self.torch.Tensor and loss.is_cpu and not loss.dim() and not hasattr(loss, "_lockstep_loss"):
            return loss.item()
        if not hasattr(loss, "element_size"):
            return float(loss) if isinstance(loss, (int, float)) else None
        loss = getattr(loss, "_lockstep_loss", loss)
        if loss.numel() != 1 or type(loss).__name__ in ("FakeTensor", "FunctionalTensor"):  # a compiler's
            return None
        loss = loss.detach()
        if hasattr(loss, "to_local"):  # of a DTensor this rank's part: the whole would need communication
            loss = loss.to_local()
        if loss.device.type == "cpu":
            return float(loss)
        if loss.device.type != "cuda" or self.torch.cuda.is_current_stream_capturing():
            return _NAN
        return _LateTensor(self.torch, loss)

    @staticmethod
    def divisor_of(loss):
        node = getattr(getattr(loss, "_lockstep_loss", loss), "grad_fn", None)
        name = node.name() if node is not None else ""
        if name not in ("DivBackward0", "MulBackward0"):
            return 0
        other = node._saved_other
        if other is None or (hasattr(other, "device") and (other.device.type != "cpu" or other.numel() != 1)):
            return 0
        by = float(other)
        by = by if name == "DivBackward0" else 1 / by if by else 0.0
        return round(by) if abs(by - round(by)) < 1e-3 else 0

    def backward_begins(self, roots, gradients, frame, is_gradient):
        if not self.start:
            self.training_begins()
        is_counting = self.counting is not None
        if not is_counting:
            self.find_step_by_hand()
            self.samples_used = self.samples
        if self.is_in_eval_mode and not self.evaluations:
            self.is_in_eval_mode = False
            module = self.mode_of()
            if module is not None:
                self.frozen.add(module)
        self.backward_start = now = _now()
        spans = self.early_spans if self.run is None else self.run._spans
        if len(spans) < MOST_OF_STEP:
            spans.append((_FORWARD, self.mark, now))
        self.bucket_calls = []
        self.backward_place = place = self.place(frame)
        if is_counting and gradients is None and not self.losses and not self.divisor and not self.has_scaler \
                and type(roots) is self.tensor and roots.is_cpu and roots.numel() == 1:
            self.losses.append(_Loss(roots.item(), place, -1, is_gradient))  # as below: what nearly all scripts do
            if place is not self.loss_place:
                self.loss_place = place
                self.note_found("loss", place)
            return
        roots = roots if isinstance(roots, (list, tuple)) else [roots]
        if gradients is None:
            scalars = roots
        else:
            gradients = gradients if isinstance(gradients, (list, tuple)) else [gradients] * len(roots)
            scalars = [root for root, gradient in zip(roots, gradients) if gradient is None or gradient.numel() == 1]
        values = [value for value in map(self.read, scalars) if value is not None]
        if values:
            # Reading the divisor of a loss computed under checkpoint() would compute it anew: only where it may count.
            divisor = self.divisor_of(scalars[0]) if self.losses or self.divisor else -1
            if len(self.losses) < MOST_OF_STEP:
                self.losses.extend(_Loss(each, place, divisor, is_gradient) for each in values)
            self.note_found("loss", place)
        if not is_counting:
            self.add_leaves(roots)

    def backward_ends(self):
        self.mark = now = _now()
        spans = self.early_spans if self.run is None else self.run._spans
        if len(spans) < MOST_OF_STEP:
            spans.append((_BACKWARD, self.backward_start, now))
        if self.bucket_calls:
            self.add_buckets(now)
        if self.counting is None:
            self.leaves = [(weak, leaf._version, id(leaf.grad), -1 if leaf.grad is None else leaf.grad._version)
                           for weak, leaf in ((each[0], each[0]()) for each in self.leaves) if leaf is not None]

    def add_leaves(self, roots):
        """The parameters below a loss, while no optimizer has stepped."""
        if self.leaves and not self.has_begun():
            return
        known = {id(each[0]()) for each in self.leaves}
        seen = set()
        nodes = [root.grad_fn for root in roots if root.grad_fn is not None]
        while nodes and len(seen) < 100_000:
            node = nodes.pop()
            if node in seen:
                continue
            seen.add(node)
            leaf = getattr(node, "variable", None)
            if leaf is not None and id(leaf) not in known:
                self.leaves.append((weakref.ref(leaf), leaf._version, 0, -1))
            nodes.extend(each for each, _ in node.next_functions if each is not None)

    def find_step_by_hand(self, is_over=False):
        """Where no optimizer has stepped: the weights have changed since the last backward, so a step has ended.
        `is_over`: no backward follows the last change."""
        if self.counting is not None or self.backward_place is None or not self.leaves or self.step_depth:
            return
        is_changed = self.step_by_hand and is_over
        for weak, version, gradient, gradient_version in self.leaves:
            leaf = weak()
            if leaf is None:
                continue
            is_changed = is_changed or leaf._version != version
            if not is_changed and not self.has_optimizer:  # `weight.data -= ...` leaves the version as it was
                is_changed = (leaf.grad is None or id(leaf.grad) != gradient or leaf.grad._version != gradient_version)
            if is_changed:
                break
        if is_changed:
            self.step_by_hand = True
            losses, self.losses = self.losses, []
            self.note_found("step", losses[0].place if losses else self.backward_place, "weights changed by hand")
            following = self.samples - self.samples_used  # the next step's batch has come already
            self.samples = self.samples_used
            self.end_step(self.loss_of(losses), _NAN)
            self.samples = following

    # -- phases

    def data_came(self, loader, batch, start, frame):
        now = _now()
        if self.evaluations or (self.is_in_eval_mode and self.has_begun()):
            if self.evaluations:
                self.evaluations[0][2] = True
            else:
                self.add_evaluation(start, now, self.place(frame))
            return
        if not self.has_begun() and not self.samples:
            self.training_begins()
            self.start = start
            if self.run is not None:
                self.run._last_end = start
            dataset = getattr(loader, "_dataset", None)
            if hasattr(dataset, "__len__"):
                self.facts["train_samples"] = len(dataset)
        self.add_span(0, start, now)
        self.mark = now
        tensor = _first_tensor(batch)
        if tensor is not None and tensor.dim() > 0:
            self.samples += tensor.shape[0]
        self.note_found("data", self.place(frame))

    def mode_changes(self, module, is_training):
        if is_training or module not in self.frozen:
            self.is_in_eval_mode = not is_training
            self.mode_of = None if is_training else weakref.ref(module)

    def region_begins(self, frame):
        """Of no_grad() or inference_mode(), from a user's line."""
        self.evaluations.append([_now(), self.place(frame), False])

    def region_ends(self):
        start, place, has_loaded = self.evaluations.pop()
        if self.evaluations or self.losses:
            return
        now = _now()
        if has_loaded or self.is_in_eval_mode or (
                self.backward_place is not None and place.code is not self.backward_place.code and now - start > 500_000):
            self.add_evaluation(start, now, place)

    def add_evaluation(self, start, end, place):
        self.note_found("evaluation", place)
        self.mark = end
        run = self.run
        if run is None:
            self.early_outside += end - start
            return
        if run._sink is None or run._is_over:
            return
        run._calls = [each for each in run._calls if each[0] < start]
        run._add_evaluation(start, end)

    # -- metrics

    def metric(self, name, value, frame):
        if hasattr(value, "element_size"):
            if value.numel() != 1 or value.device.type != "cpu":
                return
        run = self.run
        try:
            number = float(value)
        except (TypeError, ValueError):
            return
        self.note_found("metrics", self.place(frame))
        if run is None or run._sink is None:
            return
        name = str(name)[:100] or "metric"
        if name not in self.metric_names:
            if len(self.metric_names) == _MOST_CURVES:
                return
            self.metric_names.add(name)
        words = name.lower()
        if "acc" in words and any(each in words for each in ("test", "val", "eval")):
            run.evaluate(accuracy=number / 100 if number > 1 else number)
        run.metric(f"logged {name}" if name in ("loss", "accuracy", "test_loss") else name, number)

    # -- communication

    def group_of(self, group):
        """Of a process group: itself, its number, its members, their ranks, and how many calls it has had."""
        c10d = self.torch.distributed.distributed_c10d
        everyone = self.run.world_size if self.run is not None else group.size()  # RPC has a group before it begins
        ranks = list(c10d._pg_group_ranks.get(group, {})) or list(range(everyone))
        name = str(c10d._pg_names.get(group, "0"))
        is_all = len(ranks) == everyone
        number = int(name) if name.isdigit() else zlib.crc32(name.encode()) >> 2
        if is_all and name in ("0", "default_pg"):
            number = 0
        members = sum(1 << rank for rank in ranks if rank < 63)
        known = self.numbers[id(group)] = (group, number, members, ranks, {})
        return known

    def forget_groups(self):
        """Before they are destroyed, and at the end: nothing of ours keeps a group or its threads alive."""
        self.numbers.clear()
        self.default_group = None
        self.open_calls.clear()
        for each in [*self.calls, *self.bucket_calls]:
            each.work = None

    def total(self, key, name, by, place):
        """[calls, bytes, ns, place, name, by whom] of all calls of a kind."""
        total = self.totals.get(key)
        if total is None:
            total = self.totals[key] = [0, 0, 0, place, name, by]
        return total

    def add_call(self, kind, which, arguments, group, work, entered, by, place):
        """Any thread: a call has been made; `which`: the argument whose bytes count."""
        known = self.numbers.get(id(group))
        if known is None or known[0] is not group:
            known = self.group_of(group)
        run = self.run
        each = _Call()
        each.kind = kind
        each.step = run._step + 1 if run is not None else 0
        key = -1
        if kind > 8:
            # recv_anysource has no peer: its second argument is the tag
            peer = arguments[1] if len(arguments) > 2 and isinstance(arguments[1], int) else -1
            key = (kind, peer)
            if 0 <= peer < len(known[3]):
                each.peer = known[3][peer]
        counts = known[4]
        counts[key] = each.number = counts.get(key, 0) + 1
        each.known = known
        size = 0
        if which is not None and which < len(arguments):
            value = arguments[which]
            if type(value) is list and len(value) == 1:
                value = value[0]
            if type(value) is self.tensor:
                size = value.numel() * value.element_size()
            else:
                size = sum(tensor.numel() * tensor.element_size() for tensor in _tensors(value))
        each.bytes = size
        each.entered = entered
        each.returned = _now()
        each.work = work
        each.place = place
        key = kind if by == "Python" else ~kind
        each.total = total = self.totals.get(key) or self.total(key, _CALL_NAMES[kind], by, place)
        total[0] += 1
        total[1] += size
        self.calls.append(each)
        if work is not None:
            self.open_calls[id(work)] = each
        return each

    def called_from_c(self, kind, which, arguments, result, entered, frame):
        """Any thread: by DDP's reducer, or another part of torch."""
        work = group = None
        if self.unbox_work is not None:
            boxed = result[-1] if isinstance(result, (list, tuple)) else result
            work = self.unbox_work(boxed) if isinstance(boxed, self.box) else None
            for each in arguments:
                if isinstance(each, self.box):
                    group = self.unbox_group(each)
                    break
        if group is None:
            group = self.default_group
            if group is None:
                distributed = self.torch.distributed
                if not distributed.is_initialized():
                    return
                group = self.default_group = distributed.distributed_c10d._get_default_group()
        place = self.backward_place if self.backward_depth else self.place(frame)
        each = self.add_call(kind, which, arguments, group, work, entered, "C++", place)
        if self.is_asleep and work is not None and self.run is not None and not self.run._is_over:
            self.is_asleep = False
            os.write(self.run._wake, b"c")  # its end is asked for soon after it, not up to 25 ms later
        if self.backward_depth:
            self.bucket_calls.append(each)
        elif self.run is not None and not self.evaluations:
            self.run._collective(entered, each.returned, is_told=False)

    def waited(self, work, each):
        now = _now()
        start = each.waited
        self.open_calls.pop(id(work), None)
        each.work = None
        each.left = now
        is_blocking = start - each.returned < 100_000
        first = each.entered if is_blocking else start
        each.total[2] += now - first
        if self.run is not None and (self.thread is None or self.thread == _get_ident()) and not self.evaluations:
            self.run._collective(first, now, is_blocking and each.kind < 9)

    def stretch(self, name, start, frame):
        """A call that blocks and is no collective of a group: RPC, or the wait of a functional collective."""
        now = _now()
        total = self.total(name, name, "Python", self.place(frame))
        total[0] += 1
        total[2] += now - start
        if self.run is not None and self.is_training_thread() and not self.evaluations:
            self.run._collective(start, now, is_told=False)

    def add_buckets(self, end):
        """At the end of a backward: what DDP started in it has ended, for it waits for that."""
        calls, self.bucket_calls = self.bucket_calls, []
        run = self.run
        if run is None:
            return
        if run._buckets:  # an earlier backward of the same step
            start = max(bucket[0] for bucket in run._buckets)
            run._collective(start, max(bucket[1] for bucket in run._buckets), is_told=False)
            run._buckets = []
        run._is_watched = True
        for each in calls:
            self.open_calls.pop(id(each.work), None)
            if not each.left:  # since the last look at it
                each.left = (each.seen + end) // 2 if each.seen else end
            each.work = None
            run._buckets.append((each.entered, each.left, each is calls[-1]))
            each.total[2] += each.left - each.entered

    def last_calls(self):
        """Any thread: rows for calls_frame(). The end of a backward pass waits for what began in it."""
        for each in list(self.bucket_calls):
            if not each.left and not each.waited:
                each.waited = each.returned
        return [each.row() for each in list(self.calls)]

    def look_for_stall(self, now):
        """The sending thread: where nothing happens the workbench gets the last calls, to say who waits for whom."""
        run = self.run
        now_at = (run._step, self.calls[-1] if self.calls else None)
        if now_at != self.last_at:
            self.last_at, self.last_change = now_at, now
            if self.is_stalled:
                self.is_stalled = False
                run._queue.append(calls_frame(run.rank, []))
        elif not self.is_stalled and self.calls and run.world_size > 1 and now - self.last_change > _STALL_NS:
            self.is_stalled = True
            run._queue.append(calls_frame(run.rank, self.last_calls()))

    def look_after_calls(self):
        """The sending thread: ends of calls that no thread has waited for yet; returns how long it may sleep. A call that
        has ended is let go, for it holds its tensors."""
        if self.is_off:
            return 0.025
        now = _now()
        self.is_asleep = True
        self.look_for_stall(now)
        if not self.open_calls or _captures:
            return 0.025
        patience = 0.025
        try:
            for key, each in list(self.open_calls.items()):
                if each.waited and not each.is_said and now - each.waited > _PATIENCE_NS:
                    each.is_said = True
                    where = self.told_place(each.place)
                    self.run.log(f"rank {self.run.rank} has waited {_PATIENCE_NS // 1_000_000_000} s for "
                                 f"{_CALL_NAMES[each.kind]} number {each.number}, in step {each.step}, "
                                 f"{where['file']}, line {where['line']}", "warning")
                work = each.work
                if each.waited:
                    continue
                if work is None:
                    if each.reference is not None and each.reference() is None:
                        self.open_calls.pop(key, None)  # the script does not keep it either
                elif work.is_completed():
                    each.left = (max(each.seen, each.returned) + _now()) // 2  # it ended between two looks
                    each.reference = weakref.ref(work)
                    each.work = None
                else:
                    each.seen = now
                    patience = min(patience, max(0.0005, min(0.002, (now - each.entered) / 8e9)))
        except Exception as error:
            if len(self.notes) < 5:
                self.notes.append(f"ends of calls: {error}")
            self.open_calls.clear()
        return patience

    # -- what was seen

    def report(self):
        """For the run's page, as JSON: what was found where, and what was not."""
        run = self.run
        if run is None or run._sink is None:
            return
        told = {"missing": []}
        for what in ("loss", "step", "data", "evaluation"):
            places = [self.told_place(place, name) for place, name in self.found.get(what, {}).items()]
            if places:
                told[what] = places[0]
                told.setdefault("file", places[0]["file"])
                if len(places) > 1:
                    told[what + "_too"] = places[1:]
            else:
                told["missing"].append(what)
        told["optimizers"] = [
            {**self.told_place(place, name + ".step"), "steps": steps, "counts": entry is self.counting}
            for entry in list(self.optimizers.values())[:8] for _, name, place, steps in (entry,)]
        told["communication"] = [{**self.told_place(place, name), "by": by, "calls": calls, "bytes": size, "ns": ns}
                                 for calls, size, ns, place, name, by in list(self.totals.values())]
        told["skipped"] = self.skipped
        told["curves"] = sorted(self.metric_names)[:50]
        told["notes"] = self.notes[:5]
        run.log("watch: " + json.dumps(told))


# -- wrappers: each calls the original, whatever happens to the watcher

def _replace(owner, name, make):
    original = getattr(owner, name, None)
    if original is None or hasattr(original, "_lockstep_original"):
        return
    wrapper = make(original)
    functools.update_wrapper(wrapper, original)
    wrapper._lockstep_original = original
    setattr(owner, name, wrapper)


def _watch_steps(torch, watcher):
    compiler = getattr(torch, "compiler", None)
    is_compiling = getattr(compiler, "is_compiling", None) or (lambda: False)

    def stepping(original):
        def step(self, *arguments, **keywords):
            if is_compiling():
                return original(self, *arguments, **keywords)
            if watcher.is_off or (watcher.thread != _get_ident() and not watcher.is_training()):
                return original(self, *arguments, **keywords)
            is_outermost = watcher.step_depth == 0
            watcher.step_depth += 1
            has_closure = (arguments[0] if arguments else keywords.get("closure")) is not None
            before = len(watcher.losses)
            start = _now()
            try:
                result = original(self, *arguments, **keywords)
            finally:
                watcher.step_depth -= 1
            if is_outermost and not watcher.is_off:
                try:
                    watcher.step_ends(start, before, self, sys._getframe(1), result if has_closure else None)
                except Exception as error:
                    watcher.fault(error)
            return result
        return step

    def zeroing(weights_of):
        def make(original):
            def zero_grad(self, *arguments, **keywords):
                if watcher.losses and not is_compiling() and not watcher.is_off and watcher.is_training_thread():
                    watcher.call(lambda: watcher.gradients_are_zeroed(weights_of(self)))
                return original(self, *arguments, **keywords)
            return zero_grad
        return make

    of_optimizer = zeroing(lambda optimizer: [each["params"][0] for each in optimizer.param_groups[:1] if each["params"]])

    def made(original):
        def __init__(self, *arguments, **keywords):
            original(self, *arguments, **keywords)
            _replace(type(self), "step", stepping)
            _replace(type(self), "zero_grad", of_optimizer)
            watcher.call(watcher.optimizer_is_made, self)
        return __init__

    def scaling(original):
        def scale(self, outputs):
            scaled = original(self, outputs)
            if scaled is not outputs and hasattr(scaled, "element_size") and not is_compiling():
                watcher.has_scaler = True
                scaled._lockstep_loss = outputs.detach() if outputs.grad_fn is None else outputs
            return scaled
        return scale

    def scaled_step(original):
        def step(self, optimizer, *arguments, **keywords):
            if watcher.is_off or is_compiling():
                return original(self, optimizer, *arguments, **keywords)
            start = _now()
            before = watcher.call(lambda: watcher.entry_of(optimizer, sys._getframe(3))[3])
            result = original(self, optimizer, *arguments, **keywords)
            if before is not None and watcher.is_training():
                entry = watcher.optimizers.get(id(optimizer))
                if entry is not None and entry[3] == before:
                    watcher.call(watcher.step_ends, start, 0, optimizer, sys._getframe(1), None, True)
            return result
        return step

    _replace(torch.optim.Optimizer, "__init__", made)
    _replace(torch.optim.Optimizer, "zero_grad", of_optimizer)
    _replace(torch.nn.Module, "zero_grad", zeroing(lambda module: module.parameters()))
    scalers = [torch.cuda.amp.GradScaler]
    if hasattr(torch, "amp") and hasattr(torch.amp, "GradScaler"):
        scalers.append(torch.amp.GradScaler)
    for scaler in scalers:
        for name, make in (("scale", scaling), ("step", scaled_step)):
            if name in vars(scaler):
                _replace(scaler, name, make)
    return stepping


def _watch_backward(torch, watcher):
    def followed(original, is_gradient):
        def backward(*arguments, **keywords):
            if watcher.is_off or watcher.backward_depth or (watcher.thread != _get_ident() and not watcher.is_training()) \
                    or (is_gradient and (keywords.get("create_graph") or watcher.step_depth
                                         or watcher.is_library(sys._getframe(1).f_code))):
                return original(*arguments, **keywords)
            roots = arguments[0] if arguments else keywords.get("outputs" if is_gradient else "tensors", ())
            gradients = None if is_gradient else \
                arguments[1] if len(arguments) > 1 else keywords.get("gradient", keywords.get("grad_tensors"))
            try:
                watcher.backward_begins(roots, gradients, sys._getframe(1), is_gradient)
            except Exception as error:
                watcher.fault(error)
            watcher.backward_depth = 1
            try:
                result = original(*arguments, **keywords)
            finally:
                watcher.backward_depth = 0
            if not watcher.is_off:
                try:
                    watcher.backward_ends()  # where it failed, its calls stay open in the record
                except Exception as error:
                    watcher.fault(error)
            return result
        return backward

    # Tensor.backward() calls torch.autograd.backward().
    _replace(torch.autograd, "backward", lambda original: followed(original, False))
    _replace(torch.autograd, "grad", lambda original: followed(original, True))
    for name in ("backward", "grad"):  # TorchScript knows these functions by their identity
        torch.jit._builtins._register_builtin(getattr(torch.autograd, name), "aten::" + name)


def _watch_phases(torch, watcher):
    from torch.utils.data import dataloader
    context = os.path.join("torch", "utils", "_contextlib.py"), os.path.join("torch", "autograd", "grad_mode.py")

    def following(original):
        def __next__(self):
            start = _now()
            batch = original(self)
            if not watcher.is_off and watcher.is_training_thread():
                watcher.call(watcher.data_came, self, batch, start, sys._getframe(1))
            return batch
        return __next__

    def user_frame(frame):
        """The user's frame that opened a region, or None where torch did."""
        if frame.f_code.co_filename.endswith(context):  # a decorator
            called = frame.f_locals.get("func")
            code = getattr(getattr(called, "__wrapped__", called), "__code__", None)
            if code is None or watcher.is_library(code):
                return None
            frame = frame.f_back
        return None if frame is None or watcher.is_library(frame.f_code) else frame

    def entering(original):
        def __enter__(self):
            result = original(self)
            if not watcher.is_off and not watcher.step_depth and not watcher.backward_depth \
                    and watcher.is_training_thread():
                frame = watcher.call(user_frame, sys._getframe(1))
                if frame is not None:
                    self._lockstep_region = True
                    watcher.call(watcher.region_begins, frame)
            return result
        return __enter__

    def leaving(original):
        def __exit__(self, *arguments):
            if self.__dict__.pop("_lockstep_region", False) and watcher.evaluations:
                watcher.call(watcher.region_ends)
            return original(self, *arguments)
        return __exit__

    def switching(original):
        def train(self, mode=True):
            if watcher.is_off or not watcher.is_training_thread():
                return original(self, mode)
            watcher.mode_depth += 1  # it calls itself for all modules below
            try:
                return original(self, mode)
            finally:
                watcher.mode_depth -= 1
                if watcher.mode_depth == 0:
                    watcher.call(watcher.mode_changes, self, mode)
        return train

    _replace(dataloader._BaseDataLoaderIter, "__next__", following)
    for region in (torch.no_grad, torch.inference_mode):
        _replace(region, "__enter__", entering)
        _replace(region, "__exit__", leaving)
    _replace(torch.nn.Module, "train", switching)


def _watch_communication(torch, watcher):
    distributed = torch.distributed
    if not distributed.is_available():
        return
    c10d = torch._C._distributed_c10d
    # Looking for __torch_function__ in a group or a work costs two C++ exceptions each.
    as_it_is = getattr(torch._C, "DisableTorchFunctionSubclass", None) or torch._C.DisableTorchFunction
    guard = torch._C.ExcludeDispatchKeyGuard
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)
    watcher.box = torch._C.ScriptObject
    watcher.unbox_work = getattr(c10d.Work, "unbox", None)
    watcher.unbox_group = getattr(c10d.ProcessGroup, "unbox", None)
    if watcher.unbox_group is None:
        watcher.unbox_work = None

    def calling(name):
        kind, which = _GROUP_CALLS[name]

        def make(original):
            def call(self, *arguments, **keywords):
                if watcher.is_off:
                    return original(self, *arguments, **keywords)
                start = _now()
                excluded = guard(keys)  # the operator below is not to stamp it again
                try:
                    work = original(self, *arguments, **keywords)
                finally:
                    del excluded
                try:
                    watcher.add_call(kind, which, arguments, self, work, start, "Python",
                                     watcher.place(sys._getframe(1)))
                except Exception as error:
                    watcher.fault(error)
                return work
            return call
        return make

    def waiting(original):
        def wait(self, *arguments, **keywords):
            each = watcher.open_calls.get(id(self))
            if each is None or (each.reference is not None and each.reference() is not self):
                return original(self, *arguments, **keywords)
            each.waited = _now()
            result = original(self, *arguments, **keywords)  # a call whose wait fails stays open in the record
            try:
                watcher.waited(self, each)
            except Exception as error:
                watcher.fault(error)
            return result
        return wait

    for name in _GROUP_CALLS:
        for owner in (c10d.ProcessGroup, getattr(c10d, "ProcessGroupGloo", None)):
            if owner is not None and name in vars(owner) and issubclass(owner, c10d.ProcessGroup):
                _replace(owner, name, calling(name))
    _replace(c10d.Work, "wait", waiting)
    _watch_operators(torch, watcher, guard, keys, as_it_is)

    def beginning(original):
        def init_process_group(*arguments, **keywords):
            result = original(*arguments, **keywords)
            watcher.call(watcher.join)
            return result
        return init_process_group

    def ending(original):
        def destroy_process_group(*arguments, **keywords):
            watcher.call(watcher.forget_groups)
            return original(*arguments, **keywords)
        return destroy_process_group

    for function, make in (("init_process_group", beginning), ("destroy_process_group", ending)):
        original = getattr(distributed, function)
        _replace(distributed, function, make)
        for name, module in list(sys.modules.items()):  # others have it under the same name
            if name.startswith("torch.") and vars(module).get(function) is original:
                setattr(module, function, getattr(distributed, function))


def _watch_operators(torch, watcher, guard, keys, as_it_is):
    """Calls from C++ pass the dispatcher: a kernel of ours in front of the backend's stamps them."""
    watcher.libraries = []

    def kernel_of(operator, stamp):
        def kernel(*arguments):
            start = _now()
            excluded = guard(keys)
            try:
                with as_it_is():
                    result = operator(*arguments)
            finally:
                del excluded
            watcher.call(stamp, arguments, result, start, sys._getframe())  # a thread of C++ has no other frame
            return result
        return kernel

    def add(namespace, names):
        library = torch.library.Library(namespace, "IMPL")
        watcher.libraries.append(library)
        for name, stamp in names.items():
            try:
                operator = getattr(getattr(torch.ops, namespace), name).default
                operator = getattr(operator, "_op", operator)  # without a layer of Python
                library.impl(name, kernel_of(operator, stamp), "ADInplaceOrView")
            except (AttributeError, RuntimeError):
                pass  # this torch has it under no such name

    add("c10d", {name: functools.partial(watcher.called_from_c, *_GROUP_CALLS[method])
                 for name, method in _OPERATORS.items()})

    def waited(arguments, result, start, frame):
        watcher.stretch("wait_tensor", start, frame)
    if hasattr(torch.ops, "_c10d_functional"):
        add("_c10d_functional", {"wait_tensor": waited})


def _watch_rpc(watcher, module):
    """`module`: torch.distributed.rpc."""
    def beginning(original):
        def init_rpc(name, *arguments, **keywords):
            result = original(name, *arguments, **keywords)
            watcher.call(joining)
            return result
        return init_rpc

    def joining():
        agent = module.api._get_current_rpc_agent()
        watcher.facts["same_batch"] = True
        watcher.join(agent.get_worker_info().id, len(agent.get_worker_infos()))

    def blocking(name):
        def make(original):
            def call(*arguments, **keywords):
                if watcher.is_off or not watcher.is_training_thread():
                    return original(*arguments, **keywords)
                start = _now()
                try:
                    return original(*arguments, **keywords)
                finally:
                    watcher.call(watcher.stretch, name, start, sys._getframe(1))
            return call
        return make

    _replace(module, "init_rpc", beginning)
    for owner in (module, module.api):
        _replace(owner, "rpc_sync", blocking("rpc_sync"))
    module.rpc_sync = module.api.rpc_sync
    from torch.distributed import autograd

    def followed(original):
        def backward(*arguments, **keywords):
            if watcher.is_off or not watcher.is_training():
                return original(*arguments, **keywords)
            roots = arguments[1] if len(arguments) > 1 else keywords.get("roots", ())
            watcher.call(watcher.backward_begins, roots, None, sys._getframe(1), False)
            watcher.backward_depth += 1
            try:
                return original(*arguments, **keywords)
            finally:
                watcher.backward_depth -= 1
                watcher.call(watcher.backward_ends)
        return backward
    _replace(autograd, "backward", followed)


def _watch_scalars(watcher, owner, name, pairs):
    """`pairs(arguments, keywords)`: names and values that a logger was given."""
    def logging(original):
        def log(self, *arguments, **keywords):
            if not watcher.is_off and watcher.is_training_thread():
                for each, value in watcher.call(pairs, arguments, keywords) or ():
                    watcher.call(watcher.metric, each, value, sys._getframe(1))
            return original(self, *arguments, **keywords)
        return log
    _replace(owner, name, logging)


def _one_scalar(first, second):
    def pairs(arguments, keywords):
        given = dict(zip((first, second), arguments), **keywords)
        return [(given.get(first), given.get(second))]
    return pairs


def watch_torch(torch, waiter):
    """Called by sitecustomize.py when torch has been imported; `waiter.waits`: what to do for modules to come."""
    global _watcher
    if _watcher is not None or _is_called:
        return
    watcher = _watcher = _Watcher(torch)
    os.register_at_fork(after_in_child=watcher.begin)
    stepping = _watch_steps(torch, watcher)
    _watch_backward(torch, watcher)
    _watch_phases(torch, watcher)
    _watch_communication(torch, watcher)
    _watch_captures(torch)

    def of_batch(arguments, keywords):
        values = arguments[0] if arguments else keywords.get("values", {})
        return list(values.items()) if isinstance(values, dict) else []

    later = {
        "torch.distributed.rpc": lambda module: _watch_rpc(watcher, module),
        "torch.distributed.optim.optimizer": lambda module: _replace(module.DistributedOptimizer, "step", stepping),
        "accelerate.accelerator": lambda module: _watch_scalars(watcher, module.Accelerator, "log", of_batch)}
    for package in ("torch.utils.tensorboard", "tensorboardX"):
        later[package + ".writer"] = lambda module: _watch_scalars(
            watcher, module.SummaryWriter, "add_scalar", _one_scalar("tag", "scalar_value"))
    for package in ("lightning.pytorch", "pytorch_lightning"):
        later[package + ".core.module"] = lambda module: _watch_scalars(
            watcher, module.LightningModule, "log", _one_scalar("name", "value"))
    for name, call in later.items():
        if name in sys.modules:
            watcher.call(call, sys.modules[name])
        else:
            waiter.waits[name] = call


# ---- python3 -m lockstep: records a script without a workbench -------------------------------------------------------

_SITE = r'''
"""First on PYTHONPATH of a watched process: loads the sitecustomize that it hides, and waits for torch."""

import importlib.machinery
import importlib.util
import os
import sys


class Waiter:
    """A finder that calls `waits[name](module)` once that module has been imported, and finds nothing itself."""

    def __init__(self):
        self.waits = {}

    def find_spec(self, name, path=None, target=None):
        if name not in self.waits:
            return None
        for finder in list(sys.meta_path):
            spec = None if finder is self or not hasattr(finder, "find_spec") else finder.find_spec(name, path, target)
            if spec is not None:
                self._follow(name, spec.loader)
                return spec
        return None

    def _follow(self, name, loader):
        """A script may also only ask whether there is such a module: `waits` keeps it until it is imported."""
        execute = getattr(loader, "exec_module", None)

        def exec_module(module):
            vars(loader).pop("exec_module", None)
            execute(module)
            try:
                self.waits.pop(name, lambda _: None)(module)
            except Exception as error:  # the script continues, whatever it is
                print(f"lockstep: {name} is not watched: {error}", file=sys.stderr)

        if execute is not None and hasattr(loader, "__dict__"):
            loader.exec_module = exec_module


def watch():
    waiter = Waiter()

    def torch_is_imported(module):
        import lockstep
        lockstep.watch_torch(module, waiter)

    waiter.waits["torch"] = torch_is_imported
    sys.meta_path.insert(0, waiter)
    board = os.environ.get("LOCKSTEP_BOARD", "")
    if board.isdigit():  # a path serves children too, to whom the descriptor is not passed on
        os.environ["LOCKSTEP_BOARD"] = f"/proc/{os.getpid()}/fd/{board}"


def load_hidden():
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("LOCKSTEP_WATCH") == "auto":
    watch()
load_hidden()
'''


def _written(record):
    """The recordings of all ranks there are, and when each was written."""
    folder, name = os.path.split(record)
    names = [each for each in os.listdir(folder) if each.split(".")[:-1] == name.split(".") or each == name] \
        if os.path.isdir(folder) else []
    return {each: os.stat(os.path.join(folder, each)).st_mtime_ns for each in names}


def _tell_exit_code(path, process, code):
    """Of `raise SystemExit(3)` nothing is left in the process where it says how it ended: its recording says it here."""
    with open(path, "r+b") as file:
        data = file.read()
        start, last, rank = 0, 0, None
        while start + 4 <= len(data):
            size = struct.unpack_from("<I", data, start)[0]
            kind, table = read_frame(data[start + 4:start + 4 + size])
            if kind == HELLO and table.number(4, "q") == process:
                rank = table.number(2, "i")
            last, start = start, start + 4 + size
        if rank is None or kind != GOODBYE or table.number(0, "B") != FINISHED:
            return
        step = table.number(1, "q")
        file.seek(last)
        file.truncate()
        file.write(goodbye_frame(FAILED, step, f"rank {rank} ended with exit code {code} after step {step}"))


def _main(arguments):
    if not arguments or arguments[0] in ("-h", "--help"):
        print("LOCKSTEP_RECORD=FILE python3 -m lockstep SCRIPT|-m MODULE [ARGUMENT...]\n\n"
              "Runs a PyTorch script and records each of its ranks: FILE, FILE.1, ..., for `lockstep import FILE`.")
        return 0 if arguments else 2
    folder = tempfile.mkdtemp(prefix="lockstep-")
    try:
        with open(os.path.join(folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
            file.write(_SITE.lstrip())
        module = os.path.join(folder, "lockstep.py")
        shutil.copy(os.path.abspath(__file__), module)  # its neighbours hide no module
        py_compile.compile(module, quiet=2)  # once: compiling it takes each rank 6 MB, and 0.1 s
        record = os.path.abspath(os.environ.get("LOCKSTEP_RECORD", "lockstep.record"))
        environment = {**os.environ, "LOCKSTEP_WATCH": "auto", "LOCKSTEP_RECORD": record,
                       "LOCKSTEP_RECORD_SINCE": str(time.time_ns()),
                       "PYTHONPATH": os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))}
        before = _written(record)
        child = subprocess.Popen([sys.executable, *arguments], env=environment)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the script too
        signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        code = child.wait()
        written = _written(record)
        for each in written if code > 0 else ():
            if written[each] != before.get(each):
                try:
                    _tell_exit_code(os.path.join(os.path.dirname(record), each), child.pid, code)
                except (OSError, struct.error):
                    pass  # cut short: it says itself that it did not finish
        if written == before:
            print("lockstep: nothing was recorded: no training step of PyTorch was seen (python3 -I, -E and -S do not "
                  "load the watcher)", file=sys.stderr)
        return code if code >= 0 else 128 - code
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
