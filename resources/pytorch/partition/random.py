    """The samples in random order, cut into equal parts."""
    order = torch.randperm(SAMPLES, generator=torch.Generator().manual_seed(SEED))
    return order.tensor_split(WORLD)
