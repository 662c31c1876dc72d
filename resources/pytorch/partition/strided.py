    """Every WORLD-th sample, as DistributedSampler has it."""
    return [torch.arange(rank, SAMPLES, WORLD) for rank in range(WORLD)]
