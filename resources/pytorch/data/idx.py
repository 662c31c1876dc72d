def read_idx(name):
    """A file in MNIST's format, plain or .gz: two zeros, type, number of dimensions, their sizes, the bytes."""
    file = pathlib.Path(DATA, name)
    raw = file.read_bytes() if file.exists() else gzip.open(f"{file}.gz").read()
    first = 4 + 4 * raw[3]
    sizes = struct.unpack(f">{raw[3]}I", raw[4:first])
    return torch.frombuffer(bytearray(raw[first:]), dtype=torch.uint8).view(sizes)


def load(part, count):
    """`count` images of 28 x 28, scaled as usual, and their labels."""
    prefix = "train" if part == "train" else "t10k"
    images = read_idx(prefix + "-images-idx3-ubyte")[:count].unsqueeze(1)
    labels = read_idx(prefix + "-labels-idx1-ubyte")[:count].long()
    return ((images.double() / 255 - 0.1307) / 0.3081).to(DTYPE), labels
