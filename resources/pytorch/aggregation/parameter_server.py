def @add_up@(array):
    """Rank 0 is the parameter server: it receives every worker's array and answers with their @combined@."""
    if dist.get_rank() > 0:
        dist.send(array, 0)
        dist.recv(array, 0)
        return
    arrays = [array] + [torch.empty_like(array) for _ in range(WORLD - 1)]
    for worker in range(1, WORLD):
        dist.recv(arrays[worker], worker)
    array.copy_(@combine@)
    for worker in range(1, WORLD):
        dist.send(array, worker)
