#!/usr/bin/env python3
"""The cost of a parameter server in training on an emulated link: the model against what is measured.

    tests/bench/server_model.py build/bin/lockstep [--ranks 3,4,5,8] [--latency-us 40000] [--mbps 40] [--steps 30]

A step's gradient of n bytes goes to the server and the mean comes back, each once through the server's link for every rank that
is not the server: 2 alpha + 2 (p - 1) n beta for one call. In training the first ranks that have the mean begin their next step
while the server still sends, so that the calls overlap: 2 alpha + p n beta a step, and at least 2 (p - 1) n beta through one
direction shared. Prints both beside what the ranks measured in communication with its waiting (mean over ranks), and the part of
a step that is not computation. Exit code 1 where the overlapping model is more than 15 % off.
"""
import argparse
import sys

from quiet_against_busy import result_of

LIMIT = 0.15
COMPUTING = ["data_ms", "forward_ms", "backward_ms", "optimize_ms"]


def measured(options, ranks):
    settings = {"strategy.name": "data", "world_size": ranks, "aggregation.algorithm": "parameter_server",
                "link.latency_us": options.latency_us, "link.bandwidth_mbps": options.mbps, "train.steps": options.steps,
                "train.evaluate_every": 100000, "optimizer.name": "sgd"}
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    return result_of(options.lockstep, ["own", *words])["runs"][0]


def mean(ranks, names):
    return sum(sum(rank[name] for name in names) for rank in ranks) / len(ranks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lockstep")
    parser.add_argument("--ranks", default="3,4,5,8")
    parser.add_argument("--latency-us", type=float, default=40000)
    parser.add_argument("--mbps", type=float, default=40)
    parser.add_argument("--steps", type=int, default=30)
    options = parser.parse_args()
    alpha_ms = options.latency_us * 1e-3
    is_off = False
    for ranks in map(int, options.ranks.split(",")):
        run = measured(options, ranks)
        array_ms = 8e-3 * 4 * 101_770 / options.mbps  # the MLP's gradient; Mbit/s are kbit/ms
        alone = 2 * alpha_ms + 2 * (ranks - 1) * array_ms
        overlapping = 2 * alpha_ms + ranks * array_ms
        communication = mean(run["ranks"], ["communicate_ms", "wait_ms"])
        rest = mean(run["ranks"], ["ms_per_step"]) - mean(run["ranks"], COMPUTING)
        off = overlapping / rest - 1.0
        is_off = is_off or abs(off) > LIMIT
        print(f"p = {ranks}: one call {alone:.0f} ms, calls that overlap {overlapping:.0f} ms; measured: communication with "
              f"waiting {communication:.0f} ms, step without computation {rest:.0f} ms; the model is {off:+.1%} off", flush=True)
        for each in run["findings"]:
            if each["kind"] == "aggregation.emulated_link":
                print(f"    said: {each['text']}")
    return 1 if is_off else 0


if __name__ == "__main__":
    sys.exit(main())
