def partition(labels):
#use partition/@shares@


class PartitionSampler(torch.utils.data.Sampler):
    """The batches of a rank's share, in another order each epoch; all ranks end an epoch in the same step."""

    def __init__(self, rank, labels):
        self.rank, self.epoch = rank, 0
#if plain
        self.share = partition(labels)[rank]
#else
        shares = partition(labels)
#if overlap
        shares = [torch.cat([share, torch.randperm(SAMPLES)[:int(OVERLAP * len(share))]]).unique() for share in shares]
#end
        self.share = shares[rank]
#if pad
        self.share = self.share[torch.arange(max(map(len, shares))) % len(self.share)]  # repeats the first
#end
#if cut
        self.size = min(map(len, shares))  # drops the rest, others in each epoch
#end
#end

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        generator = torch.Generator().manual_seed(SEED + WORLD * self.epoch + self.rank)
        order = self.share[torch.randperm(len(self.share), generator=generator)]
#if cut
        order = order[:self.size]
#end
        return iter(order.tensor_split(STEPS_PER_EPOCH))
