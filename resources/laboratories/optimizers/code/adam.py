"""Adam as a class of your own: https://arxiv.org/abs/1412.6980, Algorithm 1."""

import torch


class Adam:
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-8):
        self.params = list(params)
        self.lr = lr
        self.betas = betas
        self.eps = eps
        # Your state: one tensor for each parameter.

    def zero_grad(self):
        for param in self.params:
            param.grad = None

    @torch.no_grad()
    def step(self):
        # Change each parameter in place, from param.grad; skip it where grad is None.
        raise NotImplementedError("write the update of Adam here")
