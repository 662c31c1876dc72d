import os

import torch
import torch.distributed.autograd as dist_autograd
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp
from torch.distributed.optim import DistributedOptimizer
from torch.distributed.rpc import RRef


class Half(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        torch.manual_seed(inputs)
        self.linear = torch.nn.Linear(inputs, outputs)

    def forward(self, x):
        return torch.tanh(self.linear(x))

    def weights(self):
        return [RRef(weight) for weight in self.parameters()]

    def state(self):
        return [weight.detach().clone() for weight in self.parameters()]


def train(ranks):
    first = rpc.remote("worker1", Half, args=(8, 16))
    weights = first.rpc_sync().weights()  # before the second draws from the same generator, on another thread
    second = rpc.remote(f"worker{ranks - 1}", Half, args=(16, 3))
    weights += second.rpc_sync().weights()
    optimizer = DistributedOptimizer(torch.optim.SGD, weights, lr=0.1)
    torch.manual_seed(0)
    for step in range(6):
        x, y = torch.randn(16, 8), torch.randint(0, 3, (16,))
        with dist_autograd.context() as context:
            output = second.rpc_sync().forward(first.rpc_sync().forward(x))
            loss = torch.nn.functional.cross_entropy(output, y)
            dist_autograd.backward(context, [loss])
            optimizer.step(context)
        print(f"RANK 0 STEP {step + 1} LOSS {loss.item():.9g}", flush=True)
    if "SAVE" in os.environ:
        torch.save([first.rpc_sync().state(), second.rpc_sync().state()], os.environ["SAVE"] + ".0")


def main(rank, ranks):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29512")
    options = rpc.TensorPipeRpcBackendOptions(_transports=["uv"])
    rpc.init_rpc(f"worker{rank}", rank=rank, world_size=ranks, rpc_backend_options=options)
    if rank == 0:
        train(ranks)
    rpc.shutdown()


if __name__ == "__main__":
    ranks = int(os.environ.get("RANKS", "2"))
    mp.spawn(main, args=(ranks,), nprocs=ranks)
