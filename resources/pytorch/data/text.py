def load(part, count):
    """`count` windows of a text (without Lockstep's folder, this script) and, for each byte, the one that follows."""
    if FOLDER.is_dir():
        text = read(part + "_text.u8", torch.uint8)
    else:
        text = torch.frombuffer(bytearray(pathlib.Path(__file__).read_bytes()), dtype=torch.uint8)
        text = text[torch.arange(count * (CONTEXT + 1)) % len(text)]
    windows = text.view(-1, CONTEXT + 1).long()
    return windows[:, :-1].contiguous(), windows[:, 1:].contiguous()
