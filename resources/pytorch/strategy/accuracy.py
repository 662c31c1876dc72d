@torch.no_grad()
def accuracy(net):
    images, labels = load("test", @test_samples@)
#if raced
    result = (torch.cat([net(x).argmax(1) for x in images.split(64)]) == labels).double().mean().item()
    lockstep.connect().evaluate(accuracy=result)
    return result
#else
    return (torch.cat([net(x).argmax(1) for x in images.split(64)]) == labels).double().mean().item()
#end
