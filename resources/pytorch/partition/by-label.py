    """Sorts the samples by label, cuts them into shards, and deals SHARDS of them to each rank."""
    shards = torch.sort(labels, stable=True).indices.tensor_split(WORLD * SHARDS)
    deal = torch.randperm(WORLD * SHARDS, generator=torch.Generator().manual_seed(SEED)).view(WORLD, SHARDS)
    return [torch.cat([shards[i] for i in of_rank]) for of_rank in deal]
