"""An engine with event handlers and callbacks; the loss of each step passes through a registry of them."""
import collections
import os

import torch


class Engine:
    def __init__(self, process):
        self.process, self.handlers = process, collections.defaultdict(list)
        self.iteration, self.output = 0, None

    def on(self, event, every=1):
        def add(function):
            self.handlers[event].append((every, function))
            return function
        return add

    def fire(self, event):
        for every, function in self.handlers[event]:
            if self.iteration % every == 0:
                function(self)

    def run(self, data, epochs):
        for _ in range(epochs):
            for batch in data:
                self.iteration += 1
                self.output = self.process(self, batch)
                self.fire("iteration")
            self.fire("epoch")
        return self


torch.manual_seed(3)
encoder = torch.nn.Sequential(torch.nn.Linear(12, 8), torch.nn.ReLU())
mean, spread, decoder = torch.nn.Linear(8, 3), torch.nn.Linear(8, 3), torch.nn.Linear(3, 12)
modules = torch.nn.ModuleList([encoder, mean, spread, decoder])
optimizer = torch.optim.NAdam(modules.parameters(), lr=1e-2)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=2e-2, total_steps=12)
batches = list(torch.rand(6, 20, 12))


def process(engine, x):
    modules.train()
    hidden = encoder(x)
    mu, logvar = mean(hidden), spread(hidden)
    z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
    reconstruction = torch.nn.functional.binary_cross_entropy_with_logits(decoder(z), x, reduction="sum")
    divergence = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = reconstruction + divergence
    optimizer.zero_grad()
    torch.autograd.backward([loss])
    optimizer.step()
    return loss.item()


trainer, evaluator = Engine(process), Engine(lambda engine, x: decoder(mean(encoder(x))).sum().item())


@trainer.on("iteration")
def report(engine):
    print(f"Iteration[{engine.iteration}] Loss: {engine.output:.9g}")


@trainer.on("iteration")
def advance(engine):
    schedule.step()


@trainer.on("epoch")
def evaluate(engine):
    modules.eval()
    with torch.inference_mode():
        evaluator.run(batches[:2], 1)


trainer.run(batches, 2)
if "SAVE" in os.environ:
    torch.save(modules.state_dict(), os.environ["SAVE"])
