"""An optimizer for each parameter, stepped by a hook as soon as its gradient is there (to save memory)."""
import os

import torch

torch.manual_seed(2)
model = torch.nn.Sequential(torch.nn.Linear(6, 12), torch.nn.SiLU(), torch.nn.Linear(12, 1))
optimizer_dict = {p: torch.optim.Adam([p], lr=1e-2, foreach=False) for p in model.parameters()}


def optimizer_hook(parameter) -> None:
    optimizer_dict[parameter].step()
    optimizer_dict[parameter].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(optimizer_hook)

for i in range(8):
    x = torch.randn(32, 6)
    loss = (model(x) - x.sum(1, keepdim=True)).abs().mean()
    loss.backward()
    print(f"[{i + 1}] {loss.item():.9g}")
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
