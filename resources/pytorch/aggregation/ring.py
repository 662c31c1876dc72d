def all_reduce(tensor):
    """The ring all-reduce: every rank sends to its right neighbour and receives from its left one."""
    rank = dist.get_rank()
    chunks = tensor.tensor_split(WORLD)  # views of the tensor

    def exchange(sent, received):
        work = dist.isend(sent, (rank + 1) % WORLD)
        dist.recv(received, (rank - 1) % WORLD)
        work.wait()

    for i in range(WORLD - 1):  # reduce-scatter: at the end, this rank has the sum of chunk rank + 1
        mine = chunks[(rank - i - 1) % WORLD]
        incoming = torch.empty_like(mine)
        exchange(chunks[(rank - i) % WORLD], incoming)
        mine += incoming
    for i in range(WORLD - 1):  # all-gather: the sums go round
        exchange(chunks[(rank + 1 - i) % WORLD], chunks[(rank - i) % WORLD])
