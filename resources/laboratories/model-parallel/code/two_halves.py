"""A net in two halves: the first on rank 0, the second on rank 1, joined by RPC."""

import torch
import torch.distributed.rpc as rpc
from torch import nn


class SecondHalf(nn.Module):
    def __init__(self, hidden, outputs):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return self.layers(x)


class TwoHalves(nn.Module):
    """Lives on rank 0; `worker` is the name of rank 1."""

    def __init__(self, worker, inputs=784, hidden=256, outputs=10):
        super().__init__()
        self.first = nn.Sequential(nn.Flatten(), nn.Linear(inputs, hidden), nn.ReLU())
        # Make the second half on the other rank, and keep an RRef to it.
        raise NotImplementedError("create the second half on the worker")

    def forward(self, x):
        raise NotImplementedError("first half here, second half there")

    def parameter_rrefs(self):
        """One RRef of each parameter of both halves, in any order, for DistributedOptimizer."""
        raise NotImplementedError("collect the parameters of both halves")
