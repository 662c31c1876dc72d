def add_up(array):
    """A binomial tree: sums travel up to rank 0 and back down."""
    rank = dist.get_rank()
    distance = 1
    while distance < WORLD and rank % (2 * distance) == 0:
        if rank + distance < WORLD:
            incoming = torch.empty_like(array)
            dist.recv(incoming, rank + distance)
            array += incoming
        distance *= 2
    if rank > 0:
        dist.send(array, rank - distance)
        dist.recv(array, rank - distance)
    while distance > 1:
        distance //= 2
        if rank + distance < WORLD:
            dist.send(array, rank + distance)
