"""What the runners of all exercises share: the student's file, the input and the records.

A runner is started once for each rank, in the trial's folder, as

    python3 RUNNER.py STUDENT.py

with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT in the environment. It reads `input.json`, uses the student's code
and writes raw results to `rank-RANK.jsonl`, one JSON object a line. It compares nothing and knows no expected value.
"""

import ast
import inspect
import json
import math
import os
import sys
import threading
import time
import traceback
import types


_STILL_S = 30  # more than a busy machine lets a thread wait, less than the 60 s after which RPC gives up


class Exercise:
    """One rank of a trial."""

    def __init__(self):
        self.rank = int(os.environ.get("RANK", "0"))
        self.world_size = int(os.environ.get("WORLD_SIZE", "1"))
        self.file = os.path.abspath(sys.argv[1])
        with open("input.json", encoding="utf-8") as file:
            self.input = json.load(file)
        self._records = open(f"rank-{self.rank}.jsonl", "w", encoding="utf-8")
        self.module = None

    def record(self, kind, **fields):
        """Writes one record at once, so that it is there even if the process ends in the next line."""
        self._records.write(json.dumps({"record": kind, **fields}, allow_nan=False) + "\n")
        self._records.flush()

    def load(self):
        """Runs the student's file as a module, of a name that hides no other: the file may be called random.py."""
        with open(self.file, encoding="utf-8") as file:
            text = file.read()
        self.module = types.ModuleType("student")
        self.module.__file__ = self.file
        sys.modules[self.module.__name__] = self.module
        exec(compile(text, self.file, "exec"), self.module.__dict__)
        return self.module

    def _own(self, fits):
        return {
            name: value
            for name, value in vars(self.module).items()
            if getattr(value, "__module__", None) == self.module.__name__ and fits(value)
        }

    def named(self, names, fits):
        """What has one of these names in the student's file, or None. Case and underscores do not count."""
        plain = {name.lower().replace("_", ""): value for name, value in self._own(fits).items()}
        for name in names:
            found = plain.get(name.lower().replace("_", ""))
            if found is not None:
                self.record_lines(found, name)
                return found
        return None

    def find(self, names, fits, alone=True):
        """The function or class of one of these names in the student's file, else with `alone` the only one that fits.

        Ends the trial with the record `missing` if there is none."""
        found = self.named(names, fits)
        if found is not None:
            return found
        own = self._own(fits)
        if alone and len(own) == 1:
            found = next(iter(own.values()))
            self.record_lines(found, names[0])
            return found
        self.record("missing", names=list(names), found=sorted(own))
        raise SystemExit(0)

    def line_of(self, function):
        """Of `def`: a code object begins with its decorators. 0: it is not of the student's file."""
        code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
        if code is None or code.co_filename != self.file:
            return 0
        with open(self.file, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and \
                    code.co_firstlineno in [node.lineno, *(each.lineno for each in node.decorator_list)]:
                return node.lineno
        return code.co_firstlineno

    def record_lines(self, found, name):
        """Where a function, or each method of a class, begins."""
        functions = {each: getattr(found, each) for each in dir(found)} if inspect.isclass(found) else {name: found}
        lines = {each: self.line_of(function) for each, function in functions.items()}
        self.record("lines", lines={each: line for each, line in lines.items() if line > 0})

    def line(self):
        """The innermost line of the student's file that runs now; 0 if none does."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.file:
                return frame.f_lineno
            frame = frame.f_back
        return 0

    def print_from_the_file_on(self, error):
        """The traceback without the frames of the runner above the student's file."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != self.file:
            trace = trace.tb_next
        if trace is None and not isinstance(error, SyntaxError):  # which names its own line
            trace = error.__traceback__
        traceback.print_exception(type(error), error, trace)

    def record_error(self, error):
        """An exception: its innermost line in the student's file, and what it says."""
        line, text = 0, ""
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename == self.file:
                line, text = frame.lineno, frame.line or ""
        if isinstance(error, SyntaxError) and error.filename == self.file:
            line, text = error.lineno or 0, (error.text or "").strip()
        self.record(
            "error",
            type=type(error).__name__,
            what=str(error)[:2000],
            line=line,
            text=text[:200],
            at=time.monotonic_ns(),
        )

    def run(self, body):
        """Loads the student's file and calls body(self); records `error`, or `end` if it came to the end."""
        try:
            self.load()
            body(self)
            self.record("end")
        except Exception as error:
            self.print_from_the_file_on(error)
            self.record_error(error)
            sys.exit(1)


class Standstill:
    """Ends the trial once no thread of any rank goes on: all wait for one another, or for what never comes.

    Records `still` with the line in which the student's code waits, and `moves` if it goes on. The time of the process
    says nothing: threads of RPC poll."""

    def __init__(self, exercise, ranks):
        self.exercise = exercise
        self.others = [rank for rank in range(ranks) if rank != exercise.rank]
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        before, since, is_still = None, 0.0, False
        while True:
            time.sleep(0.25)
            places = self._places()
            if places != before:
                before, since = places, time.monotonic()
                if is_still:
                    is_still = False
                    self.exercise.record("moves")
            elif not is_still and time.monotonic() - since > _STILL_S:
                is_still = True
                self.exercise.record("still", line=self._line())
            if is_still and all(self._is_still(rank) for rank in self.others):
                time.sleep(1)  # the others read the record of this rank
                os._exit(1)

    def _places(self):
        """Where each thread of Python is, and the time that the main thread has computed, in tenths of a second."""
        main = threading.main_thread().ident
        used = time.clock_gettime(time.pthread_getcpuclockid(main))
        return int(10 * used), {thread: (id(frame), frame.f_lasti) for thread, frame in sys._current_frames().items()
                                if thread != threading.get_ident()}

    def _line(self):
        """The innermost line of the student's file in any thread; 0: none runs it."""
        for frame in sys._current_frames().values():
            while frame is not None:
                if frame.f_code.co_filename == self.exercise.file:
                    return frame.f_lineno
                frame = frame.f_back
        return 0

    def _is_still(self, rank):
        with open(f"rank-{rank}.jsonl", encoding="utf-8") as file:
            kinds = [json.loads(line)["record"] for line in file if line.endswith("\n")]
        states = [kind for kind in kinds if kind in ("still", "moves", "end")]
        return bool(states) and states[-1] == "still"


def numbers(tensor):
    """The elements of a tensor, in order, as numbers that JSON can write: exact, and names for nan and infinity."""
    flat = tensor.detach().reshape(-1).tolist()
    return [value if math.isfinite(value) else str(value) for value in flat]


def as_function(found):
    """function(argument): itself, or what a class does with it. The class gets the argument when it is made, or when its
    `__call__` or only method is called."""
    if not inspect.isclass(found):
        return found
    own = {name for kind in found.__mro__ if kind.__module__ == found.__module__ for name, value in vars(kind).items()
           if callable(value) and (name == "__call__" or not name.startswith("_"))}
    method = "__call__" if "__call__" in own else next(iter(own)) if len(own) == 1 else None

    def call(argument):
        try:
            inspect.signature(found).bind()
        except TypeError:
            made, rest = found(argument), ()
        else:
            made, rest = found(), (argument,)
        return getattr(made, method)(*rest) if method else made
    return call


def is_callable(value):
    return callable(value)


def is_class(value):
    return inspect.isclass(value)


def is_function(value):
    return inspect.isfunction(value)
