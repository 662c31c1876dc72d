def add_up(array):
    """The ring all-reduce: every rank sends to its right neighbour and receives from its left one."""
    rank = dist.get_rank()
    chunks = array.tensor_split(WORLD)  # views of the array

    def exchange(sent, received):
        work = dist.isend(sent, (rank + 1) % WORLD)
        dist.recv(received, (rank - 1) % WORLD)
        work.wait()

    for i in range(WORLD - 1):  # scatter-reduce: at the end, chunk rank + 1 is complete here
        mine = chunks[(rank - i - 1) % WORLD]
        incoming = torch.empty_like(mine)
        exchange(chunks[(rank - i) % WORLD], incoming)
        mine += incoming
    for i in range(WORLD - 1):  # all-gather
        exchange(chunks[(rank + 1 - i) % WORLD], chunks[(rank - i) % WORLD])
