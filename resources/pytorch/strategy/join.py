    torch.set_num_threads(@threads@)
    torch.manual_seed(SEED)
    images, labels = load("train", SAMPLES)
