def @add_up@(array):
    """Every rank gathers all arrays, and computes their @combined@ itself."""
    arrays = [torch.empty_like(array) for _ in range(WORLD)]
    dist.all_gather(arrays, array)
    array.copy_(@combine@)
