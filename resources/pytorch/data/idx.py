def read_idx(name):
    """A file in MNIST's format, plain or .gz: two zeros, type, number of dimensions, their sizes, the numbers."""
    raw = (gzip.open if name.endswith(".gz") else open)(name, "rb").read()
    first = 4 + 4 * raw[3]
    sizes = struct.unpack(f">{raw[3]}I", raw[4:first])
    numbers = torch.frombuffer(bytearray(raw[first:]), dtype=torch.uint8)
    if raw[2] == 0x0C:  # 32-bit numbers, of which QMNIST's labels have eight each: the first one is the class
        return numbers.view(sizes[0], -1)[:, 3]
    return numbers.view(sizes)


def load(part, count):
    """`count` images, scaled as usual, and their labels."""
    images, labels = [read_idx(name)[:count] for name in FILES[part]]
    return ((images.unsqueeze(1).double() / 255 - 0.1307) / 0.3081).to(DTYPE), labels.long()
