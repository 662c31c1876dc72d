#!/usr/bin/env python3
"""All-reduce over two hosts of the laboratory cluster: the hierarchical backend against flat Gloo, over a limited link.

    all_reduce_hosts.py BUILD_DIR [--rate 1gbit] [--bytes 4194304] [--rounds 3]      (needs root)

For each placement it runs both backends in turns, --rounds times, and prints the median time of a call, the ratio of the
two, and what share of the link's rate the hierarchical one reaches: each host has to send 2 (h - 1) / h times the array.
Beside it the share that a plain TCP connection reaches which exchanges as many bytes (plain_exchange.py), in the same turns.
"""
import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys

from cluster import SKIPPED, Cluster, Tests, whyNot

PLACEMENTS = (("2 x 2", (0, 0, 1, 1)), ("2 x 4", (0, 0, 0, 0, 1, 1, 1, 1)), ("2 x 2 placed in turn", (0, 1, 0, 1)),
              ("3 and 1", (0, 0, 0, 1)))


def bitsPerSecond(rate):
    for unit, factor in (("gbit", 1e9), ("mbit", 1e6), ("kbit", 1e3)):
        if rate.endswith(unit):
            return float(rate[:-len(unit)]) * factor
    raise SystemExit("--rate: a number and gbit, mbit or kbit")


class Bench(Tests):
    port = 29600

    def specOf(self, cluster, backend, size):
        path = os.path.join(cluster.folder, "sweep-%s.json" % secrets.token_hex(4))
        base = {"strategy.name": "collectives", "world_size": 0, "comm.backend": backend, "rank.bind": False,
                "sweep.min_bytes": size, "sweep.max_bytes": size, "sweep.buffers": "in_place", "sweep.calls": 30}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "experiment": "collectives", "base": base}, file)
        return path

    def microseconds(self, cluster, backend, hosts, size):
        """The median time of a call, on the slowest rank."""
        record = os.path.join(cluster.folder, "sweep-%s" % secrets.token_hex(4))
        Bench.port += 1
        where = "tcp://%s:%d" % (cluster.hosts[0].name, Bench.port)
        places = [(cluster.hosts[host], ["--rank", str(rank), "--world-size", str(len(hosts)), "--init-method", where],
                   {}) for rank, host in enumerate(hosts)]
        codes, texts = self.finish(self.start(cluster, self.specOf(cluster, backend, size), record, places,
                                              self.secret(cluster)), 120)
        if any(codes):
            raise SystemExit("\n".join(texts))
        row, = self.run(record)["measurements"]
        if row["wrong"] != 0:
            raise SystemExit("%s: %d elements are wrong" % (backend, row["wrong"]))
        return row["p50_us"]

    def plainMicroseconds(self, cluster, size):
        """The median time in which two hosts exchange as many bytes over one connection, on the slower."""
        Bench.port += 1
        words = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "plain_exchange.py"),
                 cluster.hosts[0].address, str(Bench.port), str(size), "30"]
        ends = [cluster.hosts[0].start([*words, "--listen"], stdout=subprocess.PIPE),
                cluster.hosts[1].start(words, stdout=subprocess.PIPE)]
        texts = [end.communicate(timeout=120)[0] for end in ends]
        if any(end.returncode for end in ends):
            raise SystemExit("plain_exchange.py has failed")
        return max(float(text) for text in texts)

    def run(self, record):
        environment = dict(os.environ, LOCKSTEP_STORE=record + ".store", QT_QPA_PLATFORM="offscreen")
        identity = subprocess.run([self.lockstep, "import", record], env=environment, capture_output=True, text=True,
                                  check=True).stdout.split()[0]
        out = record + ".out"
        subprocess.run([self.lockstep, "export", identity, "--format", "json", "--out", out], env=environment,
                       capture_output=True, text=True, check=True)
        file, = os.listdir(out)
        with open(os.path.join(out, file), encoding="utf-8") as text:
            return json.load(text)["result"]["runs"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--rate", default="1gbit")
    parser.add_argument("--bytes", type=int, default=4 << 20)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if whyNot():
        print("skipped: the laboratory cluster %s" % whyNot())
        return SKIPPED
    bench = Bench(os.path.abspath(options.build))
    with Cluster(2, options.rate) as cluster:
        for name, hosts in PLACEMENTS:
            times = {"gloo": [], "hierarchical": [], "plain": []}
            for _ in range(options.rounds):
                for backend in ("gloo", "hierarchical"):
                    times[backend].append(bench.microseconds(cluster, backend, hosts, options.bytes))
                times["plain"].append(bench.plainMicroseconds(cluster, options.bytes))
            flat, ours, plain = (statistics.median(each) for each in times.values())
            leastUs = options.bytes * 8 / bitsPerSecond(options.rate) * 1e6  # 2 (h - 1) / h is 1 of two hosts
            print("%-21s gloo %8.2f ms   hierarchical %8.2f ms   ratio %.2f   of the link %.1f %%   plain TCP %.1f %%" % (
                name, flat / 1e3, ours / 1e3, flat / ours, 100 * leastUs / ours, 100 * leastUs / plain), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
