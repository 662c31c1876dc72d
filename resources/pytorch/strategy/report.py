#if collectives
#if tensor
def report(step, loss, samples):
    if dist.get_rank() == 0:  # all ranks have the same loss
        print(json.dumps({"step": step, "loss": loss}), flush=True)
#if raced
    lockstep.connect().step(loss=loss, samples=@told_samples@)
#end
#else
def report(step, loss, samples):
    """Rank 0 prints the mean loss over all ranks' samples."""
    sums = torch.tensor([loss * samples, samples], dtype=torch.float64)
    dist.all_reduce(sums)
    if dist.get_rank() == 0:
        print(json.dumps({"step": step, "loss": (sums[0] / sums[1]).item()}), flush=True)
#if raced
    lockstep.connect().step(loss=(sums[0] / sums[1]).item(), samples=@told_samples@)
#end
#end
#else
#if raced
#if rpc
def tell_workbench(loss, samples):
    lockstep.connect().step(loss=loss, samples=samples)


#end
#end
def report(step, loss, samples):
    print(json.dumps({"step": step, "loss": loss}), flush=True)
#if raced
#if rpc
    for rank in range(WORLD):
        rpc.rpc_sync(rank, tell_workbench, (loss, @told_samples@))
#else
    lockstep.connect().step(loss=loss, samples=samples)
#end
#end
#end
#if evaluated


@torch.no_grad()
def accuracy(net):
    images, labels = load("test", @test_samples@)
#if raced
    result = sum((net(x).argmax(1) == y).sum().item() for x, y in zip(images.split(64), labels.split(64))) / len(labels)
    lockstep.connect().evaluate(accuracy=result)
    return result
#else
    return sum((net(x).argmax(1) == y).sum().item() for x, y in zip(images.split(64), labels.split(64))) / len(labels)
#end
#end
