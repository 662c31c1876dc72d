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
"""

import atexit
import collections
import hashlib
import hmac
import json
import mmap
import os
import select
import shlex
import socket
import struct
import sys
import threading
import time
import traceback
from array import array

PHASES = ("data", "forward", "backward", "communicate", "wait", "optimize", "evaluate")
LEVELS = ("debug", "info", "warning", "error")

_now = time.monotonic_ns
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
HELD, METRICS = 17, 18
PROTOCOL = 2
PAUSE, RESUME, STOP, SET_STRAGGLER = range(4)
RUN_STEPS = 8
UNCOUNTED = 3  # steps after a hold, a pause or an evaluation that a block does not count
FINISHED, STOPPED, FAILED = range(3)
MOST_ROWS = 8192  # of a message: its frame stays far below the 4 MiB that are allowed
MOST_SPANS = 1 << 16  # that wait to be sent
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


# ---- parameters ------------------------------------------------------------------------------------------------------

_given = None
_asked = set()


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


class _File:
    """A recording, for `lockstep import`."""

    spec = {}

    def __init__(self, path, hello):
        spec = {"version": 1, "experiment": "own", "name": os.path.basename(sys.argv[0]) or "own", "repeat": 0,
                "base": {"strategy.name": "own", "rank.program": shlex.join([sys.executable] + sys.argv),
                         "world_size": int(os.environ.get("WORLD_SIZE", "1")),
                         **{"own." + name: value for name, value in _given_parameters().items()}}}
        self._file = open(path, "wb")
        self._file.write(frame(WELCOME, {0: Number("I", PROTOCOL), 1: json.dumps(spec)}) + hello)

    def send(self, data):
        self._file.write(data)

    def wait(self, seconds, waker):
        select.select([waker], [], [], seconds)
        return []

    def close(self):
        self._file.close()


class _Board:
    """Commands that rank 0 passes on, each with the step after which every rank carries it out.

    The workbench shares the memory among the ranks of a run (LOCKSTEP_BOARD: its descriptor). Rank 0 publishes a
    command for the end of the next step: no rank is past that, as long as the ranks meet in a collective every step.
    Every rank counts what it has read, so that no entry is written over before all have seen it.
    """

    ENTRIES = 64
    ENTRY = struct.Struct("<qqqd")
    RANKS = 64
    SIZE = 8 + ENTRIES * ENTRY.size + RANKS * 8

    def __init__(self, descriptor, rank, ranks):
        is_shared = descriptor >= 0
        self._memory = mmap.mmap(descriptor, self.SIZE) if is_shared else bytearray(self.SIZE)
        numbers = memoryview(self._memory).cast("q")  # written and read as a whole, unlike by struct
        self._count = numbers[:1]
        self._rank = rank if is_shared else 0
        self._counts_read = numbers[-self.RANKS:][:ranks if is_shared else 1]
        self._read = 0

    def publish(self, after_step, command, rank, value):
        """False if the slowest rank has to read first."""
        count = self._count[0]
        if count - min(self._counts_read) >= self.ENTRIES:
            return False
        self.ENTRY.pack_into(self._memory, 8 + count % self.ENTRIES * self.ENTRY.size, after_step, command, rank, value)
        self._count[0] = count + 1
        return True

    def due(self, step):
        """The next command for a rank that has done `step` steps (None: whatever is next), or None."""
        if self._count[0] == self._read:
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

    def columns(self, ranks, is_watched):
        arrival, communicate, hidden, untold, taken = self._communication()
        phases = [0] * len(PHASES)
        for phase, start, end in self.spans:
            stamped = _overlap(start, end, taken)
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
        run = self._run
        time_ns = _now() - self._start
        run._outside += time_ns
        run._turn.disturb()
        run._evaluation_ns += time_ns
        run._queue.append(spans_frame([(run._step, self._phase, self._start, time_ns)], 0))


class _Nothing:
    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        pass


_NOTHING = _Nothing()


# ---- a run -----------------------------------------------------------------------------------------------------------

class Run:
    """What connect() gives. All calls are for the training thread, except log()."""

    def __init__(self, sink):
        self.rank = int(os.environ.get("RANK", "0"))
        self.world_size = int(os.environ.get("WORLD_SIZE", "1"))
        self.local_rank = int(os.environ.get("LOCAL_RANK", "0"))
        #: `train.seed` plus the number of the repeat; 1 without a workbench.
        self.seed = int(os.environ.get("LOCKSTEP_SEED", "1"))
        self._sink = sink
        self._board = _Board(int(os.environ.get("LOCKSTEP_BOARD", "-1")), self.rank, self.world_size)
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
        self._delay = 0.0
        self._is_stopped = False
        self._is_over = False
        self._queue = collections.deque()  # in order: step rows, metrics (name, row) and frames
        self._controls = collections.deque()
        self._lost = None
        self._is_prepared = False
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
        if self._delay:
            time.sleep(self._delay)
        row = _StepRow()
        row.end = now = _now()
        self._step = row.step = self._step + 1
        self._samples += samples * self._shares  # every rank is taken to have as many
        row.wall = now - self._last_end - self._outside
        row.samples = self._samples
        row.batch = samples or 1  # the weight of its loss, where it is not told
        row.loss = float(loss)
        row.lr = float(lr)
        row.spans = self._spans
        row.calls = self._calls
        row.buckets = self._buckets
        if row.spans:
            self._spans = []
        if row.calls:
            self._calls = []
        if row.buckets:
            self._buckets = []
        self._outside = 0
        if not self._is_prepared:
            self._prepare()
        self._queue.append(row)
        self._turn.add(row.wall, samples)
        for name, value in metrics.items():
            self.metric(name, value)
        self._last_end = now
        self._control()
        return not self._is_stopped

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

    def metric(self, name, value):
        """A number of one's own after the last step, drawn as a curve of that name."""
        if not isinstance(name, str) or not 0 < len(name) <= 100:
            raise ValueError(f"metric: a name has 1 to 100 characters, {name!r} has not")
        if name in ("loss", "accuracy", "test_loss"):
            raise ValueError(f"metric: {name} is told with step() or evaluate()")
        if self._sink is not None and not self._is_over:
            self._queue.append((name, (self._step, self._samples, _now(), float(value))))

    def log(self, text, level="info"):
        """A line in the run's log. Any thread."""
        if level not in LEVELS:
            raise ValueError(f"log: {level!r} is not one of {', '.join(LEVELS)}")
        if self._sink is not None and not self._is_over:
            self._queue.append(log_frame(LEVELS.index(level), str(text)))

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

    # -- the sending thread

    def _send_all(self):
        next_vitals = 0
        try:
            while True:
                is_over = self._is_over  # first: what was recorded before it is then sent below
                self._controls.extend(self._sink.wait(0.0 if is_over else 0.025, self._waker))
                if _now() >= next_vitals:
                    next_vitals = _now() + 250_000_000
                    self._sink.send(vitals_frame())
                self._flush()
                if is_over:
                    return
        except Exception as error:  # the script must learn of it, whatever it is
            self._lost = error
            print(f"lockstep: nothing more is sent to the workbench: {error}", file=sys.stderr)

    def _flush(self):
        rows = []
        spans = []
        metrics = {}
        for _ in range(len(self._queue)):
            item = self._queue.popleft()
            if isinstance(item, _StepRow):
                rows.append(item.columns(self.world_size, self._is_watched))
                if item.spans:
                    spans.extend(item.span_rows())
            elif isinstance(item, tuple):
                metrics.setdefault(item[0], []).append(item[1])
            if isinstance(item, bytes) or len(rows) == MOST_ROWS:
                rows = self._send_rows(rows)
            if isinstance(item, bytes):
                self._sink.send(item)
        self._send_rows(rows)
        if spans:
            self._sink.send(spans_frame(spans[:MOST_SPANS], max(0, len(spans) - MOST_SPANS)))
        for name, values in metrics.items():
            for i in range(0, len(values), MOST_ROWS):
                self._sink.send(metrics_frame(name, values[i:i + MOST_ROWS]))

    def _send_rows(self, rows):
        if rows:
            self._sink.send(steps_frame(rows))
        return []

    def _end(self, outcome, message):
        if self._sink is None or self._is_over:
            return
        for name in sorted(set(_given_parameters()) - _asked):
            self.log(f"own.{name} was given, but the script never asked for it", "warning")
        self._prepare()
        self._is_over = True
        os.write(self._wake, b"x")
        self._thread.join(10)
        if self._lost is None and not self._thread.is_alive():
            try:
                self._sink.send(goodbye_frame(outcome, self._step, message))
                self._sink.close()
            except OSError:
                pass

    def _fail(self, kind, error, trace):
        """One line: the rank, the error, and the last lines of its traceback."""
        lines = [line.strip() for part in traceback.format_exception(kind, error, trace)
                 for line in part.strip().splitlines()]
        self._end(FAILED, f"rank {self.rank} failed after step {self._step}; its last lines: "
                          + " | ".join(lines[-4:]))

    # -- collectives

    def _collective(self, start, end, is_told=True):
        self._is_watched = True
        self._calls.append((start, end, is_told))


_run = None


def connect(timeout=10.0):
    """The run of this process. Raises ConnectionError if there is a workbench that cannot be reached."""
    global _run
    if _run is not None:
        return _run
    environment = os.environ
    rank = int(environment.get("RANK", "0"))
    torch = sys.modules.get("torch")
    hello = hello_frame(environment.get("LOCKSTEP_RUN", ""), rank, int(environment.get("WORLD_SIZE", "1")), "cpu",
                        str(getattr(torch, "__version__", "")))
    sink = None
    if "LOCKSTEP_TELEMETRY" in environment:
        secret = bytes.fromhex(environment.pop("LOCKSTEP_SECRET", ""))
        try:
            sink = _Workbench(environment["LOCKSTEP_TELEMETRY"], secret, hello, timeout)
        except (OSError, struct.error) as error:
            raise ConnectionError(f"lockstep: no connection to the workbench: {error}") from None
    elif "LOCKSTEP_RECORD" in environment:
        sink = _File(environment["LOCKSTEP_RECORD"] + (f".{rank}" if rank else ""), hello)
    _run = Run(sink)
    if sink is not None:
        atexit.register(_run.finish)
        previous = sys.excepthook

        def report(kind, error, trace):
            previous(kind, error, trace)
            sys.stderr.flush()
            if issubclass(kind, KeyboardInterrupt):
                return
            _run._fail(kind, error, trace)

        sys.excepthook = report
    return _run


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
