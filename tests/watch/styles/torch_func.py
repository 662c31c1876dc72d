"""As with JAX: a pure loss function, grad_and_value, and an update that makes new parameters. No backward at all."""
import os

import torch
from torch.func import functional_call, grad_and_value, vmap


def loss_of(parameters, model, x, y):
    return torch.nn.functional.mse_loss(functional_call(model, parameters, (x,)), y)


def update(parameters, gradients, lr):
    return {name: value - lr * gradients[name] for name, value in parameters.items()}


torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(3, 16), torch.nn.GELU(), torch.nn.Linear(16, 1))
params = {name: value.detach().clone() for name, value in net.named_parameters()}
inputs = torch.randn(64, 3)
targets = inputs.pow(2).sum(1, keepdim=True)
for i in range(1, 13):
    grads, value = grad_and_value(loss_of)(params, net, inputs, targets)
    params = update(params, grads, 0.05)
    print(i, f"{value.item():.9g}", sep="\t")
each = vmap(lambda x, y: loss_of(params, net, x[None], y[None]))(inputs, targets)
if "SAVE" in os.environ:
    torch.save([params, each], os.environ["SAVE"])
