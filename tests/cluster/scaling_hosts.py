#!/usr/bin/env python3
"""Training over hosts of the laboratory cluster against its prediction from two links.

    scaling_hosts.py BUILD_DIR [--rate 200mbit] [--steps 300] [--rounds 3]       needs root

The links are measured within one host and between two with one rank on each; training runs with 2 x 1, 2 x 2 and 4 x 1
(hosts x ranks on each). Prints the speed-up over one process, measured and predicted, and fails where they differ by more
than 15 %. The hosts share this machine's cores, which the model does not know: where computing takes a large part of a
step, more ranks than cores are slower here than on hosts of their own.
"""
import argparse
import csv
import json
import os
import subprocess
import sys

from awaited_hosts import AwaitedTests
from cluster import Cluster, SKIPPED, unlessAsked, whyNot

FURTHEST = 0.15


class Scaling(AwaitedTests):
    def __init__(self, build, cluster, steps):
        super().__init__(build, cluster)
        self.hosts = cluster.hosts[:4]
        self.workbench = cluster.hosts[4]
        self.shared = self.path("store-of-all")
        self.training = ["net.name=mlp", "train.steps=%d" % steps, "train.evaluate_every=100000"]
        self.sweep = ["sweep.max_bytes=1048576", "sweep.buffers=in_place"]

    def train(self, variant, slots, settings):
        """One run; on n1 alone where `slots` is 0."""
        self.number += 1
        words = ["run", "scaling", "--only", variant, "--store", self.shared]
        for each in [*settings, "repeats=1", *(["rank.bind=false"] if variant != "single" else [])]:
            words += ["--set", each]
        if slots == 0:
            process = self.hosts[0].start([self.lockstep, *words], {"QT_QPA_PLATFORM": "offscreen"},
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        else:
            process = self.startRun(words, slots)
        _, error = process.communicate(timeout=600)
        if process.returncode != 0:
            raise SystemExit("%s: %s" % (variant, error))

    def startRun(self, words, slots):
        size = {"link": 2}.get(words[3]) or int(words[3])
        return super().startRun([*words, "--set", "world_size=%d" % size], slots)

    def measure(self, rounds):
        self.train("link", 0, self.sweep)
        self.train("link", 1, self.sweep)
        for _ in range(rounds):
            for variant, slots in (("single", 0), ("2", 1), ("4", 2), ("4", 1)):
                self.train(variant, slots, self.training)

    def compare(self):
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
        listed = subprocess.run([self.lockstep, "runs", "--json", "--store", self.shared], capture_output=True, text=True,
                                check=True)
        runs = [each["id"] for each in json.loads(listed.stdout)["runs"]]
        out = self.path("chart")
        subprocess.run([self.lockstep, "export", *runs, "--chart", "speed-up", "--format", "csv", "--out", out, "--store",
                        self.shared], env=environment, capture_output=True, check=True)
        name, = os.listdir(out)
        curves = {}
        with open(os.path.join(out, name), encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                if row[0] != "run":
                    curves.setdefault(row[1], {})[row[3]] = float(row[4])
        self.check("there are two curves over hosts", len([each for each in curves if each.endswith("per host 2")]) == 1
                   and len([each for each in curves if each.endswith("per host 1")]) == 1, curves)
        for curve, ranks, hosts in (("1", "2", 2), ("2", "4", 2), ("1", "4", 4)):
            measured = next(values[ranks] for each, values in curves.items() if each.endswith("per host " + curve))
            predicted = next(values[ranks] for each, values in curves.items() if "per host %s, predicted" % curve in each)
            self.check("%d x %s: measured %.3f times one process, predicted %.3f (%+.1f %%)" % (
                hosts, curve, measured, predicted, 100 * (predicted / measured - 1)),
                       abs(predicted / measured - 1) <= FURTHEST, "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rate", default="200mbit")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    why = unlessAsked() or whyNot()
    if why:
        print("skipped: the laboratory cluster %s" % why)
        return SKIPPED
    with Cluster(5, options.rate) as cluster:
        tests = Scaling(os.path.abspath(options.build), cluster, options.steps)
        tests.measure(options.rounds)
        tests.compare()
    return 1 if tests.failures else 0


if __name__ == "__main__":
    sys.exit(main())
