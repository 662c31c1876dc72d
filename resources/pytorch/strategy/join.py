    torch.set_num_threads(@threads@)
    torch.manual_seed(SEED)
    @inputs@, labels = load("train", SAMPLES)
