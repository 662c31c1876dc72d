def average_gradients(net, samples):
    gradients = [weight.grad for weight in net.parameters()]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    aggregate(flat, samples)
    nn.utils.vector_to_parameters(flat, gradients)


def main():
#use strategy/join
#use strategy/copy
#if ddp
    # or: net = nn.parallel.DistributedDataParallel(net), whose backward() averages, and no average_gradients()
#end
#use optimizer/create
    for step, chosen in zip(range(1, STEPS + 1), batches(Batches(@sampler_arguments@), rank)):
        x, y = images[chosen], labels[chosen]
#use strategy/gradient
        average_gradients(net, len(y))
#use strategy/update
        report(step, @loss_value@, len(y))
    if rank == 0:
        print(json.dumps({"test_accuracy": accuracy(net)}), flush=True)
