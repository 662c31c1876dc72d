def load(part, count):
    """`count` images, scaled as usual, and their labels: a line has the label, then the pixels row by row."""
    name = FILES[part][0]
    with (gzip.open if name.endswith(".gz") else open)(name, "rt") as file:
        lines = [line for line in file if line[0].isdigit()]  # without the names of the columns
    if FILES["train"] == FILES["test"]:  # the last sixth is for testing
        tests = len(lines) // 6
        lines = lines[:-tests] if part == "train" else lines[-tests:]
    rows = bytearray().join(bytes(map(int, line.split(","))) for line in lines[:count])
    samples = torch.frombuffer(rows, dtype=torch.uint8).view(len(lines[:count]), -1)
    side = math.isqrt(samples.shape[1] - 1)
    images = samples[:, 1:].reshape(-1, 1, side, side).double()
    return ((images / 255 - 0.1307) / 0.3081).to(DTYPE), samples[:, 0].long()
