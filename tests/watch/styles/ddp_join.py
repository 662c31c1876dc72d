"""DDP with another number of batches on each rank: Join lets the ranks that are ready follow the others."""
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel as DDP


def run(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(0)
    model = DDP(torch.nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    torch.manual_seed(rank)
    inputs = [torch.randn(8, 4) for _ in range(6 + 2 * rank)]
    seen = 0
    with Join([model]):
        for batch in inputs:
            optimizer.zero_grad()
            loss = model(batch).pow(2).mean()
            loss.backward()
            optimizer.step()
            seen += 1
            print(f"rank={rank} batch={seen} loss={loss.item():.9g}\n", end="", flush=True)
    if "SAVE" in os.environ:
        torch.save(model.module.state_dict(), os.environ["SAVE"] + f".{rank}")
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29512")
    n = int(os.environ.get("RANKS", 2))
    mp.spawn(run, args=(n,), nprocs=n, join=True)
