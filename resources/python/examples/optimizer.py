"""Laboratory "optimizers": an optimizer of one's own beside the built-in ones.

    lockstep run own --set rank.program="python3 optimizer.py" --set own.rule=sign

Write a rule of your own into RULES and give it a name; every variant of `own.rule` is a curve.
"""

import torch

import images as data
import lockstep

lr = lockstep.parameter("lr", 0.02, help="Learning rate.", minimum=0.0)
rule = lockstep.parameter("rule", "sign", help="How a gradient changes the weights.", choices=("sgd", "sign", "clipped"))
steps = lockstep.parameter("steps", 200, minimum=1)
batch = lockstep.parameter("batch", 64, minimum=1)
folder = lockstep.parameter("mnist", "", help="Folder with MNIST's four files; empty uses random images.")

RULES = {
    "sgd": lambda gradient: gradient,
    "sign": lambda gradient: 0.05 * gradient.sign(),
    "clipped": lambda gradient: gradient / max(1.0, gradient.norm().item()),
}

run = lockstep.connect()
torch.manual_seed(run.seed)
images, labels = data.load(folder, "train", 4096)
test_images, test_labels = data.load(folder, "t10k", 1000)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
run.describe(train_samples=len(images), test_samples=len(test_images), steps=steps, dataset=data.name(folder),
             parameters=sum(weight.numel() for weight in net.parameters()))

for step in range(steps):
    with run.span("data"):
        chosen = torch.randint(len(images), (batch,))
        x, y = images[chosen], labels[chosen]
    with run.span("forward"):
        loss = torch.nn.functional.cross_entropy(net(x), y)
    with run.span("backward"):
        net.zero_grad()
        loss.backward()
    with run.span("optimize"), torch.no_grad():
        for weight in net.parameters():
            weight -= lr * RULES[rule](weight.grad)
    if not run.step(loss=loss.item(), samples=batch, lr=lr):
        break

with run.span("evaluate"), torch.no_grad():
    scores = net(test_images)
    accuracy = (scores.argmax(1) == test_labels).float().mean().item()
run.evaluate(accuracy=accuracy, loss=torch.nn.functional.cross_entropy(scores, test_labels).item())
