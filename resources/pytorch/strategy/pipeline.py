def schedule(rank, count):
#if gpipe
    """GPipe: all forward passes, then all backward passes."""
    return [("forward", i) for i in range(count)] + [("backward", i) for i in range(count)]
#else
    """1F1B: as many forward passes ahead as there are later stages, then a backward pass after each forward pass."""
    ahead = min(WORLD - rank - 1, count)
    order = [("forward", i) for i in range(ahead)]
    for i in range(count):
        order += [("forward", i + ahead)] * (i + ahead < count) + [("backward", i)]
    return order
#end


def pass_through(stage, rank, xs, ys, samples):
    """All micro-batches forward and backward through this stage; the loss is the last stage's."""
    inputs, outputs, sent, loss = {}, {}, [], 0.0
    for direction, i in schedule(rank, len(ys)):
        if direction == "forward":
            inputs[i] = xs[i] if rank == 0 else torch.empty(len(ys[i]), *INPUTS[rank], dtype=DTYPE)
            if rank > 0:
                dist.recv(inputs[i], rank - 1)
                inputs[i].requires_grad_()
            outputs[i] = stage(inputs[i])
            if rank < WORLD - 1:
                sent.append(dist.isend(outputs[i].detach(), rank + 1))
            else:
                outputs[i] = cross_entropy(outputs[i], ys[i]) * len(ys[i]) / samples
                loss += outputs[i].item()
        else:
            gradient = None
            if rank < WORLD - 1:
                gradient = torch.empty_like(outputs[i])
                dist.recv(gradient, rank + 1)
            outputs.pop(i).backward(gradient)
            if rank > 0:
                sent.append(dist.isend(inputs[i].grad, rank - 1))
    for work in sent:
        work.wait()
    return loss


def main():
#use strategy/join
    stage = make_net()[slice(*STAGES[rank])]  # this rank's layers
#use optimizer/create
    for step, chosen in zip(range(1, STEPS + 1), batches()):
        x, y = images[chosen], labels[chosen]
        size = -(-len(y) // MICROBATCHES)
        optimizer.zero_grad()
        loss = pass_through(stage, rank, x.split(size), y.split(size), len(y))
#use strategy/update
        report(step, loss, len(y) if rank == WORLD - 1 else 0)
