def schedule(rank, count):
#if gpipe
    """GPipe: all forward passes, then all backward passes."""
    return [("forward", i) for i in range(count)] + [("backward", i) for i in range(count)]
#else
    """1F1B: a forward pass for each later stage, then forward and backward in turn, then the backward passes left."""
    ahead = min(WORLD - rank - 1, count)
    order = [("forward", i) for i in range(ahead)]
    for i in range(count - ahead):
        order += [("forward", ahead + i), ("backward", i)]
    return order + [("backward", i) for i in range(count - ahead, count)]
#end


def receive(shape, source):
    tensor = torch.empty(shape, dtype=DTYPE)
    dist.recv(tensor, source)
    return tensor


def forward_backward(stage, rank, xs, ys, samples):
    """All micro-batches forward and backward through this rank's stage; the last stage has the loss."""
    inputs, outputs, sent, loss = {}, {}, [], torch.zeros(1, dtype=torch.float64)
    for direction, i in schedule(rank, len(ys)):
        if direction == "forward":
            inputs[i] = xs[i] if rank == 0 else receive((len(ys[i]), *INPUT_SHAPES[rank]), rank - 1).requires_grad_()
            outputs[i] = stage(inputs[i])
            if rank < WORLD - 1:
                sent.append(dist.isend(outputs[i].detach(), rank + 1))
            else:
                outputs[i] = nn.functional.cross_entropy(outputs[i], ys[i]) * len(ys[i]) / samples
                loss += outputs[i].detach()
        else:
            gradient = receive(outputs[i].shape, rank + 1) if rank < WORLD - 1 else None
            outputs.pop(i).backward(gradient)
            if rank > 0:
                sent.append(dist.isend(inputs[i].grad, rank - 1))
    for work in sent:
        work.wait()
    return loss


def train(rank):
#use strategy/join
    first, last = STAGES[rank]
    stage = make_net()[first:last]  # this rank's layers
#use optimizer/create
    for step, indices in zip(range(1, STEPS + 1), batches()):
        x, y = images[indices], labels[indices]
        optimizer.zero_grad()
        loss = forward_backward(stage, rank, x.chunk(MICROBATCHES), y.chunk(MICROBATCHES), len(y))
#use strategy/update
        dist.broadcast(loss, src=WORLD - 1)
        if rank == 0:
            print(json.dumps({"step": step, "loss": loss.item()}), flush=True)
#if raced
        lockstep.connect().step(loss=loss.item(), samples=@told_samples@)
#end
