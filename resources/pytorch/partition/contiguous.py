    return torch.arange(SAMPLES).tensor_split(WORLD)
