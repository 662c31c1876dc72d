def all_reduce(tensor):
    """A binomial tree: sums travel up to rank 0, and the whole sum back down."""
    rank = dist.get_rank()
    distance = 1
    while distance < WORLD and rank % (2 * distance) == 0:  # from the children
        if rank + distance < WORLD:
            incoming = torch.empty_like(tensor)
            dist.recv(incoming, rank + distance)
            tensor += incoming
        distance *= 2
    if rank > 0:  # the parent
        dist.send(tensor, rank - distance)
        dist.recv(tensor, rank - distance)
    while distance > 1:  # to the children
        distance //= 2
        if rank + distance < WORLD:
            dist.send(tensor, rank + distance)
