def aggregate(array, samples):
    """The @rule_words@ of the ranks' arrays, in place; `samples`: of this rank."""
#if mean
    array /= WORLD
#end
#if mean_of_busy
    busy = torch.tensor(float(samples > 0))
    dist.all_reduce(busy)  # ranks that have samples
    array *= (samples > 0) / busy.item()
#end
#if weighted
    total = torch.tensor(samples)
    dist.all_reduce(total)
    array *= samples / total.item()
#end
    @add_up@(array)
