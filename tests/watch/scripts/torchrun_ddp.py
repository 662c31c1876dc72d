import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(rank)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 3))
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
for step in range(6):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(torch.randn(16, 8)), torch.randint(0, 3, (16,)))
    loss.backward()
    optimizer.step()
    print(f"RANK {rank} STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
if "SAVE" in os.environ:
    torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")
dist.destroy_process_group()
