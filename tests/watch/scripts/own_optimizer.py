import os

import torch


class Momentum(torch.optim.Optimizer):
    def __init__(self, weights, lr=0.1, momentum=0.9):
        super().__init__(weights, dict(lr=lr, momentum=momentum))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                velocity = self.state[weight].setdefault("velocity", torch.zeros_like(weight))
                velocity.mul_(group["momentum"]).add_(weight.grad)
                weight.sub_(velocity, alpha=group["lr"])


torch.manual_seed(0)
model = torch.nn.Linear(8, 3)
optimizer = Momentum(model.parameters())
for step in range(8):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(torch.randn(16, 8)), torch.randint(0, 3, (16,)))
    loss.backward()
    optimizer.step()
    print(f"STEP {step + 1} LOSS {loss.item():.9g}")
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
