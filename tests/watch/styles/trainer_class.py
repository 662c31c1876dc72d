"""A trainer class: dataclass settings, logging, validation in the middle of an epoch, early stopping."""
import argparse
import copy
import dataclasses
import logging
import os
import sys

import torch
from torch.utils.data import DataLoader, TensorDataset

log = logging.getLogger("trainer")


@dataclasses.dataclass
class Config:
    lr: float = 5e-2
    batch_size: int = 16
    max_epochs: int = 6
    patience: int = 2
    hidden: int = 24
    validate_every: int = 3


class Trainer:
    def __init__(self, config, model, train_set, valid_set):
        self.config, self.model = config, model
        self.train_loader = DataLoader(train_set, batch_size=config.batch_size, shuffle=True)
        self.valid_loader = DataLoader(valid_set, batch_size=64)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2, gamma=0.5)
        self.criterion = torch.nn.CrossEntropyLoss()
        self.global_step, self.best, self.bad, self.best_state = 0, float("inf"), 0, None

    def training_step(self, batch):
        inputs, targets = batch
        return self.criterion(self.model(inputs), targets)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        losses = [self.criterion(self.model(x), y).item() for x, y in self.valid_loader]
        self.model.train()
        return sum(losses) / len(losses)

    def should_stop(self, value):
        if value < self.best - 1e-4:
            self.best, self.bad, self.best_state = value, 0, copy.deepcopy(self.model.state_dict())
        else:
            self.bad += 1
        return self.bad > self.config.patience

    def fit(self):
        for epoch in range(self.config.max_epochs):
            for index, batch in enumerate(self.train_loader):
                self.optimizer.zero_grad()
                loss = self.training_step(batch)
                loss.backward()
                self.optimizer.step()
                self.global_step += 1
                log.info("epoch %d step %d train loss %.9g", epoch, self.global_step, loss.item())
                if index % self.config.validate_every == self.config.validate_every - 1:
                    if self.should_stop(self.validate()):
                        log.info("early stopping")
                        return
            self.scheduler.step()


def main():
    parser = argparse.ArgumentParser()
    for field in dataclasses.fields(Config):
        parser.add_argument("--" + field.name, type=field.type, default=field.default)
    config = Config(**vars(parser.parse_args()))
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(name)s %(message)s")
    torch.manual_seed(0)
    x = torch.randn(160, 10)
    y = (x[:, 0] * x[:, 1] > 0).long()
    model = torch.nn.Sequential(torch.nn.Linear(10, config.hidden), torch.nn.Tanh(), torch.nn.Dropout(0.1),
                                torch.nn.Linear(config.hidden, 2))
    trainer = Trainer(config, model, TensorDataset(x[:112], y[:112]), TensorDataset(x[112:], y[112:]))
    trainer.fit()
    if "SAVE" in os.environ:
        torch.save(trainer.best_state, os.environ["SAVE"])


if __name__ == "__main__":
    main()
