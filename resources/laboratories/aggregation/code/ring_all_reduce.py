"""An all-reduce of your own, from messages between neighbours."""

import torch
import torch.distributed as dist


def all_reduce(tensor):
    """Every rank gives `tensor` and ends with the sum over all ranks in it, in place."""
    rank, world_size = dist.get_rank(), dist.get_world_size()
    right, left = (rank + 1) % world_size, (rank - 1) % world_size
    pieces = list(tensor.view(-1).tensor_split(world_size))  # views: a change of a piece changes the tensor
    # First circle: after it, each rank has the sum of one piece, whichever it is.
    # Second circle: after it, each rank has all sums.
    raise NotImplementedError("write the two circles here")
