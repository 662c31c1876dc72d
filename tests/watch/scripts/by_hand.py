import os

import torch

torch.manual_seed(0)
weight = torch.randn(4, 1, requires_grad=True)
bias = torch.zeros(1, requires_grad=True)
x = torch.randn(64, 4)
y = x @ torch.tensor([[1.0], [2.0], [3.0], [4.0]])
for step in range(10):
    loss = ((x @ weight + bias - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for each in (weight, bias):
            each -= 0.1 * each.grad
            each.grad.zero_()
    print(f"STEP {step + 1} LOSS {loss.item():.9g}")
if "SAVE" in os.environ:
    torch.save([weight, bias], os.environ["SAVE"])
