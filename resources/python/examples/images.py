"""MNIST from a folder with its four files, or images of ten kinds made from random numbers; the result on a test set."""

import gzip
import os
import struct

import torch


def _idx(path):
    with gzip.open(path) as file:
        sides = struct.unpack(">HBB", file.read(4))[2]
        shape = struct.unpack(f">{sides}I", file.read(4 * sides))
        return torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).reshape(shape)


def load(folder, part, count):
    """Images and labels of `part` (train or t10k); `count` 0: all of them."""
    if folder:
        images = _idx(os.path.join(folder, f"{part}-images-idx3-ubyte.gz")).float().div_(255.0)
        labels = _idx(os.path.join(folder, f"{part}-labels-idx1-ubyte.gz")).long()
    else:
        means = torch.rand(10, 28, 28, generator=torch.Generator().manual_seed(0))
        generator = torch.Generator().manual_seed(1 if part == "train" else 2)
        labels = torch.randint(10, (count or 4096,), generator=generator)
        images = means[labels] + 0.5 * torch.randn(len(labels), 28, 28, generator=generator)
    return (images[:count], labels[:count]) if count else (images, labels)


def name(folder):
    return "MNIST" if folder else "random images"


def evaluate(run, net, images, labels):
    """Reports accuracy and loss of the net on these images."""
    with run.span("evaluate"), torch.no_grad():
        scores = net(images)
        accuracy = (scores.argmax(1) == labels).float().mean().item()
    run.evaluate(accuracy=accuracy, loss=torch.nn.functional.cross_entropy(scores, labels).item())
