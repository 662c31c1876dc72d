#if outer
def aggregate(flat@samples_parameter@):
    """The @rule_words@ of the ranks' tensors."""
    flat = flat.clone()@per_rank@
#use aggregation/rule
    return flat


class OuterOptimizer:
    """SGD with Nesterov's momentum on what the weights changed by since the ranks last synchronized (DiLoCo)."""

    def __init__(self, net):
        self.old = nn.utils.parameters_to_vector(net.parameters()).detach().clone()
        self.velocity = torch.zeros_like(self.old)

    @torch.no_grad()
    def synchronize(self, net@samples_parameter@):
        new = nn.utils.parameters_to_vector(net.parameters())
#if differences
        change = aggregate(self.old - new@samples_name@)
#else
        change = self.old - aggregate(new@samples_name@)
#end
        self.velocity = @outer_momentum@ * self.velocity + change
        self.old -= @outer_lr@ * (change + @outer_momentum@ * self.velocity)
        nn.utils.vector_to_parameters(self.old.clone(), net.parameters())
#else
@torch.no_grad()
def average_weights(net@samples_parameter@):
    """The @rule_words@ of the ranks' weights."""
    flat = nn.utils.parameters_to_vector(net.parameters())@per_rank@
#use aggregation/rule
    nn.utils.vector_to_parameters(flat, net.parameters())
#end


#use strategy/report


#use strategy/evaluate


def train(rank):
#use strategy/join
#use strategy/copy
#use optimizer/create
#if outer
    outer = OuterOptimizer(net)
#end
#if counted
    samples = 0  # of this rank since the ranks last synchronized
#end
    for step, indices in zip(range(1, STEPS + 1), batches(PartitionSampler(@sampler_arguments@), rank)):
        x, y = @inputs@[indices], labels[indices]
#use strategy/gradient
#use strategy/update
#if counted
        samples += len(y)
#end
        if step % SYNC_EVERY == 0:
#if outer
            outer.synchronize(net@samples_name@)
#else
            average_weights(net@samples_name@)
#end
#if counted
            samples = 0
#end
        report(step, @loss_value@, len(y))
#if apart
    for weight in net.parameters():  # evaluates the mean of the ranks' weights
        dist.all_reduce(weight.data)
        weight.data /= WORLD
#end
    if rank == 0:
        print(json.dumps(evaluate(net, @inputs@, labels)), flush=True)
