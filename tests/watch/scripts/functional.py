import os

import torch

torch.manual_seed(0)
weights = [torch.randn(8, 16, requires_grad=True), torch.randn(16, 1, requires_grad=True)]
x, y = torch.randn(32, 8), torch.randn(32, 1)
for step in range(8):
    loss = ((torch.relu(x @ weights[0]) @ weights[1] - y) ** 2).mean()
    gradients = torch.autograd.grad(loss, weights)
    with torch.no_grad():
        for weight, gradient in zip(weights, gradients):
            weight -= 0.001 * gradient
    print(f"STEP {step + 1} LOSS {loss.item():.9g}")
if "SAVE" in os.environ:
    torch.save(weights, os.environ["SAVE"])
