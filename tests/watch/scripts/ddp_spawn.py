import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP


def main(rank, world_size):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(rank)
    model = DDP(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for step in range(10):
        x, y = torch.randn(8, 8), torch.randint(0, 3, (8,))
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(f"RANK {rank} STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
    if "SAVE" in os.environ:
        torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")
    dist.destroy_process_group()


if __name__ == "__main__":
    ranks = int(os.environ.get("RANKS", "2"))
    mp.spawn(main, args=(ranks,), nprocs=ranks)
