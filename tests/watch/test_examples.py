"""The course's scripts with every use of `lockstep` taken out, watched, record what they report themselves: the same
steps, losses and samples, communication where it was told, and its calls and bytes by their formulas.

    python3 tests/watch/test_examples.py [PYTHON]...

Exit code 77 if there is no torch.
"""

import ast
import concurrent.futures
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import run_scripts

EXAMPLES = os.path.join(run_scripts.ROOT, "resources", "python", "examples")
RANKS = 2
STEPS = 12
WIDE = 4 * (784 * 128 + 128 + 128 * 10 + 10)  # bytes of the weights of ddp_mnist.py
NARROW = 4 * (784 * 64 + 64 + 64 * 10 + 10)  # of the others
BETWEEN = 4 * 64  # of layers.py: what one sample sends from stage to stage, and back
SAMPLES = 16  # of a step and rank
TEST_SAMPLES = 1000
# The script, its parameters, and the calls and bytes of each rank; None: DDP chooses how many buckets there are.
CASES = {
    "optimizer, sgd": ("optimizer", {"optimizer": "sgd", "steps": STEPS}, 1, lambda rank: {}),
    "optimizer, adam": ("optimizer", {"optimizer": "adam", "steps": STEPS}, 1, lambda rank: {}),
    "aggregation, all_reduce": ("aggregation", {"algorithm": "all_reduce", "steps": STEPS}, RANKS,
                                lambda rank: {("all_reduce", "Python"): (STEPS, STEPS * NARROW)}),
    "aggregation, gather": ("aggregation", {"algorithm": "gather", "steps": STEPS}, RANKS,
                            lambda rank: {("all_gather", "Python"): (STEPS, STEPS * NARROW)}),
    "aggregation, ring": ("aggregation", {"algorithm": "ring", "steps": STEPS}, RANKS, lambda rank: {
        (name, "Python"): (STEPS * (RANKS - 1), STEPS * (RANKS - 1) * NARROW) for name in ("send", "recv")}),
    "ddp_mnist": ("ddp_mnist", {"batch": SAMPLES, "samples": SAMPLES * RANKS * STEPS}, RANKS,
                  lambda rank: {("all_reduce", "C++"): (None, STEPS * WIDE)}),
    "partition": ("partition", {"batch": SAMPLES, "samples": SAMPLES * RANKS * STEPS}, RANKS,
                  lambda rank: {("all_reduce", "C++"): (None, STEPS * NARROW)}),
    "layers": ("layers", {"batch": SAMPLES, "steps": STEPS}, RANKS, lambda rank: {
        ("send", "Python"): (STEPS + (rank == 0), (STEPS * SAMPLES + TEST_SAMPLES * (rank == 0)) * BETWEEN),
        ("recv", "Python"): (STEPS + (rank == 1), (STEPS * SAMPLES + TEST_SAMPLES * (rank == 1)) * BETWEEN),
        ("broadcast", "Python"): (STEPS + 1, 4 * STEPS + 8)})}


class Removal(ast.NodeTransformer):
    """Takes `lockstep` and the run that it gives out of a script: parameters become their values, spans their bodies."""

    def __init__(self, given):
        self.given = given

    @staticmethod
    def is_of(node, *names):
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names

    def visit_Import(self, node):
        return None if node.names[0].name == "lockstep" else node

    def visit_Assign(self, node):
        return None if self.is_of(getattr(node.value, "func", None), "lockstep") and node.value.func.attr == "connect" \
            else self.generic_visit(node)

    def visit_Expr(self, node):
        function = getattr(node.value, "func", None)
        return None if self.is_of(function, "lockstep", "run") else self.generic_visit(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if self.is_of(node.func, "lockstep"):
            if node.func.attr == "parameter":
                return ast.Constant(self.given.get(node.args[0].value, node.args[1].value))
            return node.args[0]  # ddp(model)
        return node

    def visit_Attribute(self, node):
        if self.is_of(node, "run"):
            told = {"rank": "int(os.environ['RANK'])", "world_size": "int(os.environ['WORLD_SIZE'])", "seed": "1"}
            return ast.parse(told[node.attr], mode="eval").body
        return node

    def visit_With(self, node):
        items = [each for each in node.items if not ast.unparse(each.context_expr).startswith("run.span")]
        node.items = items
        self.generic_visit(node)
        return ast.With(items, node.body) if items else node.body

    def visit_If(self, node):
        if "run.step" in ast.unparse(node.test):
            return None
        self.generic_visit(node)
        return node if node.body else None

    def visit_Name(self, node):
        return ast.Constant(None) if node.id == "run" and isinstance(node.ctx, ast.Load) else node


def without_lockstep(text, given):
    text = "import os\n" + ast.unparse(ast.fix_missing_locations(Removal(given).visit(ast.parse(text))))
    left = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} & {"lockstep", "run"}
    assert not left, left
    return text


def start(python, script, ranks, record, given, is_watched):
    """Runs a script of the course; returns the recordings by rank."""
    port = run_scripts.free_port()
    children = []
    for rank in range(ranks):
        environment = {**run_scripts.environment_of(ranks, port, ""), "RANK": str(rank), "LOCAL_RANK": str(rank),
                       "WORLD_SIZE": str(ranks), "LOCKSTEP_RECORD": record}
        command = [python, run_scripts.MODULE, script]
        if not is_watched:
            environment["LOCKSTEP_PARAMETERS"] = json.dumps(given)
            environment["PYTHONPATH"] = os.path.dirname(run_scripts.MODULE)
            command = [python, script]
        children.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True,
                                         start_new_session=True))
    try:
        with concurrent.futures.ThreadPoolExecutor(ranks) as pool:
            errors = list(pool.map(lambda each: each.communicate(timeout=run_scripts.LIMIT_S)[1], children))
    finally:
        for each in children:
            if each.poll() is None:
                os.killpg(each.pid, signal.SIGKILL)
    assert all(each.returncode == 0 for each in children), errors
    return run_scripts.recorded(os.path.dirname(record))


def compare(name, told, seen, wanted, ranks):
    """`told`: by the script itself; `seen`: by the watcher."""
    assert sorted(told) == sorted(seen) == list(range(ranks)), (sorted(told), sorted(seen))
    for rank in range(ranks):
        rows, others = told[rank]["steps"], seen[rank]["steps"]
        assert len(rows) == len(others) == STEPS, (rank, len(rows), len(others))
        for row, other in zip(rows, others):
            assert row["step"] == other["step"]
            if name == "layers" and rank + 1 < ranks:  # its loss is the last stage's, which alone computes it
                assert math.isnan(other["loss"]), (rank, other)
            else:
                assert row["loss"] == other["loss"], (rank, row["step"], row["loss"], other["loss"])
            assert other["samples"] in (0, row["samples"]), (rank, row["samples"], other["samples"])
        if name == "partition":  # a DataLoader tells what a step trains on
            assert others[-1]["samples"] == rows[-1]["samples"]
        assert seen[rank]["outcome"] == told[rank]["outcome"] == 0, seen[rank]["message"]
        spent = [sum(row["phases"]["communicate"] + row["phases"]["wait"] for row in each) for each in (rows, others)]
        assert (spent[0] > 0) == (spent[1] > 0), (rank, spent)
        calls = {(each["what"], each["by"]): (each["calls"], each["bytes"])
                 for each in seen[rank]["watch"]["communication"]}
        for key, (count, size) in wanted(rank).items():
            assert count is None or calls[key][0] == count, (rank, key, calls)
            assert calls[key][1] == size, (rank, key, size, calls)


def main():
    pythons = sys.argv[1:] or ["/usr/bin/python3"]
    known = [python for python in pythons if run_scripts.version_of(python) is not None]
    if not known:
        print("skipped: there is no torch (Debian's package python3-torch)")
        return 77
    for python in known:
        for title, (name, given, ranks, wanted) in CASES.items():
            with tempfile.TemporaryDirectory() as folder:
                own, plain = (os.path.join(folder, each) for each in ("own", "plain"))
                shutil.copytree(EXAMPLES, own)
                os.mkdir(plain)
                for each in (name + ".py", "images.py"):
                    with open(os.path.join(EXAMPLES, each), encoding="utf-8") as file:
                        text = without_lockstep(file.read(), given)
                    with open(os.path.join(plain, each), "w", encoding="utf-8") as file:
                        file.write(text)
                with concurrent.futures.ThreadPoolExecutor(2) as pool:
                    both = [pool.submit(start, python, os.path.join(each, name + ".py"), ranks,
                                        os.path.join(each, "record"), given, each == plain) for each in (own, plain)]
                compare(name, *(each.result() for each in both), wanted, ranks)
            print(f"{title}: the same", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
