#if mean_of_busy
    busy = torch.tensor(float(samples > 0))
    dist.all_reduce(busy)  # ranks that have samples
    flat *= (samples > 0) / busy.item()
#end
#if weighted
    total = torch.tensor(samples)
    dist.all_reduce(total)
    flat *= samples / total.item()
#end
    @all_reduce@(flat)
