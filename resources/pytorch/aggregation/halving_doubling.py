def exchange(sent, received, partner):
    work = dist.isend(sent, partner)
    dist.recv(received, partner)
    work.wait()


def halve_and_double(array, distance):
    """Adds up one half with a partner, that half's half with a nearer one, ...; then exchanges the halves."""
    if distance == 0:
        return
    partner = dist.get_rank() ^ distance
    low, high = array.tensor_split(2)
    kept, given = (low, high) if dist.get_rank() < partner else (high, low)
    incoming = torch.empty_like(kept)
    exchange(given, incoming, partner)
    kept += incoming
    halve_and_double(kept, distance // 2)
    exchange(kept, given, partner)


#if power_of_two
def add_up(array):
    """Recursive halving and doubling."""
    halve_and_double(array, WORLD // 2)
#else
def add_up(array):
    """Recursive halving and doubling among a power of two of ranks; the others go through a partner."""
    rank, power = dist.get_rank(), 2 ** (WORLD.bit_length() - 1)
    if rank >= power:
        dist.send(array, rank - power)
        dist.recv(array, rank - power)
        return
    if rank + power < WORLD:
        incoming = torch.empty_like(array)
        dist.recv(incoming, rank + power)
        array += incoming
    halve_and_double(array, power // 2)
    if rank + power < WORLD:
        dist.send(array, rank + power)
#end
