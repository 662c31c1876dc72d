import os

import torch

torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
x, y = torch.randn(64, 4), torch.randn(64, 1)
for step in range(10):
    model.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), y)
    loss.backward()
    for weight in model.parameters():
        weight.data.sub_(weight.grad.data * 0.1)
    print(f"STEP {step + 1} LOSS {loss.item():.9g}")
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
