def @all_reduce@(tensor):
    """Every rank gathers all tensors, and computes their @combined@ itself."""
    tensors = [torch.empty_like(tensor) for _ in range(WORLD)]
    dist.all_gather(tensors, tensor)
    tensor.copy_(@combine@)
