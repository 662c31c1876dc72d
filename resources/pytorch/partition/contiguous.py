    """The samples in their order, cut into equal parts."""
    return torch.arange(SAMPLES).tensor_split(WORLD)
