"""Gradient descent as a class of your own."""

import torch


class GD:
    def __init__(self, params, lr=0.01):
        self.params = list(params)
        self.lr = lr

    def zero_grad(self):
        for param in self.params:
            param.grad = None

    @torch.no_grad()
    def step(self):
        # Change each parameter in place, from param.grad; skip it where grad is None.
        raise NotImplementedError("write the update of gradient descent here")
