#if zero
    # ZeRO stage 1: each rank keeps the optimizer state of its part of the weights, and broadcasts that part.
    optimizer = ZeroRedundancyOptimizer(net.parameters(), @own_class@, lr=LR)
    # or with torch.optim.@torch_class@, lr=LR@torch_arguments@
#else
    optimizer = @own_class@(@weights@.parameters(), lr=LR)
    # or: optimizer = torch.optim.@torch_class@(@weights@.parameters(), lr=LR@torch_arguments@)
#end
