import os

import torch
import torch.distributed as dist
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = DDP(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3)))
optimizer = ZeroRedundancyOptimizer(model.parameters(), optimizer_class=torch.optim.Adam, lr=0.01)
for step in range(6):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(torch.randn(16, 8)), torch.randint(0, 3, (16,)))
    loss.backward()
    optimizer.step()
    print(f"RANK {rank} STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
if "SAVE" in os.environ:
    torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")
dist.destroy_process_group()
