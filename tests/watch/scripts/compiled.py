import os

import torch

torch.manual_seed(0)
criterion = torch.nn.CrossEntropyLoss()
step = 0
kept = []


@torch.compile(backend="aot_eager")
def loss_of(model, x, y):
    return criterion(model(x), y)


def train(model, function):
    global step
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        x, y = torch.randn(16, 8), torch.randint(0, 3, (16,))
        optimizer.zero_grad()
        loss = function(model, x, y)
        loss.backward()
        optimizer.step()
        step += 1
        print(f"STEP {step} LOSS {loss.item():.9g}")
    kept.extend(weight.detach() for weight in model.parameters())


train(torch.compile(torch.nn.Linear(8, 3), backend="aot_eager"), lambda model, x, y: criterion(model(x), y))
in_place = torch.nn.Linear(8, 3)
in_place.compile(backend="aot_eager")
train(in_place, lambda model, x, y: criterion(model(x), y))
train(torch.nn.Linear(8, 3), loss_of)
if "SAVE" in os.environ:
    torch.save(kept, os.environ["SAVE"])
