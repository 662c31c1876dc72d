"""What find_parameters.py finds of a script's command line, and that lockstep.py brings the same sitecustomize.py."""

import json
import os
import subprocess
import sys
import tempfile

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "python")
SCRIPT = '''
import argparse, click, tyro
from dataclasses import dataclass, field
from typing import Literal
import lockstep

momentum = lockstep.parameter("momentum", 0.9)
parser = argparse.ArgumentParser()
parser.add_argument("data")
parser.add_argument("--lr", "--learning-rate", type=float, default=1, help="Learning rate")
parser.add_argument("-b", "--batch-size", default=64, type=int)
parser.add_argument("--no-cuda", action="store_true")
parser.add_argument("--keep", action="store_false")
parser.add_argument("--amp", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--opt", choices=["sgd", "adam"], default="sgd")
parser.add_argument("--resume", default=None)
parser.add_argument("--layers", nargs="+", default=[1])
parser.add_argument("--seed", type=int)
parser.set_defaults(seed=3)

@click.command()
@click.option("--epochs", "-e", default=3, type=click.IntRange(1, 10))
@click.option("--shuffle/--no-shuffle", default=True)
def main(): pass

@dataclass
class Config:
    rate: float = field(default=3, metadata={"help": "Rate"})
    kind: Literal["x", "y"] = "x"
    deep: bool = False
    path: str = None
tyro.cli(Config)
'''
WANTED = [("momentum", 0.9, None, "value", ""), ("lr", 1.0, "--lr", "value", ""),
          ("batch_size", 64, "--batch-size", "value", ""), ("no_cuda", False, "--no-cuda", "on", ""),
          ("keep", True, "--keep", "off", ""), ("amp", True, "--amp", "pair", "--no-amp"),
          ("opt", "sgd", "--opt", "value", ""), ("seed", 3, "--seed", "value", ""),
          ("epochs", 3, "--epochs", "value", ""), ("shuffle", True, "--shuffle", "pair", "--no-shuffle"),
          ("rate", 3.0, "--rate", "value", ""), ("kind", "x", "--kind", "value", ""),
          ("deep", False, "--deep", "pair", "--no-deep")]

with open(os.path.join(PYTHON, "find_parameters.py"), encoding="utf-8") as file:
    finder = file.read()
with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
    script.write(SCRIPT)
    script.flush()
    found = json.loads(subprocess.run([sys.executable, "-I", "-c", finder, script.name], stdout=subprocess.PIPE,
                                      check=True).stdout)
told = [(each["name"], each["default"], each["flag"], each["switch"], each["negative"]) for each in found]
assert told == WANTED, told
by_name = {each["name"]: each for each in found}
assert by_name["lr"]["type"] == "float" and by_name["lr"]["help"] == "Learning rate"
assert by_name["opt"]["choices"] == ["sgd", "adam"] and by_name["kind"]["choices"] == ["x", "y"]
assert (by_name["epochs"]["minimum"], by_name["epochs"]["maximum"]) == (1, 10)

sys.path.insert(0, PYTHON)
import lockstep

with open(os.path.join(PYTHON, "watch", "sitecustomize.py"), encoding="utf-8") as file:
    assert lockstep._SITE.strip() == file.read().strip(), "lockstep.py brings another sitecustomize.py"
