#if outer
class OuterOptimizer:
    """SGD with Nesterov's momentum on what the weights changed by since the ranks last synchronized (DiLoCo)."""

    def __init__(self, net):
        self.old = nn.utils.parameters_to_vector(net.parameters()).detach().clone()
        self.velocity = torch.zeros_like(self.old)

    @torch.no_grad()
    def synchronize(self, net, samples):
        new = nn.utils.parameters_to_vector(net.parameters())
#if differences
        change = self.old - new
        aggregate(change, samples)
#else
        aggregate(new, samples)
        change = self.old - new
#end
        self.velocity = @outer_momentum@ * self.velocity + change
        self.old -= @outer_lr@ * (change + @outer_momentum@ * self.velocity)
        nn.utils.vector_to_parameters(self.old.clone(), net.parameters())
#else
@torch.no_grad()
def average_weights(net, samples):
    weights = nn.utils.parameters_to_vector(net.parameters())
    aggregate(weights, samples)
    nn.utils.vector_to_parameters(weights, net.parameters())
#end


def main():
#use strategy/join
#use strategy/copy
#use optimizer/create
#if outer
    outer = OuterOptimizer(net)
#end
    samples = 0  # of this rank since the ranks last synchronized
    for step, chosen in zip(range(1, STEPS + 1), batches(Batches(@sampler_arguments@), rank)):
        x, y = images[chosen], labels[chosen]
#use strategy/gradient
#use strategy/update
        samples += len(y)
        if step % EVERY == 0:
#if outer
            outer.synchronize(net, samples)
#else
            average_weights(net, samples)
#end
            samples = 0
        report(step, @loss_value@, len(y))
    for weight in net.parameters():  # evaluates the mean of the ranks' weights
        dist.all_reduce(weight.data)
        weight.data /= WORLD
    if rank == 0:
        print(json.dumps({"test_accuracy": accuracy(net)}), flush=True)
