"""Laboratory "partitioning": which samples a rank trains on, as a Sampler of one's own.

    lockstep run own --set rank.program="python3 partition.py" --set world_size=4 --vary own.split=shuffled,by_label

Write a Sampler of your own and give it a name in SAMPLERS.
"""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Sampler, TensorDataset

import images as data
import lockstep

split = lockstep.parameter("split", "shuffled", help="Which samples a rank trains on.", choices=("shuffled", "by_label"))
lr = lockstep.parameter("lr", 0.05, minimum=0.0)
epochs = lockstep.parameter("epochs", 1, minimum=1)
batch = lockstep.parameter("batch", 64, help="Samples per step and rank.", minimum=1)
samples = lockstep.parameter("samples", 4096, help="Of the training set; 0 uses all.", minimum=0)
folder = lockstep.parameter("mnist", "", help="Folder with MNIST's four files; empty uses random images.")

run = lockstep.connect()
torch.manual_seed(run.seed)


class Shuffled(Sampler):
    """Every rank's share is random, and shuffled again each epoch."""

    def __init__(self, labels):
        self.share = torch.randperm(len(labels)).chunk(run.world_size)[run.rank]

    def __len__(self):
        return len(self.share)

    def __iter__(self):
        return iter(self.share[torch.randperm(len(self.share))].tolist())


class ByLabel(Shuffled):
    """Each rank has its own labels: the ranks' gradients disagree."""

    def __init__(self, labels):
        self.share = labels.argsort().chunk(run.world_size)[run.rank]


SAMPLERS = {"shuffled": Shuffled, "by_label": ByLabel}

dist.init_process_group("gloo")
images, labels = data.load(folder, "train", samples)
test_images, test_labels = data.load(folder, "t10k", 1000)
sampler = SAMPLERS[split](labels)
loader = DataLoader(TensorDataset(images, labels), batch, sampler=sampler, drop_last=True)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
model = lockstep.ddp(DistributedDataParallel(net))
run.describe(train_samples=len(images), test_samples=len(test_images), steps=epochs * len(loader),
             steps_per_epoch=len(loader), parameters=sum(weight.numel() for weight in net.parameters()),
             dataset=data.name(folder), communication="DDP over Gloo")


def train():
    for _ in range(epochs):
        for x, y in loader:
            with run.span("forward"):
                loss = torch.nn.functional.cross_entropy(model(x), y)
            with run.span("backward"):
                net.zero_grad()
                loss.backward()
            with run.span("optimize"), torch.no_grad():
                for weight in net.parameters():
                    weight -= lr * weight.grad
            if not run.step(loss=loss.item(), samples=len(x), lr=lr, labels=len(y.unique())):
                return


train()
data.evaluate(run, net, test_images, test_labels)
run.finish()
dist.destroy_process_group()
