#!/usr/bin/env python3
"""The same training steps in Python, on the GPU: what tests/gpu/run.sh holds lockstep-rank's against. Prints one JSON object.

    torch_peer.py --model mlp|cnn --ranks 1|2 [--steps 500]

mlp: 784-128-ReLU-10.  cnn: conv 1->32 3x3, ReLU, conv 32->64 3x3, ReLU, max-pool 2, linear 9216-128, ReLU, linear 128-10.
SGD, batch 64 in all, data on the GPU before the first step, the loss read once at the end. Several ranks share cuda:0 and are
DistributedDataParallel over Gloo, since NCCL refuses two ranks on one GPU.
"""
import argparse, json, os, time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn as nn

BATCH = 64
SAMPLES = 8192


def network(name):
    if name == "mlp":
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    return nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Flatten(), nn.Linear(9216, 128), nn.ReLU(), nn.Linear(128, 10))


def worker(rank, args, out):
    device = torch.device("cuda:0")
    if args.ranks > 1:
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(args.port))
        dist.init_process_group("gloo", rank=rank, world_size=args.ranks)
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True  # as lockstep-rank chooses its kernels
    images = torch.randn(SAMPLES, 1, 28, 28, device=device)
    labels = torch.randint(0, 10, (SAMPLES,), device=device)
    order = torch.randperm(SAMPLES, device=device)
    net = network(args.model).to(device)
    model = nn.parallel.DistributedDataParallel(net, device_ids=[0]) if args.ranks > 1 else net
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    local = BATCH // args.ranks

    def step(number):
        first = (number * BATCH) % (SAMPLES - BATCH) + rank * local
        take = order[first:first + local]
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images[take]), labels[take])
        loss.backward()
        optimizer.step()
        return loss

    for number in range(50):
        loss = step(number)
    torch.cuda.synchronize()
    blocks = []
    for block in range(5):
        started = time.perf_counter()
        for number in range(args.steps // 5):
            loss = step(number)
        torch.cuda.synchronize()
        blocks.append((time.perf_counter() - started) / (args.steps // 5) * 1e3)
    if rank == 0:
        out.put({"peer": "PyTorch " + torch.__version__, "model": args.model, "ranks": args.ranks,
                 "ms_per_step": sorted(blocks)[2], "loss": loss.item()})
    if args.ranks > 1:
        dist.destroy_process_group()


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", choices=["mlp", "cnn"], default="mlp")
    p.add_argument("--ranks", type=int, default=1)
    p.add_argument("--steps", type=int, default=500)
    p.add_argument("--port", type=int, default=29619)
    a = p.parse_args()
    queue = mp.get_context("spawn").SimpleQueue()
    mp.spawn(worker, (a, queue), nprocs=a.ranks)
    print(json.dumps(queue.get()))
