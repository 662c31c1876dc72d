"""Iterates over the student's Sampler for each rank and epoch, every rank with another state of the generators."""

import itertools
import random

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


def body(exercise):
    make = exercise.find(exercise.input["names"], is_class)
    for number, case in enumerate(exercise.input["cases"]):
        limit = 2 * len(case["labels"]) + 2
        for rank in range(case["world"]):
            torch.manual_seed(1000 * number + rank)
            random.seed(1000 * number + rank)
            sampler = make(Samples(case["labels"]), rank, case["world"], case["seed"])
            for epoch in case["epochs"]:
                sampler.set_epoch(epoch)
                exercise.record("epoch", case=number, rank=rank, epoch=epoch, length=int(len(sampler)),
                                indices=indices(sampler, limit))


if __name__ == "__main__":
    Exercise().run(body)
