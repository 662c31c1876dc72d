def report(step, loss, samples):
    """Rank 0 prints the mean loss over all ranks' samples."""
    sums = torch.tensor([loss * samples, samples], dtype=torch.float64)
    dist.all_reduce(sums)
    if dist.get_rank() == 0:
        print(json.dumps({"step": step, "loss": (sums[0] / sums[1]).item()}), flush=True)
#if raced
    lockstep.connect().step(loss=(sums[0] / sums[1]).item(), samples=@told_samples@)
#end
