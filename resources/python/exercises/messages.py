"""Runs a student's function on groups of ranks and records what each rank sends and receives.

A call is recorded before it can block, as `call`; `wait` and `done` follow with the same index. A deadlock ends the
trial as soon as no rank can proceed: each rank reads the records of all for that.
"""

import json
import os
import sys
import threading
import time
import zlib

import torch
import torch.distributed as dist

import lockstep

_LOOK_S = 0.05
_LOOKS_BEFORE_MISMATCH = 60  # of collectives that do not match, which may still end by themselves
_OF_ANY_SIZE = ("all_to_all", "barrier", "send", "recv")  # what each rank gives may have its own size
_LEAVE_S = 10


def apart(value):
    """The same tensors, or lists of them, in memory of their own."""
    return [apart(each) for each in value] if isinstance(value, (list, tuple)) else value.detach().clone()


def checksum(tensors):
    """CRC-32 of the bytes of all."""
    value = 0
    for tensor in tensors:
        flat = tensor.detach().reshape(-1).contiguous()
        value = zlib.crc32(bytes(flat.view(torch.uint8).tolist()) if flat.numel() else b"", value)
    return value


class Recorder(lockstep._Watcher):
    """Stamps calls as the watcher of any PyTorch script does, and records each at once.

    What a call receives arrives in its tensors at wait(), and never earlier: code that does not wait is always wrong,
    not only when the others are late."""

    def __init__(self, exercise):
        super().__init__(torch)
        self.exercise = exercise
        self.case = -1  # nothing is recorded
        self.count = 0
        self.arrivals = {}  # by the id of the work: itself, and pairs of a tensor and what comes for it
        c10d = torch._C._distributed_c10d
        for owner in (c10d.ProcessGroup, c10d.ProcessGroupGloo):
            for name in set(lockstep._GROUP_CALLS) & set(vars(owner)) - {"send", "barrier"}:
                setattr(owner, name, self._receiving(getattr(owner, name)))
        lockstep._watch_communication(torch, self)
        for name in ("wait", "is_completed", "get_future"):
            setattr(c10d.Work, name, self._ending(getattr(c10d.Work, name), name))

    def join(self, *arguments):
        pass

    def add_call(self, kind, which, arguments, group, work, entered, by, place):
        each = super().add_call(kind, which, arguments, group, work, entered, by, place)
        if self.case < 0:
            return each
        each.index, self.count = self.count, self.count + 1
        each.case = self.case
        each.tensors = [] if which is None else list(lockstep._tensors(arguments[which]))
        tag = 0
        if kind > 8 and len(arguments) > 1:  # tensors, peer, tag; from any rank: tensors, tag
            tag = arguments[min(2, len(arguments) - 1)]
        self.exercise.record(
            "call", case=self.case, index=each.index, name=lockstep._CALL_NAMES[kind], peer=each.peer,
            tag=tag, group=each.known[1], members=each.known[2],
            number=each.number, bytes=each.bytes, line=self.exercise.line(), checksum=checksum(each.tensors),
            root=getattr(arguments[-1], "rootRank", -1))
        return each

    def _receiving(self, original):
        """The tensors that are written to are the first argument."""
        def call(group, *arguments, **keywords):
            if self.case < 0 or not arguments:
                return original(group, *arguments, **keywords)
            coming = apart(arguments[0])
            work = original(group, coming, *arguments[1:], **keywords)
            pairs = list(zip(lockstep._tensors(arguments[0]), lockstep._tensors(coming)))
            self.arrivals[id(work)] = (work, pairs)
            if work is None:
                self._arrive(work)
            return work
        return call

    def _arrive(self, work):
        for tensor, coming in self.arrivals.pop(id(work), (work, ()))[1]:
            tensor.data.copy_(coming)

    def _ending(self, original, name):
        wait = torch._C._distributed_c10d.Work.wait

        def call(work, *arguments, **keywords):
            each = self.open_calls.get(id(work))
            is_of_case = self.case >= 0 and each is not None and getattr(each, "case", -1) == self.case
            if is_of_case and name == "wait":
                self.exercise.record("wait", case=self.case, index=each.index, line=self.exercise.line())
            if name == "get_future":  # its end is not seen
                wait(work)
            result = original(work, *arguments, **keywords)
            if name != "is_completed" or result:
                before = checksum(each.tensors) if is_of_case else 0
                self._arrive(work)
                if is_of_case:
                    self.exercise.record("done", case=self.case, index=each.index, before=before,
                                         checksum=checksum(each.tensors))
            return result
        return call


class Ranks:
    """What the records of all ranks say of one case so far."""

    def __init__(self, count):
        self.files = [None] * count
        self.rest = [""] * count
        self.has_failed = [False] * count
        self.has_left = [False] * count
        self.over = [-1] * count  # the last case that this rank has come to the end of
        self.case = [-1] * count
        self.posted = [{} for _ in range(count)]  # channel or group -> names, roots and sizes
        self.received = [{} for _ in range(count)]  # tag -> how many receives have ended
        self.calls = [{} for _ in range(count)]
        self.waits = [None] * count

    def read(self):
        for rank in range(len(self.files)):
            if self.files[rank] is None:
                try:
                    self.files[rank] = open(f"rank-{rank}.jsonl", encoding="utf-8")
                except FileNotFoundError:
                    continue
            lines = (self.rest[rank] + self.files[rank].read()).split("\n")
            self.rest[rank] = lines.pop()
            for line in lines:
                self._take(rank, json.loads(line))

    def _take(self, rank, record):
        kind = record["record"]
        if kind == "case":
            self.case[rank] = record["case"]
            self.posted[rank], self.received[rank], self.calls[rank], self.waits[rank] = {}, {}, {}, None
        elif kind == "call":
            self.calls[rank][record["index"]] = record
            key = (record["name"], record["peer"], record["tag"]) if record["name"] in ("send", "recv") \
                else record["group"]
            size = 0 if record["name"] in _OF_ANY_SIZE else record["bytes"]
            self.posted[rank].setdefault(key, []).append((record["name"], record["root"], size))
            record["place"] = len(self.posted[rank][key])
        elif kind == "wait":
            self.waits[rank] = record["index"]
        elif kind == "done":
            if self.waits[rank] == record["index"]:
                self.waits[rank] = None
            call = self.calls[rank].get(record["index"])
            if call is not None and call["name"] == "recv" and not call.get("has_ended"):
                call["has_ended"] = True
                self.received[rank][call["tag"]] = self.received[rank].get(call["tag"], 0) + 1
        elif kind == "over":
            self.over[rank] = record["case"]
        elif kind in ("error", "missing"):
            self.has_failed[rank] = True
        elif kind == "deadlock":
            self.has_left[rank] = True

    def is_out(self, rank, case):
        return self.over[rank] >= case or self.has_failed[rank]

    def _can_end(self, rank, call, case):
        """True, False, or None: collectives of different kinds, roots or sizes meet."""
        if call["name"] == "recv":
            return self._can_receive(rank, call)
        if call["name"] == "send":
            peer, channel = call["peer"], ("recv", rank, call["tag"])
            return call["place"] <= len(self.posted[peer].get(channel, [])) or any(
                each["name"] == "recv" and each["peer"] < 0 and each["tag"] == call["tag"] and not each.get("has_ended")
                for each in self.calls[peer].values())
        kinds = set()
        for member in range(len(self.files)):
            if call["members"] >> member & 1:
                entered = self.posted[member].get(call["group"], []) if self.case[member] == case else []
                if len(entered) < call["place"]:
                    return False
                kinds.add(entered[call["place"] - 1])
        return True if len(kinds) == 1 else None

    def _can_receive(self, rank, call):
        tag = call["tag"]
        if call["peer"] >= 0:
            return call["place"] <= len(self.posted[call["peer"]].get(("send", rank, tag), []))
        sent = sum(len(posted.get(("send", rank, tag), [])) for posted in self.posted)
        return sent > self.received[rank].get(tag, 0)  # by any rank, more than this one has received

    def deadlock(self, case, world):
        """False: a rank can proceed. None: none can, unless collectives of different kinds end by themselves."""
        outcome = True
        is_any_waiting = False
        for rank in range(world):
            if self.is_out(rank, case):
                continue
            if self.case[rank] != case or self.waits[rank] is None:
                return False
            is_any_waiting = True
            can_end = self._can_end(rank, self.calls[rank][self.waits[rank]], case)
            if can_end:
                return False
            if can_end is None:
                outcome = None
        return outcome if is_any_waiting else False


class Cases:
    """Calls a function once for each case of the input, each in a new group of the case's world of ranks."""

    def __init__(self, exercise):
        self.exercise = exercise
        self.recorder = Recorder(exercise)
        self.ranks = Ranks(exercise.world_size)
        self.lock = threading.Lock()
        self.is_leaving = False
        self.now = None  # the case and its world that the monitor looks at
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        threading.Thread(target=self._monitor, daemon=True).start()

    def _read(self):
        with self.lock:
            self.ranks.read()

    def _monitor(self):
        mismatches = 0
        while True:
            time.sleep(_LOOK_S)
            with self.lock:
                self.ranks.read()
                now = self.now  # run() may set it to None meanwhile
                outcome = self.ranks.deadlock(*now) if now else False
                has_other_left = any(self.ranks.has_left)
            mismatches = mismatches + 1 if outcome is None else 0
            if outcome or mismatches > _LOOKS_BEFORE_MISMATCH or has_other_left:
                self._leave()

    def _leave(self):
        """Once all ranks have seen it: an end breaks the connections of the others, which is no fault of theirs."""
        self.is_leaving = True
        now = self.now
        self.exercise.record("deadlock", case=now[0] if now else -1)
        end = time.monotonic() + _LEAVE_S
        while time.monotonic() < end:
            self._read()
            if all(left or failed for left, failed in zip(self.ranks.has_left, self.ranks.has_failed)):
                break
            time.sleep(_LOOK_S)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)

    def run(self, function):
        """function(case) -> fields of the record `result`; `case`: what input["cases"] has of it, and its `number`."""
        for number, case in enumerate(self.exercise.input["cases"]):
            world = case["world"]
            if self.exercise.rank < world:
                self._run_case(number, case, function)
            self.now = (number, world)
            while True:
                self._read()
                if all(self.ranks.is_out(rank, number) for rank in range(world)):
                    break
                time.sleep(0.002)
            self.now = None
            if any(self.ranks.has_failed):
                sys.stderr.flush()
                os._exit(1)
            if self.exercise.rank < world:
                dist.destroy_process_group()

    def _run_case(self, number, case, function):
        exercise = self.exercise
        dist.init_process_group("gloo", init_method=f"file://{os.path.abspath(f'group-{number}')}",
                                rank=exercise.rank, world_size=case["world"])
        exercise.record("case", case=number)
        self.now = (number, case["world"])
        self.recorder.case = number
        self.recorder.arrivals.clear()
        try:
            fields = function({**case, "number": number})
            self.recorder.case = -1
            exercise.record("result", case=number, **fields)
            exercise.record("over", case=number)
        except BaseException as error:  # it stays in the group: the others do not lose their connections
            self.recorder.case = -1
            while self.is_leaving:  # an end of another rank is no error of this one
                time.sleep(_LOOK_S)
            exercise.print_from_the_file_on(error)
            exercise.record_error(error)
