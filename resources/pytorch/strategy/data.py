def aggregate_gradients(net@samples_parameter@):
    """The @rule_words@ of the ranks' gradients."""
    gradients = [weight.grad for weight in net.parameters()]
    flat = nn.utils.parameters_to_vector(gradients)@per_rank@
#use aggregation/rule
    nn.utils.vector_to_parameters(flat, gradients)


#use strategy/report


#use strategy/evaluate


def train(rank):
#use strategy/join
#use strategy/copy
#if ddp
    # or: net = nn.parallel.DistributedDataParallel(net), whose backward() averages, and no aggregate_gradients()
#end
#use optimizer/create
    for step, indices in zip(range(1, STEPS + 1), batches(PartitionSampler(@sampler_arguments@), rank)):
        x, y = @inputs@[indices], labels[indices]
#use strategy/gradient
        aggregate_gradients(net@samples_argument@)
#use strategy/update
        report(step, @loss_value@, len(y))
    if rank == 0:
        print(json.dumps(evaluate(net, @inputs@, labels)), flush=True)
