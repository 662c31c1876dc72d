import os

import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
model = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = torch.nn.CrossEntropyLoss()
step = 0
for epoch in range(2):
    model.train()
    for x, y in DataLoader(data, batch_size=16, shuffle=True):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        step += 1
        print(f"STEP {step} LOSS {loss.item():.9g}")
    model.eval()
    correct = 0
    with torch.no_grad():
        for x, y in DataLoader(data, batch_size=32):
            correct += (model(x).argmax(1) == y).sum().item()
    print(f"accuracy {correct / len(data):.3f}")
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
