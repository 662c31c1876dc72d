"""Iterates over the student's Sampler for each rank and epoch, every rank and process with another state of the generators.

Records `epoch` for each call of set_epoch, with the indices of two passes and whether the global generators were changed;
`unset` for a sampler whose set_epoch is not called; `other_seed` for the first epoch with another seed. Every process of the trial does the same, to see what depends on it.
"""

import itertools
import random
import sys

import torch

from exercise import Exercise, is_class


class Samples(torch.utils.data.Dataset):
    """Pairs of a value and a label; `targets` has the labels, as torchvision's data sets do."""

    def __init__(self, labels):
        self.targets = torch.tensor(labels)

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        return torch.tensor([float(index)]), int(self.targets[index])


def indices(sampler, limit):
    """At most `limit`: an endless iterator ends too."""
    return [int(index) for index in itertools.islice(iter(sampler), limit)]


def global_states():
    """Of the generators that a training shares with everything else."""
    states = {"torch": torch.get_rng_state().tolist(), "random": random.getstate()}
    if "numpy" in sys.modules:
        name, keys, *rest = sys.modules["numpy"].random.get_state()
        states["numpy"] = (name, keys.tolist(), *rest)
    return states


def body(exercise):
    make = exercise.find(exercise.input["names"], is_class)
    for number, case in enumerate(exercise.input["cases"]):
        limit = 2 * len(case["labels"]) + 2
        samples = Samples(case["labels"])
        for rank in range(case["world"]):
            torch.manual_seed(1000 * number + rank + 500 * exercise.rank)
            random.seed(1000 * number + rank + 500 * exercise.rank)
            before = global_states()
            sampler = make(samples, rank, case["world"], case["seed"])
            for epoch in case["epochs"]:
                sampler.set_epoch(epoch)
                length = int(len(sampler))
                first = indices(sampler, limit)
                exercise.record("epoch", case=number, rank=rank, epoch=epoch, length=length, indices=first,
                                again=indices(sampler, limit))
            after = global_states()
            changed = sorted(name for name in before if before[name] != after[name])
            changed += [] if samples.targets.tolist() == case["labels"] else ["data"]
            exercise.record("generators", case=number, rank=rank, changed=changed)
            unset = make(samples, rank, case["world"], case["seed"])
            exercise.record("unset", case=number, rank=rank, indices=indices(unset, limit))
        sampler = make(samples, 0, case["world"], case["seed"] + 1)
        sampler.set_epoch(case["epochs"][0])
        exercise.record("other_seed", case=number, indices=indices(sampler, limit))


if __name__ == "__main__":
    Exercise().run(body)
