"""Several losses in a dictionary, activation checkpointing, warm-up and cosine decay, an average of the weights."""
import math
import os

import torch
from torch.utils.checkpoint import checkpoint


class Block(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = torch.nn.Sequential(torch.nn.LayerNorm(width), torch.nn.Linear(width, 2 * width), torch.nn.ReLU(),
                                         torch.nn.Linear(2 * width, width))

    def forward(self, x):
        return x + checkpoint(self.inner, x, use_reentrant=False)


class Net(torch.nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(width) for _ in range(3)])
        self.classes, self.boxes = torch.nn.Linear(width, 4), torch.nn.Linear(width, 2)

    def forward(self, x, targets):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=True) if x.requires_grad else block(x)
        return {"class": torch.nn.functional.cross_entropy(self.classes(x), targets["label"]),
                "box": torch.nn.functional.smooth_l1_loss(self.boxes(x), targets["box"]),
                "size": 1e-3 * x.pow(2).mean()}


class EMA:
    def __init__(self, model, decay=0.9):
        self.decay, self.shadow = decay, {k: v.clone() for k, v in model.state_dict().items()}

    @torch.no_grad()
    def update(self, model):
        for name, value in model.state_dict().items():
            self.shadow[name].mul_(self.decay).add_(value, alpha=1 - self.decay)


torch.manual_seed(1)
model = Net()
ema = EMA(model)
opt = torch.optim.AdamW([{"params": model.blocks.parameters(), "weight_decay": 0.1},
                         {"params": [*model.classes.parameters(), *model.boxes.parameters()]}], lr=3e-3)
total, warmup = 16, 4
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: (s + 1) / warmup if s < warmup else 0.5 * (1 + math.cos(math.pi * (s - warmup) / (total - warmup))))
weights = {"class": 1.0, "box": 2.0, "size": 1.0}
for it in range(total):
    targets = {"label": torch.randint(0, 4, (12,)), "box": torch.rand(12, 2)}
    losses = model(torch.randn(12, 16), targets)
    loss = sum(weights[k] * v for k, v in losses.items())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    opt.step()
    sched.step()
    ema.update(model)
    parts = "  ".join(f"{k}: {v.item():.4f}" for k, v in losses.items())
    print(f"iter: {it + 1}  loss: {loss.item():.9g}  {parts}  lr: {sched.get_last_lr()[0]:.6f}")
if "SAVE" in os.environ:
    torch.save([model.state_dict(), ema.shadow], os.environ["SAVE"])
