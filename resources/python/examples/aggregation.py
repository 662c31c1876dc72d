"""Laboratory "aggregation": gradients are averaged by hand, in one of three ways, with one rank slower than the others.

    lockstep run own --set rank.program="python3 aggregation.py" --set world_size=4 --set own.slow_ms=20 \\
        --vary own.algorithm=all_reduce,gather,ring
"""

import time

import torch
import torch.distributed as dist

import images as data
import lockstep

lr = lockstep.parameter("lr", 0.05, minimum=0.0)
algorithm = lockstep.parameter("algorithm", "all_reduce", help="How gradients are averaged.",
                               choices=("all_reduce", "gather", "ring"))
slow_ms = lockstep.parameter("slow_ms", 0.0, help="Extra time per step of rank 0, the straggler.", minimum=0.0)
steps = lockstep.parameter("steps", 100, minimum=1)
batch = lockstep.parameter("batch", 32, help="Samples per step and rank.", minimum=1)
folder = lockstep.parameter("mnist", "", help="Folder with MNIST's four files; empty uses random images.")

run = lockstep.connect()
torch.manual_seed(run.seed)  # the same weights on every rank
dist.init_process_group("gloo")
lockstep.watch(dist)  # stamps collectives, so that waiting is told apart from transferring

images, labels = data.load(folder, "train", 4096)
test_images, test_labels = data.load(folder, "t10k", 1000)
own = torch.randperm(len(labels)).chunk(run.world_size)[run.rank]
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
run.describe(train_samples=len(images), test_samples=len(test_images), steps=steps, dataset=data.name(folder),
             parameters=sum(weight.numel() for weight in net.parameters()), communication=algorithm)


def ring_sum(gradient):
    """Each gradient goes once around the ring; watch() does not stamp messages from rank to rank."""
    total, passed = gradient.clone(), gradient
    for _ in range(run.world_size - 1):
        received = torch.empty_like(passed)
        sending = dist.isend(passed, (run.rank + 1) % run.world_size)
        dist.recv(received, (run.rank - 1) % run.world_size)
        sending.wait()
        total += received
        passed = received
    return total


def averaged(gradient):
    """The mean over the ranks."""
    if algorithm == "all_reduce":
        dist.all_reduce(gradient)
        return gradient / run.world_size
    if algorithm == "gather":
        every = [torch.empty_like(gradient) for _ in range(run.world_size)]
        dist.all_gather(every, gradient)
        return torch.stack(every).mean(0)
    with run.span("communicate"):
        return ring_sum(gradient) / run.world_size


for step in range(steps):
    with run.span("data"):
        chosen = own[torch.randint(len(own), (batch,))]
        x, y = images[chosen], labels[chosen]
    with run.span("forward"):
        loss = torch.nn.functional.cross_entropy(net(x), y)
    with run.span("backward"):
        net.zero_grad()
        loss.backward()
        if run.rank == 0:
            time.sleep(slow_ms / 1e3)
    mean = averaged(torch.cat([weight.grad.flatten() for weight in net.parameters()]))
    with run.span("optimize"), torch.no_grad():
        for weight, change in zip(net.parameters(), mean.split([each.numel() for each in net.parameters()])):
            weight -= lr * change.view_as(weight)
    if not run.step(loss=loss.item(), samples=batch, lr=lr):
        break

data.evaluate(run, net, test_images, test_labels)
run.finish()
dist.destroy_process_group()
