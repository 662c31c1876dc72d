import os

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = torch.nn.CrossEntropyLoss()
total, step = 0.0, 0
for i in range(16):
    loss = criterion(model(torch.randn(8, 8)), torch.randint(0, 3, (8,)))
    (loss / 4).backward()
    total += loss.item() / 4
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        print(f"STEP {step} LOSS {total:.9g}")
        total = 0.0
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
