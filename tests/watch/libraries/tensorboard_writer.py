import os
import tempfile

import torch
from torch.utils.tensorboard import SummaryWriter

torch.manual_seed(0)
model = torch.nn.Linear(8, 3)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
with tempfile.TemporaryDirectory() as folder, SummaryWriter(folder) as writer:
    for step in range(10):
        x, y = torch.randn(16, 8), torch.randint(0, 3, (16,))
        optimizer.zero_grad()
        scores = model(x)
        loss = torch.nn.functional.cross_entropy(scores, y)
        loss.backward()
        optimizer.step()
        print(f"STEP {step + 1} LOSS {loss.item():.9g}")
        writer.add_scalar("weights/norm", model.weight.norm(), step)
        writer.add_scalars("losses", {"train": loss.item()}, step)
        writer.add_scalar("val/accuracy", (scores.argmax(1) == y).float().mean().item(), global_step=step)
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
