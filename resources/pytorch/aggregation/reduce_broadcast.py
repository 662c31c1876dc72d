def all_reduce(tensor):
    """Rank 0 receives the sum and broadcasts it."""
    dist.reduce(tensor, dst=0)
    dist.broadcast(tensor, src=0)
