def load(part, count):
    """`count` colour images of 32 x 32, scaled as usual, and their labels: a byte for each label, then 3 x 32 x 32."""
    raw = b"".join(pathlib.Path(name).read_bytes() for name in FILES[part])
    records = torch.frombuffer(bytearray(raw), dtype=torch.uint8).view(-1, LABELS + 3 * 32 * 32)[:count]
    images = records[:, LABELS:].reshape(-1, 3, 32, 32).double() / 255
    mean = torch.tensor(MEAN, dtype=torch.float64).view(3, 1, 1)
    deviation = torch.tensor(DEVIATION, dtype=torch.float64).view(3, 1, 1)
    return ((images - mean) / deviation).to(DTYPE), records[:, LABEL].long()
