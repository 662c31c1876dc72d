    return [torch.arange(rank, SAMPLES, WORLD) for rank in range(WORLD)]
