"""Closures that keep the model: one function makes the training step, another the evaluation step."""
import os

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, Dataset, random_split


class CustomDataset(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __getitem__(self, index):
        return (self.x[index], self.y[index])

    def __len__(self):
        return len(self.x)


def make_train_step(model, loss_fn, optimizer):
    def train_step(x, y):
        model.train()
        yhat = model(x)
        loss = loss_fn(y, yhat)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.item()

    return train_step


def make_val_step(model, loss_fn):
    def val_step(x, y):
        model.eval()
        yhat = model(x)
        return loss_fn(y, yhat).item()

    return val_step


torch.manual_seed(42)
x_tensor = torch.rand(100, 1)
y_tensor = 1 + 2 * x_tensor + 0.1 * torch.randn(100, 1)
train_dataset, val_dataset = random_split(CustomDataset(x_tensor, y_tensor), [80, 20])
train_loader = DataLoader(dataset=train_dataset, batch_size=16, num_workers=1)
val_loader = DataLoader(dataset=val_dataset, batch_size=20)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(1, 1)).to(device)
loss_fn = nn.MSELoss(reduction="mean")
optimizer = optim.SGD(model.parameters(), lr=1e-1)
train_step, val_step = make_train_step(model, loss_fn, optimizer), make_val_step(model, loss_fn)

losses, val_losses = [], []
for epoch in range(3):
    for x_batch, y_batch in train_loader:
        loss = train_step(x_batch.to(device), y_batch.to(device))
        losses.append(loss)
        print(f"{len(losses)}: {loss:.9g}")
    with torch.no_grad():
        for x_val, y_val in val_loader:
            val_losses.append(val_step(x_val.to(device), y_val.to(device)))
if "SAVE" in os.environ:
    torch.save(model.state_dict(), os.environ["SAVE"])
