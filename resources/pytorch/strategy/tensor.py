def summed(x):
    x = x.clone()
    dist.all_reduce(x)
    return x


class CopyToRanks(torch.autograd.Function):  # Megatron-LM's f: identity forward, all-reduce backward
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return summed(gradient)


class SumOverRanks(torch.autograd.Function):  # Megatron-LM's g: all-reduce forward, identity backward
    @staticmethod
    def forward(ctx, x):
        return summed(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def own_part(weight, dimension):
    return nn.Parameter(weight.detach().tensor_split(WORLD, dimension)[dist.get_rank()].clone())


class ColumnLinear(nn.Module):  # this rank's outputs of a linear layer
    def __init__(self, layer):
        super().__init__()
        self.weight, self.bias = own_part(layer.weight, 0), own_part(layer.bias, 0)

    def forward(self, x):
        return nn.functional.linear(CopyToRanks.apply(x), self.weight, self.bias)


class RowLinear(nn.Module):  # this rank's inputs of a linear layer; the bias is added once, after the sum
    def __init__(self, layer):
        super().__init__()
        self.weight, self.bias = own_part(layer.weight, 1), layer.bias

    def forward(self, x):
        return SumOverRanks.apply(nn.functional.linear(x, self.weight)) + self.bias
#if columns_last


class JoinScores(torch.autograd.Function):
    """The last layer is split by outputs: joins the ranks' parts of the scores."""

    @staticmethod
    def forward(ctx, x):
        parts = list(x.new_zeros(len(x), @classes@).tensor_split(WORLD, 1))
        parts[dist.get_rank()] = x
        return summed(torch.cat(parts, 1))

    @staticmethod
    def backward(ctx, gradient):
        return gradient.tensor_split(WORLD, 1)[dist.get_rank()].contiguous()
#end


def split(net):  # the linear layers by outputs and by inputs in turn: nothing is exchanged between the two
    kinds = iter([ColumnLinear, RowLinear] * len(net))
    return nn.Sequential(*[next(kinds)(layer) if isinstance(layer, nn.Linear) else layer for layer in net])


def train(rank):
#use strategy/join
#if columns_last
    parts = split(make_net())
#use optimizer/create

    def net(x):
        return JoinScores.apply(parts(x))

#else
    net = split(make_net())
#use optimizer/create
#end
    for step, indices in zip(range(1, STEPS + 1), batches()):
        x, y = images[indices], labels[indices]
#use strategy/gradient
#use strategy/update
        if rank == 0:  # all ranks have the same loss
            print(json.dumps({"step": step, "loss": @loss_value@}), flush=True)
#if raced
        lockstep.connect().step(loss=@loss_value@, samples=@told_samples@)
#end
