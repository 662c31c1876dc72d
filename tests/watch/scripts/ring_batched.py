import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, ranks = dist.get_rank(), dist.get_world_size()


def ring(tensor):
    """The sum over all ranks."""
    total, travelling = tensor.clone(), tensor.clone()
    for _ in range(ranks - 1):
        received = torch.empty_like(tensor)
        works = dist.batch_isend_irecv([dist.P2POp(dist.isend, travelling, (rank + 1) % ranks),
                                        dist.P2POp(dist.irecv, received, (rank - 1) % ranks)])
        for work in works:
            work.wait()
        total += received
        travelling = received
    return total


torch.manual_seed(0)
model = torch.nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.manual_seed(rank)
for step in range(8):
    optimizer.zero_grad()
    loss = torch.nn.functional.cross_entropy(model(torch.randn(16, 8)), torch.randint(0, 3, (16,)))
    loss.backward()
    for weight in model.parameters():
        weight.grad = ring(weight.grad) / ranks
    optimizer.step()
    print(f"RANK {rank} STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
if "SAVE" in os.environ:
    torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")
dist.destroy_process_group()
