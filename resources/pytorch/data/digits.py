def load(part, count):
    """`count` images of 28 x 28 and their labels: Lockstep's digits, or without its folder ten noisy patterns."""
    if FOLDER.is_dir():
        images, labels = read(part + "_images.u8", torch.uint8), read(part + "_labels.u8", torch.uint8)
    else:
        patterns = torch.rand(10, 784, generator=torch.Generator().manual_seed(SEED))
        labels = torch.arange(count) % 10
        images = 127 * (patterns[labels] + torch.rand(count, 784))
    return ((images.view(-1, 1, 28, 28).double() / 255 - 0.1307) / 0.3081).to(DTYPE), labels.long()
