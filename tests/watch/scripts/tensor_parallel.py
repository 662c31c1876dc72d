import os

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 12), torch.nn.ReLU(), torch.nn.Linear(12, 3))
mesh = init_device_mesh("cpu", (dist.get_world_size(),))
parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=False)
for step in range(5):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(torch.randn(16, 8)), torch.randint(0, 3, (16,)))
    loss.backward()
    optimizer.step()
    print(f"RANK {rank} STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
if "SAVE" in os.environ:
    torch.save([weight.to_local() for weight in model.parameters()], f"{os.environ['SAVE']}.{rank}")
dist.destroy_process_group()
