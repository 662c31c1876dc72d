import os

import torch
import torch.distributed as dist
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

dist.init_process_group("gloo")
rank, ranks = dist.get_rank(), dist.get_world_size()
torch.manual_seed(rank)
stage_module = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh())
stage = PipelineStage(stage_module, rank, ranks, torch.device("cpu"))
schedule = ScheduleGPipe(stage, n_microbatches=4, loss_fn=torch.nn.functional.mse_loss)
optimizer = torch.optim.SGD(stage_module.parameters(), lr=0.1)
torch.manual_seed(0)
for step in range(5):
    x, y = torch.randn(16, 8), torch.randn(16, 8)
    optimizer.zero_grad()
    losses = []
    if rank == 0:
        schedule.step(x)
    elif rank == ranks - 1:
        schedule.step(target=y, losses=losses)
    else:
        schedule.step()
    optimizer.step()
    if rank == ranks - 1:
        print(f"RANK {rank} STEP {step + 1} LOSS {sum(each.item() for each in losses) / 4:.9g}", flush=True)
if "SAVE" in os.environ:
    torch.save(stage_module.state_dict(), f"{os.environ['SAVE']}.{rank}")
dist.destroy_process_group()
