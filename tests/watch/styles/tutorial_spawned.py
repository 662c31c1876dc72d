"""Writing Distributed Applications with PyTorch: processes by hand, gradients averaged, a partition for each rank."""
import os
from math import ceil
from random import Random

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn
import torch.nn.functional as F


class Partition:
    def __init__(self, data, index):
        self.data, self.index = data, index

    def __len__(self):
        return len(self.index)

    def __getitem__(self, index):
        return self.data[self.index[index]]


class DataPartitioner:
    def __init__(self, data, sizes, seed=1234):
        self.data, self.partitions = data, []
        rng = Random(seed)
        indexes = list(range(len(data)))
        rng.shuffle(indexes)
        for frac in sizes:
            part_len = int(frac * len(data))
            self.partitions.append(indexes[0:part_len])
            indexes = indexes[part_len:]

    def use(self, partition):
        return Partition(self.data, self.partitions[partition])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(20, 30), nn.Linear(30, 4)

    def forward(self, x):
        return F.log_softmax(self.fc2(F.dropout(F.relu(self.fc1(x)), training=self.training)), dim=1)


def average_gradients(model):
    size = float(dist.get_world_size())
    for param in model.parameters():
        dist.all_reduce(param.grad.data, op=dist.ReduceOp.SUM)
        param.grad.data /= size


def run(rank, size):
    torch.manual_seed(1234)
    data = [(torch.randn(20), i % 4) for i in range(96)]
    bsz = 24 // size
    train_set = torch.utils.data.DataLoader(DataPartitioner(data, [1.0 / size] * size).use(rank), batch_size=bsz,
                                            shuffle=True)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.5)
    num_batches = ceil(len(train_set.dataset) / float(bsz))
    batch = 0
    for epoch in range(2):
        epoch_loss = 0.0
        for data, target in train_set:
            optimizer.zero_grad()
            output = model(data)
            loss = F.nll_loss(output, target)
            epoch_loss += loss.item()
            loss.backward()
            average_gradients(model)
            optimizer.step()
            batch += 1
            print(f"Rank {rank}, batch {batch}, loss {loss.item():.9g}\n", end="", flush=True)
        print(f"Rank {rank}, epoch {epoch}: {epoch_loss / num_batches}\n", end="", flush=True)
    if "SAVE" in os.environ:
        torch.save(model.state_dict(), f"{os.environ['SAVE']}.{rank}")


def init_process(rank, size, fn, backend="gloo"):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29500")
    dist.init_process_group(backend, rank=rank, world_size=size)
    fn(rank, size)


if __name__ == "__main__":
    world_size = int(os.environ.get("RANKS", 2))
    processes = []
    mp.set_start_method("spawn")
    for rank in range(world_size):
        p = mp.Process(target=init_process, args=(rank, world_size, run))
        p.start()
        processes.append(p)
    for p in processes:
        p.join()
