def add_up(array):
    """Each rank adds up one part; then the ranks exchange the parts."""
    parts = nn.functional.pad(array, (0, -len(array) % WORLD)).view(WORLD, -1)
    received = torch.empty_like(parts)
    dist.all_to_all_single(received, parts)  # with a sum: reduce_scatter, which Gloo does not have
    dist.all_gather(list(parts), received.sum(0))
    array.copy_(parts.flatten()[:len(array)])
