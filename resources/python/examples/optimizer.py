"""Laboratory "optimizers": gradient descent, SGD and Adam as classes of one's own, beside the built-in ones.

    lockstep run own --set rank.program="python3 optimizer.py" --vary own.optimizer=gd,sgd,adam

Write a class of your own and give it a name in OPTIMIZERS; every variant of `own.optimizer` is a curve.
"""

import torch

import images as data
import lockstep

optimizer = lockstep.parameter("optimizer", "sgd", help="Which class changes the weights.",
                               choices=("gd", "sgd", "adam"))
lr = lockstep.parameter("lr", 0.05, help="Learning rate.", minimum=0.0)
momentum = lockstep.parameter("momentum", 0.9, help="Momentum of SGD.", minimum=0.0, maximum=1.0)
steps = lockstep.parameter("steps", 200, minimum=1)
batch = lockstep.parameter("batch", 64, help="Samples per step; gradient descent uses all.", minimum=1)
folder = lockstep.parameter("mnist", "", help="Folder with MNIST's four files; empty uses random images.")


class GradientDescent:
    """w = w - lr g, with the gradient of the whole training set."""

    uses_all_samples = True

    def __init__(self, weights):
        self.weights = list(weights)

    @torch.no_grad()
    def step(self):
        for weight in self.weights:
            weight -= lr * weight.grad


class Sgd:
    """v = momentum v + g, w = w - lr v."""

    uses_all_samples = False

    def __init__(self, weights):
        self.weights = list(weights)
        self.velocities = [torch.zeros_like(weight) for weight in self.weights]

    @torch.no_grad()
    def step(self):
        for weight, velocity in zip(self.weights, self.velocities):
            velocity.mul_(momentum).add_(weight.grad)
            weight -= lr * velocity


class Adam:
    """Kingma and Ba, 2015, Algorithm 1, with a tenth of the learning rate."""

    uses_all_samples = False

    def __init__(self, weights, beta1=0.9, beta2=0.999, epsilon=1e-8):
        self.weights = list(weights)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.first = [torch.zeros_like(weight) for weight in self.weights]
        self.second = [torch.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    @torch.no_grad()
    def step(self):
        self.steps += 1
        for weight, first, second in zip(self.weights, self.first, self.second):
            first.mul_(self.beta1).add_(weight.grad, alpha=1 - self.beta1)
            second.mul_(self.beta2).addcmul_(weight.grad, weight.grad, value=1 - self.beta2)
            mean = first / (1 - self.beta1 ** self.steps)
            deviation = (second / (1 - self.beta2 ** self.steps)).sqrt()
            weight -= 0.1 * lr * mean / (deviation + self.epsilon)


OPTIMIZERS = {"gd": GradientDescent, "sgd": Sgd, "adam": Adam}

run = lockstep.connect()
torch.manual_seed(run.seed)
images, labels = data.load(folder, "train", 4096)
test_images, test_labels = data.load(folder, "t10k", 1000)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
rule = OPTIMIZERS[optimizer](net.parameters())
run.describe(train_samples=len(images), test_samples=len(test_images), steps=steps, dataset=data.name(folder),
             parameters=sum(weight.numel() for weight in net.parameters()))

for step in range(steps):
    with run.span("data"):
        chosen = torch.arange(len(images)) if rule.uses_all_samples else torch.randint(len(images), (batch,))
        x, y = images[chosen], labels[chosen]
    with run.span("forward"):
        loss = torch.nn.functional.cross_entropy(net(x), y)
    with run.span("backward"):
        net.zero_grad()
        loss.backward()
    with run.span("optimize"):
        rule.step()
    if not run.step(loss=loss.item(), samples=len(chosen), lr=lr):
        break

data.evaluate(run, net, test_images, test_labels)
