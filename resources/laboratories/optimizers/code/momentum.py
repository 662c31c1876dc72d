"""Gradient descent with momentum as a class of your own."""

import torch


class Momentum:
    def __init__(self, params, lr=0.01, momentum=0.9):
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        # Your state: one tensor for each parameter.

    def zero_grad(self):
        for param in self.params:
            param.grad = None

    @torch.no_grad()
    def step(self):
        # Update each velocity, then change the parameter in place; skip it where grad is None.
        raise NotImplementedError("write the update with momentum here")
