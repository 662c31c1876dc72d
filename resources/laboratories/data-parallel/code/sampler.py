"""A Sampler that gives each rank its share of the data."""

import torch
from torch.utils.data import Sampler


class RandomPartition(Sampler):
    def __init__(self, data, rank, world_size, seed=0):
        self.size = len(data)
        self.rank = rank
        self.world_size = world_size
        self.seed = seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        raise NotImplementedError("how many samples has this rank?")

    def __iter__(self):
        # Indices of the samples of this rank, in the order of this epoch.
        raise NotImplementedError("which samples has this rank?")
