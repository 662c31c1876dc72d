import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

torch.set_num_threads(1)


def main(rank, world_size):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(0)
    model = torch.nn.Linear(8, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(10):
        x, y = torch.randn(8, 8) + rank, torch.randint(0, 3, (8,))
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        for weight in model.parameters():
            dist.all_reduce(weight.grad, op=dist.ReduceOp.SUM)
            weight.grad /= world_size
        optimizer.step()
        print(f"RANK {rank} STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
    if "SAVE" in os.environ:
        torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")


if __name__ == "__main__":
    ranks = int(os.environ.get("RANKS", "2"))
    context = mp.get_context("fork")
    children = [context.Process(target=main, args=(rank, ranks)) for rank in range(ranks)]
    for child in children:
        child.start()
    for child in children:
        child.join()
