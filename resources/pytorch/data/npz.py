def load(part, count):
    """`count` images, scaled as usual, and their labels: the arrays x_train, y_train, x_test and y_test."""
    with numpy.load(FILES[part][0]) as arrays:
        images = torch.from_numpy(arrays[f"x_{part}"][:count].astype("float64"))
        labels = torch.from_numpy(arrays[f"y_{part}"][:count].astype("int64")).view(-1)
    images = images.unsqueeze(1) if images.dim() == 3 else images.permute(0, 3, 1, 2)
    return ((images / 255 - 0.1307) / 0.3081).to(DTYPE).contiguous(), labels
