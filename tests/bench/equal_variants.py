#!/usr/bin/env python3
"""Equal variants (A/A): how often the answers name a winner where there is none.

    tests/bench/equal_variants.py build/bin/lockstep [--pairs 44] [--epochs 3] [--loops 0]

Each pair is one run of each of two variants that differ in their names alone. Prints what the headlines and the findings about
seconds and times say, and how far apart the two are in seconds to the same loss. Exit code 1 where a difference is named in more
than 5 of 44 pairs, or a named one is more than 10 %. `--loops`: so many busy loops beside them.
"""
import argparse
import collections
import math
import sys

from quiet_against_busy import BusyLoops
from turns import run

NAMES_ONE = {"answer.best", "answer.tied", "answer.against", "optimizers.fastest", "timing.difference"}
MOST_OF_44 = 5
MOST_APART = 0.10


def spec_of(epochs):
    base = {"strategy.name": "single", "optimizer.name": "sgd", "optimizer.lr": 0.05, "train.epochs": epochs}
    return {"version": 1, "experiment": "optimizers", "base": base, "variants": [{"name": "one"}, {"name": "other"}], "repeats": 1}


def findings_of(result):
    """Each once, however many runs it is about."""
    return {each["text"]: each for entry in result["runs"] for each in entry["findings"]}.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("--pairs", type=int, default=44)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--loops", type=int, default=0)
    options = parser.parse_args()
    kinds = collections.Counter()
    named, largest = 0, 0.0
    for pair in range(options.pairs):
        with BusyLoops(options.loops):
            result = run(options.lockstep, spec_of(options.epochs))
        said = [each for each in findings_of(result) if each["kind"] in NAMES_ONE]
        kinds.update(each["kind"] for each in said)
        apart = abs(math.expm1(math.log(result["runs"][1]["summary"]["train_seconds"] / result["runs"][0]["summary"]["train_seconds"])))
        difference = result["comparisons"][0]["difference"]
        named += 1 if said else 0
        largest = max([largest] + ([abs(difference)] if said else []))
        print(f"{pair + 1}: wall seconds {apart:.1%} apart, in turns {difference:+.1%}; " +
              (" | ".join(each["text"] for each in said) or "no winner"), flush=True)
    print(f"a difference is named in {named} of {options.pairs} pairs, the largest {largest:.1%}: {dict(kinds)}")
    return 1 if named * 44 > MOST_OF_44 * options.pairs or largest > MOST_APART else 0


if __name__ == "__main__":
    sys.exit(main())
