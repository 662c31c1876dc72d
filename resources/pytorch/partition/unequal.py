    """The samples in random order, cut into parts as large as SHARES say."""
    order = torch.randperm(SAMPLES, generator=torch.Generator().manual_seed(SEED))
    cuts = torch.tensor(SHARES).cumsum(0) / sum(SHARES) * SAMPLES
    return order.tensor_split(cuts.long()[:-1])
