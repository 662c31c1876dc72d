#!/usr/bin/env python3
"""Runs every synchronous strategy, aggregation and precision on fixed seeds and writes or compares their losses.

    same_loss.py --lockstep build/bin/lockstep --write tests/data/same_loss.json
    same_loss.py --lockstep build/bin/lockstep --compare tests/data/same_loss.json [--float64-within 1e-10] [--only REGEX]

Equal means bit for bit: a refactoring must not change one sum. A change that is meant to alter a result gets a commit of its
own and a new line in the file. With --float64-within other versions of LibTorch and other compilers are judged: float64 runs
by that relative difference, the others are only run. Exit 1: a loss differs. Exit 77: this processor has no AVX2.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

# Kernels by name, so that every processor that has them adds up in the same order. oneDNN's bfloat16 needs AVX-512.
KERNELS = {"OPENBLAS_CORETYPE": "Haswell", "ATEN_CPU_CAPABILITY": "avx2", "DNNL_MAX_CPU_ISA": "AVX2", "MKL_CBWR": "AVX2"}
KERNELS_OF_BFLOAT16 = {**KERNELS, "DNNL_MAX_CPU_ISA": "AVX512_CORE"}
# Large products of float32 are oneDNN's where it has AVX-512 and the rank program was built with it.
KERNELS_OF_PRODUCTS = KERNELS_OF_BFLOAT16
BASE = {
    "dataset.name": "digits", "dataset.train_samples": 300, "dataset.test_samples": 60, "net.name": "mlp", "net.hidden": 12,
    "optimizer.name": "sgd", "optimizer.lr": 0.1, "train.batch": 24, "train.steps": 7, "train.seed": 11, "train.dtype": "float64",
}
TEXT = {"dataset.name": "text", "net.name": "gpt", "net.width": 16, "net.heads": 2, "net.blocks": 2, "net.context": 16,
        "dataset.train_samples": 64, "dataset.test_samples": 16, "train.batch": 8, "train.steps": 4, "optimizer.name": "adam",
        "optimizer.lr": 0.003}
LONG = {"net.context": 150}  # several blocks of queries
DEEP = {"net.name": "deep-mlp", "net.depth": 5, "net.hidden": 12}


def cases():
    """Name -> parameters that differ from BASE, in the order of their running."""
    found = {}

    def add(name, *parameters):
        assert name not in found, name
        found[name] = {key: value for each in parameters for key, value in each.items()}

    single = {"strategy.name": "single"}
    data = {"strategy.name": "data", "world_size": 2}
    three = {"strategy.name": "data", "world_size": 3}
    adam = {"optimizer.name": "adam", "optimizer.lr": 0.01}
    single_precision = {"train.dtype": "float32"}
    bfloat16 = {"train.dtype": "float32", "train.precision": "bfloat16"}
    link = {"link.latency_us": 20, "link.bandwidth_mbps": 20000}

    for optimizer in ("gd", "sgd", "momentum", "nesterov", "adam", "adamw"):
        for kind, precision in (("64", {}), ("32", single_precision)):
            rate = {"optimizer.name": optimizer, "optimizer.lr": 0.01 if optimizer.startswith("adam") else 0.1}
            add(f"single-{optimizer}-{kind}", single, rate, precision)
    for net in ("logistic", "cnn", "lenet5", "deep-mlp"):
        add(f"single-{net}", single, {"net.name": net}, single_precision)
    add("single-gpt", single, TEXT)
    add("single-gpt-tied", single, TEXT, {"net.tied": True})
    add("single-gpt-long", single, TEXT, LONG)
    add("single-clip", single, {"optimizer.clip": 0.05})
    add("single-accumulate", single, {"train.accumulate": 5})
    add("single-cosine", single, {"optimizer.schedule": "cosine", "optimizer.warmup": 3})
    add("single-bfloat16", single, bfloat16)
    add("single-channels-last", single, single_precision, {"net.name": "cnn", "train.channels_last": True})

    algorithms = ("all_reduce", "reduce_broadcast", "gather_broadcast", "all_gather", "reduce_scatter_all_gather", "ring", "tree",
                  "halving_doubling", "parameter_server")
    for algorithm in algorithms:
        for world in (data, three):
            for kind, precision in (("64", {}), ("32", single_precision)):
                add(f"data-{algorithm}-{world['world_size']}-{kind}", world, precision, {"aggregation.algorithm": algorithm})
    add("data-gloo", data, {"comm.backend": "gloo"})
    add("data-gloo-ring", three, {"comm.backend": "gloo", "aggregation.algorithm": "ring"})
    for rule in ("sum", "mean", "weighted_mean"):
        add(f"data-{rule}", three, {"aggregation.rule": rule, "partition.name": "unequal", "partition.shares": [1, 2, 3],
                                    "optimizer.lr": 0.02})
    for rule in ("median", "trimmed_mean"):
        for algorithm in ("all_gather", "gather_broadcast", "parameter_server"):
            add(f"data-{rule}-{algorithm}", three, {"aggregation.rule": rule, "aggregation.algorithm": algorithm,
                                                    "aggregation.trim": 0.34} if rule == "trimmed_mean" else
                {"aggregation.rule": rule, "aggregation.algorithm": algorithm})
    weights = {"aggregation.what": "weights", "aggregation.every": 3}
    for algorithm in ("all_reduce", "ring", "parameter_server"):
        add(f"data-weights-{algorithm}", three, weights, {"aggregation.algorithm": algorithm})
    add("data-weights-adam-clip", data, weights, adam, {"optimizer.clip": 0.05})
    add("data-weights-median", three, weights, {"aggregation.algorithm": "all_gather", "aggregation.rule": "median"})
    add("data-weights-epoch", data, {"aggregation.what": "weights", "aggregation.every": 0, "train.steps": 26})
    add("data-weights-by-label", three, weights, {"partition.name": "by-label", "aggregation.rule": "weighted_mean"})
    for form in ("tensors", "buckets"):
        for backend in ("shm", "gloo"):
            add(f"data-{form}-{backend}", data, {"comm.form": form, "comm.backend": backend, "comm.bucket_kb": 8}
                if form == "buckets" else {"comm.form": form, "comm.backend": backend})
    add("data-buckets-cnn", data, single_precision, {"net.name": "cnn", "comm.form": "buckets"})
    for optimizer in ("gd", "adam"):
        add(f"data-{optimizer}", data, {"optimizer.name": optimizer, "optimizer.lr": 0.02})
    add("data-clip", data, {"optimizer.clip": 0.05})
    add("data-clip-weighted", three, {"optimizer.clip": 0.05, "aggregation.rule": "weighted_mean"})
    add("data-accumulate", data, {"train.accumulate": 3})
    add("data-accumulate-buckets", data, {"train.accumulate": 3, "comm.form": "buckets"})
    add("data-batch-of-rank", data, {"train.batch_of": "rank", "optimizer.scale_lr": "linear"})
    add("data-bfloat16", data, bfloat16)
    add("data-cnn", data, single_precision, {"net.name": "cnn"})
    add("data-gpt", data, TEXT)
    add("data-link", data, link)
    add("data-link-weights", data, link, weights)
    for partition in ("random-sampling", "random", "contiguous", "strided", "by-label", "dirichlet"):
        add(f"data-{partition}", three, {"partition.name": partition})
    for uneven in ("pad", "cut"):
        add(f"data-uneven-{uneven}", three, {"partition.name": "unequal", "partition.shares": [1, 2, 3], "partition.uneven": uneven})
    add("data-one-rank", {"strategy.name": "data", "world_size": 1})
    add("async-one-rank", {"strategy.name": "data", "world_size": 1, "aggregation.algorithm": "parameter_server_async"})
    add("async-one-rank-adam", adam, {"strategy.name": "data", "world_size": 1, "aggregation.algorithm": "parameter_server_async"})

    pipeline = {"strategy.name": "pipeline", "pipeline.stages": 2, "pipeline.microbatches": 4}
    for schedule in ("gpipe", "1f1b", "interleaved"):
        for transport in ("p2p", "rpc"):
            add(f"pipeline-{schedule}-{transport}", pipeline, DEEP, adam,
                {"pipeline.schedule": schedule, "pipeline.transport": transport})
    add("pipeline-3", pipeline, DEEP, {"pipeline.stages": 3})
    add("pipeline-32", pipeline, DEEP, single_precision)
    add("pipeline-uneven", pipeline, DEEP, {"pipeline.microbatches": 5})
    add("pipeline-clip", pipeline, DEEP, {"optimizer.clip": 0.05})
    add("pipeline-gloo", pipeline, DEEP, {"comm.backend": "gloo"})
    add("pipeline-link", pipeline, DEEP, link)
    add("pipeline-cnn", pipeline, single_precision, {"net.name": "cnn"})
    add("pipeline-gpt-tied", pipeline, TEXT, {"net.tied": True})
    add("pipeline-bfloat16", pipeline, DEEP, bfloat16)

    tensor = {"strategy.name": "tensor", "tensor.size": 2}
    add("tensor-mlp", tensor, adam)
    add("tensor-deep", tensor, DEEP)
    add("tensor-4", tensor, DEEP, {"tensor.size": 4})
    add("tensor-32", tensor, single_precision)
    add("tensor-clip", tensor, {"optimizer.clip": 0.05})
    add("tensor-gpt", tensor, TEXT)
    add("tensor-gpt-long", tensor, TEXT, LONG)
    add("tensor-gloo", tensor, {"comm.backend": "gloo"})
    add("tensor-link", tensor, link)
    add("tensor-bfloat16", tensor, bfloat16)

    grid = {"strategy.name": "grid", "pipeline.microbatches": 2}
    for shape in ((2, 2, 1), (2, 1, 2), (1, 2, 2), (2, 2, 2)):
        add("grid-" + "x".join(map(str, shape)), grid, DEEP, adam,
            dict(zip(("grid.data", "grid.pipeline", "grid.tensor"), shape)))
    add("grid-zero", grid, DEEP, adam, {"grid.zero": True})
    add("grid-zero-clip", grid, DEEP, adam, {"grid.zero": True, "optimizer.clip": 0.05})
    add("grid-clip", grid, DEEP, {"optimizer.clip": 0.05})
    add("grid-gpt-tied", grid, TEXT, {"net.tied": True})
    add("grid-bfloat16", grid, DEEP, bfloat16)

    for stage in (1, 2, 3):
        zero = {"strategy.name": "zero", "world_size": 2, "zero.stage": stage}
        add(f"zero-{stage}", zero, DEEP, adam)
        add(f"zero-{stage}-32", zero, DEEP, single_precision)
        add(f"zero-{stage}-3", zero, DEEP, adam, {"world_size": 3})
        add(f"zero-{stage}-clip", zero, DEEP, {"optimizer.clip": 0.05})
        add(f"zero-{stage}-gloo", zero, DEEP, {"comm.backend": "gloo"})
        add(f"zero-{stage}-link", zero, DEEP, link)
        add(f"zero-{stage}-gpt", zero, TEXT)
        add(f"zero-{stage}-cnn", zero, single_precision, {"net.name": "cnn"})
        add(f"zero-{stage}-bfloat16", zero, DEEP, bfloat16)
        add(f"zero-{stage}-by-label", zero, DEEP, {"partition.name": "by-label"})
    large = {"train.dtype": "float32", "net.hidden": 64, "train.batch": 128}
    add("products-mlp", single, large)
    add("products-accumulate", single, large, {"train.accumulate": 2})
    add("products-data", data, large, adam)
    add("products-tensor", tensor, large)
    add("products-pipeline", pipeline, DEEP, large, {"train.batch": 256})
    add("products-zero-3", DEEP, large, {"strategy.name": "zero", "world_size": 2, "zero.stage": 3})
    add("products-gpt", single, TEXT, {"train.dtype": "float32", "net.width": 64, "net.context": 32})
    add("zero-3-no-prefetch", DEEP, {"strategy.name": "zero", "world_size": 2, "zero.stage": 3, "zero.prefetch": False})
    return found


def losses_of(lockstep, chosen, kernels):
    """Name -> {loss: [...], accuracy: [...]}; numbers as JSON has them, which is exact."""
    if not chosen:
        return {}
    variants = [{"name": name, **parameters} for name, parameters in chosen.items()]
    spec = {"version": 1, "experiment": "optimizers", "base": BASE, "variants": variants, "repeats": 1}
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "spec.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(spec, out)
        environment = {**os.environ, **kernels, "XDG_DATA_HOME": folder, "QT_QPA_PLATFORM": "offscreen"}
        ended = subprocess.run([lockstep, "run", file, "--json"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ended.returncode != 0:
        sys.exit(f"same_loss: lockstep run ended with {ended.returncode}:\n{ended.stderr[-3000:]}")
    runs = json.loads(ended.stdout)["runs"]
    return {run["name"]: {"loss": run["series"]["loss"]["value"], "accuracy": run["series"]["accuracy"]["value"]} for run in runs}


def is_float64(parameters):
    return parameters.get("train.dtype", BASE["train.dtype"]) == "float64"


def largest_difference(expected, got):
    if len(expected) != len(got):
        return float("inf")
    return max((abs(a - b) / max(abs(a), 1e-30) for a, b in zip(expected, got)), default=0.0)


def compare(expected, got, parameters, within):
    """What differs, as a line; None where nothing does."""
    difference = largest_difference(expected["loss"], got["loss"])
    if within is None:
        # Of the accuracy the number of correct samples is what must agree.
        if expected["loss"] == got["loss"] and largest_difference(expected["accuracy"], got["accuracy"]) < 1e-12:
            return None
    elif not is_float64(parameters) or difference <= within:
        return None
    return f"relative difference {difference:.3g}: expected {expected['loss'][-1]!r} at the end, got {got['loss'][-1]!r}"


def rank_program(lockstep):
    return os.environ.get("LOCKSTEP_RANK") or os.path.join(os.path.dirname(lockstep), "lockstep-rank")


def has_rpc(lockstep):
    return "rpc" in json.loads(subprocess.check_output([rank_program(lockstep), "--choices"]))["choices"]["pipeline.transport"]


def multiplies_by_onednn(lockstep):
    told = subprocess.check_output([rank_program(lockstep), "--doctor"], env={**os.environ, **KERNELS_OF_PRODUCTS})
    return "oneDNN" in json.loads(told)["blas"]


def without(chosen, key, value, why):
    """The runs that do not set `key` to `value`; the others are named."""
    return without_names(chosen, [name for name, parameters in chosen.items() if parameters.get(key) == value], why)


def without_names(chosen, left_out, why):
    if left_out:
        print(f"same_loss: {len(left_out)} runs are left out, {why}: {', '.join(left_out)}")
    return {name: parameters for name, parameters in chosen.items() if name not in left_out}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lockstep", required=True)
    parser.add_argument("--write")
    parser.add_argument("--compare")
    parser.add_argument("--float64-within", type=float)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    with open("/proc/cpuinfo", encoding="utf-8") as cpu:
        flags = cpu.read()
    if " avx2 " not in flags:
        print("same_loss: skipped, this processor has no AVX2, which the recorded sums were made with")
        sys.exit(77)
    chosen = {name: parameters for name, parameters in cases().items() if re.search(asked.only, name)}
    if not has_rpc(asked.lockstep):
        chosen = without(chosen, "pipeline.transport", "rpc", "this LibTorch has no RPC agent")
    if " avx512bw " not in flags:
        chosen = without(chosen, "train.precision", "bfloat16", "this processor has no AVX-512")
    of_products = [name for name in chosen if name.startswith("products-")]
    if of_products and (" avx512bw " not in flags or not multiplies_by_onednn(asked.lockstep)):
        chosen = without_names(chosen, of_products, "no product is oneDNN's here")
    groups = {}
    for name, parameters in chosen.items():
        kernels = (KERNELS_OF_PRODUCTS if name in of_products else KERNELS_OF_BFLOAT16 if "train.precision" in parameters
                   else KERNELS)
        groups.setdefault(json.dumps(kernels), {})[name] = parameters
    got = {name: losses for kernels, group in groups.items()
           for name, losses in losses_of(asked.lockstep, group, json.loads(kernels)).items()}
    if asked.write:
        with open(asked.write, "w", encoding="utf-8") as out:
            out.write("{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(got[name])}" for name in chosen) + "\n}\n")
        print(f"same_loss: {len(got)} runs written to {asked.write}")
    if asked.compare:
        with open(asked.compare, encoding="utf-8") as file:
            recorded = json.load(file)
        worse = {}
        for name, parameters in chosen.items():
            said = "not in the file" if name not in recorded else compare(recorded[name], got[name], parameters, asked.float64_within)
            if said:
                worse[name] = said
        for name, said in worse.items():
            print(f"{name}: {said}")
        print(f"same_loss: {len(chosen) - len(worse)} of {len(chosen)} runs equal those of the file")
        sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
