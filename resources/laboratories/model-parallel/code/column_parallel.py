"""A linear layer whose outputs are divided over the ranks: https://arxiv.org/abs/1909.08053, section 3."""

import torch
import torch.distributed as dist
from torch import nn


class ColumnParallelLinear(nn.Module):
    """y = x Wᵀ + b; the number of outputs is a multiple of the number of ranks."""

    def __init__(self, weight, bias):
        """Gets the whole weight (outputs × inputs) and bias; keeps this rank's rows: self.weight and self.bias."""
        super().__init__()
        raise NotImplementedError("keep this rank's part")

    def forward(self, x):
        """Gets the same x (..., inputs) on every rank and gives the whole y (..., outputs) on every rank."""
        # Two autograd functions help: one copies x, and all-reduces its gradient in the backward;
        # the other gathers y, and takes this rank's part of its gradient in the backward.
        raise NotImplementedError("write the layer here")
