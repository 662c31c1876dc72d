    net = make_net()
    for weight in net.parameters():  # all ranks start from rank 0's
        dist.broadcast(weight.data, src=0)
