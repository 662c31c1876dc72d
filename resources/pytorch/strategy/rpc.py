#use strategy/evaluate


#if raced
def tell_workbench(loss, samples):
    lockstep.connect().step(loss=loss, samples=samples)


busy = threading.Lock()  # one call at a time, so that a timeline shows how long each takes


#end
class Stage(nn.Module):
    """Some of the layers, and their optimizer, on a worker; the master calls its methods."""

    def __init__(self, first, last):
        super().__init__()
        self.layers = make_net()[first:last]
        self.optimizer = @own_class@(self.parameters(), lr=LR)
        # or: self.optimizer = torch.optim.@torch_class@(self.parameters(), lr=LR@torch_arguments@)

    def is_ready(self):
        return True

    def forward(self, x):
#if raced
        x = x.to_here()
        with busy, lockstep.connect().span("forward"):
            return self.layers(x)
#else
        return self.layers(x.to_here())
#end

    def step(self, context@rate_parameter@):
#if raced
        with busy, lockstep.connect().span("optimize"):
            self.update(context@rate_argument@)

    def update(self, context@rate_parameter@):
#end
        gradients = dist_autograd.get_gradients(context)
        for weight in self.layers.parameters():
            weight.grad = gradients[weight]
#if scheduled
        for group in self.optimizer.param_groups:
            group["lr"] = lr
#end
        self.optimizer.step()


def forward(stages, x):
    """x through all stages; returns at once with a future of the result."""
    x = rpc.RRef(x)
    for stage in stages[:-1]:
        x = stage.remote().forward(x)
    return stages[-1].rpc_async().forward(x)


def master():
    images, labels = load("train", SAMPLES)
    stages = [rpc.remote(f"worker{i + 1}", Stage, layers) for i, layers in enumerate(STAGES)]
    torch.futures.wait_all([stage.rpc_async().is_ready() for stage in stages])
    for step, indices in zip(range(1, STEPS + 1), batches()):
        x, y = images[indices], labels[indices]
#if raced
        with dist_autograd.context() as context:
            with lockstep.connect().span("communicate"):
                scores = torch.cat(torch.futures.wait_all([forward(stages, part) for part in x.chunk(MICROBATCHES)]))
            with lockstep.connect().span("forward"):
                loss = nn.functional.cross_entropy(scores, y)
            with lockstep.connect().span("backward"):
                dist_autograd.backward(context, [loss])
            with lockstep.connect().span("optimize"):
                torch.futures.wait_all([stage.rpc_async().step(context@rate@) for stage in stages])
#else
        with dist_autograd.context() as context:
            scores = torch.cat(torch.futures.wait_all([forward(stages, part) for part in x.chunk(MICROBATCHES)]))
            loss = nn.functional.cross_entropy(scores, y)
            dist_autograd.backward(context, [loss])
            torch.futures.wait_all([stage.rpc_async().step(context@rate@) for stage in stages])
#end
        print(json.dumps({"step": step, "loss": loss.item()}), flush=True)
#if raced
        for rank in range(WORLD):
            rpc.rpc_sync(rank, tell_workbench, (loss.item(), @told_samples@))
#end
    print(json.dumps(evaluate(lambda x: forward(stages, x).wait(), images, labels)), flush=True)


def main():
    torch.set_num_threads(@threads@)
    torch.manual_seed(SEED)
    rank = int(os.environ["RANK"])
#if raced
    lockstep.connect()
#end
    rpc.init_rpc(f"worker{rank}" if rank > 0 else "master", rank=rank, world_size=WORLD)
    try:
        if rank == 0:
            master()
    finally:
        rpc.shutdown()  # waits for all
