import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

PARTS = 4
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DDP(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    optimizer.zero_grad()
    total = 0.0
    for part in range(PARTS):
        x, y = torch.randn(8, 8), torch.randint(0, 3, (8,))
        if part < PARTS - 1:
            with model.no_sync():
                loss = torch.nn.functional.cross_entropy(model(x), y) / PARTS
                loss.backward()
        else:
            loss = torch.nn.functional.cross_entropy(model(x), y) / PARTS
            loss.backward()
        total += loss.item()
    optimizer.step()
    print(f"RANK {rank} STEP {step + 1} LOSS {total:.9g}", flush=True)
if "SAVE" in os.environ:
    torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")
dist.destroy_process_group()
