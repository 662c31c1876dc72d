class PartitionSampler(torch.utils.data.Sampler):
    """Random sampling: every rank draws from the whole set, with replacement, again each epoch."""

    def __init__(self, rank):
        self.rank, self.epoch = rank, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        generator = torch.Generator().manual_seed(SEED + WORLD * self.epoch + self.rank)
        return iter(torch.randint(SAMPLES, (SAMPLES // WORLD,), generator=generator).tensor_split(STEPS_PER_EPOCH))
