def load(part, count):
    """`count` colour images of 32 x 32, scaled as usual, and their labels: a byte of label, then 3 x 32 x 32 bytes."""
    names = [f"data_batch_{i}.bin" for i in range(1, 6)] if part == "train" else ["test_batch.bin"]
    raw = b"".join(pathlib.Path(DATA, name).read_bytes() for name in names)
    records = torch.frombuffer(bytearray(raw), dtype=torch.uint8).view(-1, 1 + 3 * 32 * 32)[:count]
    images = records[:, 1:].reshape(-1, 3, 32, 32).double() / 255
    mean = torch.tensor([0.4914, 0.4822, 0.4465], dtype=torch.float64).view(3, 1, 1)
    deviation = torch.tensor([0.2470, 0.2435, 0.2616], dtype=torch.float64).view(3, 1, 1)
    return ((images - mean) / deviation).to(DTYPE), records[:, 0].long()
