class PartitionSampler(torch.utils.data.Sampler):
#if whole
    """A part of the whole training set for each rank, in every step."""
#else
    """Every epoch shuffles the whole set; each batch is split across the ranks."""
#end

    def __init__(self, rank):
        self.rank, self.epoch = rank, 0

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
#if whole
        order = torch.arange(SAMPLES)
#else
        order = torch.randperm(SAMPLES, generator=torch.Generator().manual_seed(SEED + self.epoch))
#end
        return iter([batch.tensor_split(WORLD)[self.rank] for batch in order.split(BATCH)])
