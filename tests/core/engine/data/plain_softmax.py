"""Softmax regression by gradient descent on the files of a data set, with nothing but Python's own library: what
test_kinds_of_data compares the engine with. Arguments: kind, path, learning rate, steps; the initial weights, one
number a line, come from standard input. Prints the loss of each step, then test loss and accuracy."""
import csv
import gzip
import math
import pathlib
import struct
import sys
import zipfile

MNIST = [(0.1307, 0.3081)]
CIFAR100 = [(0.5071, 0.2673), (0.4865, 0.2564), (0.4409, 0.2762)]


def read_idx(path):
    raw = (gzip.open if path.suffix == ".gz" else open)(path, "rb").read()
    sizes = struct.unpack(f">{raw[3]}I", raw[4 : 4 + 4 * raw[3]])
    data = raw[4 + 4 * raw[3] :]
    if raw[2] == 0x0C:  # QMNIST's labels: the class, then seven numbers about the writer
        return [struct.unpack_from(">i", data, 4 * sizes[1] * i)[0] for i in range(sizes[0])]
    each = math.prod(sizes[1:])
    return [data[i * each : (i + 1) * each] for i in range(sizes[0])] if each > 1 else list(data)


def idx(path, part):
    names = sorted(path.iterdir())
    images = [each for each in names if part in each.name and "images" in each.name]
    labels = [each for each in names if part in each.name and "labels" in each.name]
    return read_idx(images[0]), read_idx(labels[0])


def array_of(archive, name):
    raw = archive.read(name + ".npy")
    first = 10 + struct.unpack("<H", raw[8:10])[0]
    header = eval(raw[10:first])
    count = math.prod(header["shape"])
    numbers = struct.unpack(f"<{count}" + {"|u1": "B", "<i8": "q"}[header["descr"]], raw[first:])
    each = count // header["shape"][0]
    return [numbers[i * each : (i + 1) * each] for i in range(header["shape"][0])] if each > 1 else list(numbers)


def npz(path, part):
    with zipfile.ZipFile(path) as archive:
        return array_of(archive, "x_" + part), array_of(archive, "y_" + part)


def kaggle(path, part):
    rows = [[int(value) for value in row] for row in list(csv.reader(open(path)))[1:]]
    tests = len(rows) // 6
    rows = rows[: len(rows) - tests] if part == "train" else rows[len(rows) - tests :]
    return [row[1:] for row in rows], [row[0] for row in rows]


def cifar100(label):
    def read(path, part):
        raw = (path / (part + ".bin")).read_bytes()
        records = [raw[i : i + 3074] for i in range(0, len(raw), 3074)]
        return [record[2:] for record in records], [record[label] for record in records]

    return read


KINDS = {"idx": (idx, MNIST), "npz": (npz, MNIST), "csv": (kaggle, MNIST), "fine": (cifar100(1), CIFAR100),
         "coarse": (cifar100(0), CIFAR100)}


def scaled(images, scale):
    plane = len(images[0]) // len(scale)
    return [[(value / 255 - scale[i // plane][0]) / scale[i // plane][1] for i, value in enumerate(image)]
            for image in images]


def probabilities(image, weights, biases):
    scores = [sum(map(float.__mul__, row, image)) + bias for row, bias in zip(weights, biases)]
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    return [power / sum(powers) for power in powers]


def main(kind, path, rate, steps):
    read, scale = KINDS[kind]
    images, labels = read(pathlib.Path(path), "train")
    images = scaled(images, scale)
    numbers = [float(line) for line in sys.stdin]
    pixels = len(images[0])
    classes = len(numbers) // (pixels + 1)
    weights = [numbers[i * pixels : (i + 1) * pixels] for i in range(classes)]
    biases = numbers[classes * pixels :]
    for _ in range(int(steps)):
        given = [probabilities(image, weights, biases) for image in images]
        print(sum(-math.log(p[label]) for p, label in zip(given, labels)) / len(images))
        for c in range(classes):
            errors = [float(rate) / len(images) * (p[c] - (label == c)) for p, label in zip(given, labels)]
            for image, error in zip(images, errors):
                weights[c] = [weight - error * value for weight, value in zip(weights[c], image)]
            biases[c] -= sum(errors)
    images, labels = read(pathlib.Path(path), "test" if kind != "idx" or any(
        "test" in each.name for each in pathlib.Path(path).iterdir()) else "t10k")
    given = [probabilities(image, weights, biases) for image in scaled(images, scale)]
    print(sum(-math.log(p[label]) for p, label in zip(given, labels)) / len(images))
    print(sum(p.index(max(p)) == label for p, label in zip(given, labels)) / len(images))


main(*sys.argv[1:])
