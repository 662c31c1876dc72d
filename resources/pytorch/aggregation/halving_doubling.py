def exchange(sent, received, partner):
    work = dist.isend(sent, partner)
    dist.recv(received, partner)
    work.wait()


#if power_of_two
def all_reduce(tensor, distance=WORLD // 2):
    """Recursive halving and doubling: adds up one half with a partner, half of it with a nearer one, and so on; then
    the partners exchange their halves, the nearest first."""
#else
def halve_and_double(tensor, distance):
    """Adds up one half with a partner, half of it with a nearer one, and so on; then the partners exchange their
    halves, the nearest first."""
#end
    if distance == 0:
        return
    partner = dist.get_rank() ^ distance
    low, high = tensor.tensor_split(2)
    mine, theirs = (low, high) if dist.get_rank() < partner else (high, low)
    incoming = torch.empty_like(mine)
    exchange(theirs, incoming, partner)
    mine += incoming
    @halve@(mine, distance // 2)
    exchange(mine, theirs, partner)
#if power_of_two
#else


def all_reduce(tensor):
    """Recursive halving and doubling among a power of two of ranks; each other rank sends its tensor to one of them."""
    rank, power = dist.get_rank(), 2 ** (WORLD.bit_length() - 1)
    if rank >= power:
        dist.send(tensor, rank - power)
        dist.recv(tensor, rank - power)
        return
    if rank + power < WORLD:
        incoming = torch.empty_like(tensor)
        dist.recv(incoming, rank + power)
        tensor += incoming
    halve_and_double(tensor, power // 2)
    if rank + power < WORLD:
        dist.send(tensor, rank + power)
#end
