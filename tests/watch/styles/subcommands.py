"""argparse with subcommands; train writes checkpoints and resumes from one, test reads it."""
import argparse
import os
import sys
import tempfile

import torch
import torch.nn.functional as F


def build(args):
    torch.manual_seed(args.seed)
    return torch.nn.Sequential(torch.nn.Conv2d(1, 4, 3), torch.nn.BatchNorm2d(4), torch.nn.ReLU(),
                               torch.nn.AdaptiveAvgPool2d(2), torch.nn.Flatten(), torch.nn.Linear(16, 10))


def batches(count):
    generator = torch.Generator().manual_seed(7)
    for _ in range(count):
        yield torch.randn(8, 1, 12, 12, generator=generator), torch.randint(0, 10, (8,), generator=generator)


def train(args):
    net = build(args)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=args.lr, momentum=0.5)
    done = 0
    if os.path.exists(args.checkpoint):
        state = torch.load(args.checkpoint)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        done = state["done"]
    print(f"resumed after {done} batches" if done else "a new model")
    for number, (data, target) in enumerate(batches(args.batches), start=1):
        if number <= done:
            continue
        optimizer.zero_grad()
        output = F.log_softmax(net(data), dim=1)
        loss = F.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        print(f"batch {number}: {loss.item():.9g}")
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "done": args.batches}, args.checkpoint)


def test(args):
    net = build(args)
    net.load_state_dict(torch.load(args.checkpoint)["net"])
    net.eval()
    correct = 0
    with torch.no_grad():
        for data, target in batches(4):
            correct += net(data).argmax(1).eq(target).sum().item()
    print(f"accuracy: {correct / 32:.2f}")


def main(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", default="checkpoint.pt")
    parser.add_argument("--seed", type=int, default=1)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, function in (("train", train), ("test", test)):
        command = commands.add_parser(name)
        command.set_defaults(function=function)
        if name == "train":
            command.add_argument("--lr", type=float, default=1e-3)
            command.add_argument("--batches", type=int, default=10)
    args = parser.parse_args(argv)
    args.function(args)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1:])
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "checkpoint.pt")
            main(["--checkpoint", path, "train", "--batches", "6"])
            main(["--checkpoint", path, "train", "--batches", "12"])
            main(["--checkpoint", path, "test"])
            if "SAVE" in os.environ:
                torch.save(torch.load(path)["net"], os.environ["SAVE"])
