"""Laboratory "model parallel": the net is cut by layers, one stage per rank; activations and their gradients are sent
from rank to rank.

    lockstep run own --set rank.program="python3 layers.py" --set world_size=3
"""

import torch
import torch.distributed as dist

import images as data
import lockstep

lr = lockstep.parameter("lr", 0.1, minimum=0.0)
width = lockstep.parameter("width", 64, help="Width of the layers between the first and the last.", minimum=1)
steps = lockstep.parameter("steps", 100, minimum=1)
batch = lockstep.parameter("batch", 64, help="Samples per step.", minimum=1)
folder = lockstep.parameter("mnist", "", help="Folder with MNIST's four files; empty uses random images.")

run = lockstep.connect()
torch.manual_seed(run.seed)  # the same batches on every rank
dist.init_process_group("gloo")
is_first = run.rank == 0
is_last = run.rank == run.world_size - 1
images, labels = data.load(folder, "train", 4096)
test_images, test_labels = data.load(folder, "t10k", 1000)
inputs, outputs = 784 if is_first else width, 10 if is_last else width
stage = torch.nn.Linear(inputs, outputs) if is_last else torch.nn.Sequential(torch.nn.Linear(inputs, outputs),
                                                                             torch.nn.ReLU())
run.describe(train_samples=len(images), test_samples=len(test_images), steps=steps, dataset=data.name(folder),
             communication="send and receive over Gloo", same_batch=True)


def forward(x):
    """The input and the output of this rank's stage; the last one's are the scores."""
    entry = x.flatten(1)
    if not is_first:
        entry = torch.empty(len(x), width)
        with run.span("communicate"):
            dist.recv(entry, run.rank - 1)
        entry.requires_grad_(torch.is_grad_enabled())
    with run.span("forward"):
        output = stage(entry)
    if not is_last:
        with run.span("communicate"):
            dist.send(output.detach(), run.rank + 1)
    return entry, output


def backward(entry, output, y):
    """Gives the loss, which the last rank tells the others."""
    loss = torch.zeros(())
    if is_last:
        with run.span("backward"):
            loss = torch.nn.functional.cross_entropy(output, y)
            loss.backward()
        loss = loss.detach()
    else:
        gradient = torch.empty_like(output)
        with run.span("communicate"):
            dist.recv(gradient, run.rank + 1)
        with run.span("backward"):
            output.backward(gradient)
    with run.span("communicate"):
        if not is_first:
            dist.send(entry.grad, run.rank - 1)
        dist.broadcast(loss, run.world_size - 1)
    return loss.item()


for step in range(steps):
    with run.span("data"):
        chosen = torch.randint(len(images), (batch,), generator=torch.Generator().manual_seed(1000 * run.seed + step))
        x, y = images[chosen], labels[chosen]
    stage.zero_grad()
    entry, output = forward(x)
    loss = backward(entry, output, y)
    with run.span("optimize"), torch.no_grad():
        for weight in stage.parameters():
            weight -= lr * weight.grad
    if not run.step(loss=loss, samples=batch, lr=lr):
        break

with run.span("evaluate"), torch.no_grad():
    scores = forward(test_images)[1]
    told = torch.zeros(2)
    if is_last:
        told[0] = (scores.argmax(1) == test_labels).float().mean()
        told[1] = torch.nn.functional.cross_entropy(scores, test_labels)
    dist.broadcast(told, run.world_size - 1)
run.evaluate(accuracy=told[0].item(), loss=told[1].item())
run.finish()
dist.destroy_process_group()
