import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, ranks = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
model = torch.nn.Linear(8, 3)
torch.manual_seed(rank)
for step in range(8):
    model.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(torch.randn(16, 8)), torch.randint(0, 3, (16,)))
    loss.backward()
    with torch.no_grad():
        for weight in model.parameters():
            dist.all_reduce(weight.grad)
            weight -= 0.1 * weight.grad / ranks
    print(f"RANK {rank} STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
if "SAVE" in os.environ:
    torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")
dist.destroy_process_group()
