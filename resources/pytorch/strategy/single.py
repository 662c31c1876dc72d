#use strategy/evaluate


def main():
    torch.set_num_threads(@threads@)
    torch.manual_seed(SEED)
    @inputs@, labels = load("train", SAMPLES)
    net = make_net()
#use optimizer/create
    for step, indices in zip(range(1, STEPS + 1), batches()):
        x, y = @inputs@[indices], labels[indices]
#use strategy/gradient
#use strategy/update
        print(json.dumps({"step": step, "loss": @loss_value@}), flush=True)
#if raced
        lockstep.connect().step(loss=@loss_value@, samples=len(y))
#end
    print(json.dumps(evaluate(net, @inputs@, labels)), flush=True)
