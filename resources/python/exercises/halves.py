"""Trains the student's nets in two halves: rank 0 has the first half and calls the second half on rank 1 by RPC.

`nets`, each of `sizes` and `batches`, are made one after another in the same two processes, and all are kept. Both ranks
record which modules ran there; rank 1 also records the parameters that it holds.
"""

import gc
import importlib.util
import os
import pickle

import torch
import torch.distributed.autograd as dist_autograd
import torch.distributed.rpc as rpc
from torch.distributed.optim import DistributedOptimizer

from exercise import Exercise, Standstill, is_class, numbers

exercise = Exercise()


def object_of(tensor, size, *group):
    """What torch.distributed makes by numpy, which not everyone with torch has; init_rpc exchanges objects by it."""
    return pickle.loads(bytes(tensor.cpu().tolist()[:int(size)]))


if importlib.util.find_spec("numpy") is None and hasattr(torch.distributed.distributed_c10d, "_tensor_to_object"):
    torch.distributed.distributed_c10d._tensor_to_object = object_of


def look(net, step):
    """On rank 1: the parameters of all modules that live there."""
    tensors = {id(each): each for module in gc.get_objects() if isinstance(module, torch.nn.Module)
               for each in module.parameters(recurse=False)}
    exercise.record("held", net=net, step=step, tensors=[described(each) for each in tensors.values()])


def described(tensor):
    return {"shape": list(tensor.shape), "values": numbers(tensor)}


def note_forward(module, given, result):
    exercise.record("forward", type=type(module).__name__, shapes=[list(each.shape) for each in given
                                                                   if isinstance(each, torch.Tensor)])


def record_parameters(number, step, references):
    exercise.record("parameters", net=number, step=step, tensors=[
        {"owner": each.owner().id, **described(each.to_here())} for each in references])
    rpc.rpc_sync("rank1", look, args=(number, step))


def train(number, net, batches):
    references = list(net.parameter_rrefs())
    optimizer = DistributedOptimizer(torch.optim.SGD, references, lr=exercise.input["rate"])
    for step, batch in enumerate(batches):
        record_parameters(number, step, references)
        with dist_autograd.context() as context:
            y = net(torch.tensor(batch["x"]))
            exercise.record("output", net=number, step=step, shape=list(y.shape), values=numbers(y))
            loss = ((y - torch.tensor(batch["y"])) ** 2).mean()
            dist_autograd.backward(context, [loss])
            optimizer.step(context)
    record_parameters(number, len(batches), references)


def train_all():
    make = exercise.find(exercise.input["names"], is_class)
    nets = []
    for number, each in enumerate(exercise.input["nets"]):
        nets.append(make("rank1", *each["sizes"]))
        train(number, nets[-1], each["batches"])


def body(exercise):
    torch.manual_seed(exercise.input["seed"] + exercise.rank)
    torch.nn.modules.module.register_module_forward_hook(note_forward)
    os.environ.setdefault("TP_SOCKET_IFNAME", "lo")
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    options = rpc.TensorPipeRpcBackendOptions(init_method=f"file://{os.path.abspath('group')}")
    rpc.init_rpc(f"rank{exercise.rank}", rank=exercise.rank, world_size=2, rpc_backend_options=options)
    Standstill(exercise, ranks=2)
    try:
        if exercise.rank == 0:
            train_all()
    finally:
        rpc.shutdown()


exercise.run(body)
