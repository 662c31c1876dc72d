"""A Sampler that gives each rank samples of few labels."""

import torch
from torch.utils.data import Sampler


class LabelPartition(Sampler):
    def __init__(self, data, rank, world_size, seed=0):
        self.labels = data.targets  # a tensor: the label of each sample
        self.rank = rank
        self.world_size = world_size
        self.seed = seed
        self.epoch = 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        raise NotImplementedError("how many samples has this rank?")

    def __iter__(self):
        # Sort by label and take the rank's part, the same in all epochs; then shuffle it by seed and epoch.
        raise NotImplementedError("which samples has this rank?")
