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
        # The rank's part of the samples in the order of their labels, shuffled again in each epoch.
        raise NotImplementedError("which samples has this rank?")
