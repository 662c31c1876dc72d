"""DistributedDataParallel with an optimizer of one's own, on MNIST or on random images.

    lockstep run own --set rank.program="python3 ddp_mnist.py" --set world_size=2 --set own.lr=0.05
"""

import torch
import torch.distributed
from torch.nn.parallel import DistributedDataParallel

import images as data
import lockstep

lr = lockstep.parameter("lr", 0.05, help="Learning rate.", minimum=0.0)
momentum = lockstep.parameter("momentum", 0.9, help="Momentum of the optimizer below.", minimum=0.0, maximum=1.0)
epochs = lockstep.parameter("epochs", 1, minimum=1)
batch = lockstep.parameter("batch", 64, help="Samples per step and rank.", minimum=1)
samples = lockstep.parameter("samples", 4096, help="Of the training set; 0 uses all.", minimum=0)
stamps = lockstep.parameter("stamps", True, help="Whether collectives are stamped, so that waiting is told.")
folder = lockstep.parameter("mnist", "", help="Folder with MNIST's four files; empty uses random images.")


class MySgd(torch.optim.Optimizer):
    """v = momentum v + g, w = w - lr v."""

    def __init__(self, weights, lr, momentum):
        super().__init__(weights, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for weight in group["params"]:
                state = self.state[weight]
                velocity = state.setdefault("velocity", torch.zeros_like(weight))
                velocity.mul_(group["momentum"]).add_(weight.grad)
                weight.sub_(velocity, alpha=group["lr"])


run = lockstep.connect()
torch.manual_seed(run.seed)
torch.distributed.init_process_group("gloo")
images, labels = data.load(folder, "train", samples)
test_images, test_labels = data.load(folder, "t10k", 1000)

net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
model = DistributedDataParallel(net)
if stamps:
    lockstep.ddp(model)
optimizer = MySgd(model.parameters(), lr, momentum)

steps_per_epoch = len(images) // (batch * run.world_size)
run.describe(train_samples=len(images), test_samples=len(test_images), steps=epochs * steps_per_epoch,
             steps_per_epoch=steps_per_epoch, parameters=sum(weight.numel() for weight in net.parameters()),
             dataset=data.name(folder), communication="DDP over Gloo")


def train():
    for epoch in range(epochs):
        order = torch.randperm(len(images), generator=torch.Generator().manual_seed(run.seed + epoch))
        own = order[run.rank::run.world_size]
        for i in range(steps_per_epoch):
            with run.span("data"):
                chosen = own[i * batch:(i + 1) * batch]
                x, y = images[chosen], labels[chosen]
            with run.span("forward"):
                loss = torch.nn.functional.cross_entropy(model(x), y)
            with run.span("backward"):
                optimizer.zero_grad()
                loss.backward()
            with run.span("optimize"):
                optimizer.step()
            norm = sum(weight.grad.norm() ** 2 for weight in net.parameters()) ** 0.5
            if not run.step(loss=loss.item(), samples=len(chosen), lr=lr, gradient_norm=norm.item()):
                return


train()
data.evaluate(run, net, test_images, test_labels)
run.finish()
torch.distributed.destroy_process_group()
