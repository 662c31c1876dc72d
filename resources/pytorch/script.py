"""@title@

    @command@
"""
@about@
@notes@
#if gzip
import gzip
#end
import json
#if math
import math
#end
#if distributed
import os
#end
import pathlib
#if idx
import struct
#end
#if raced
#if rpc
import threading
#end
#end

#if npz
import numpy
#end
import torch
#if collectives
import torch.distributed as dist
#end
#if rpc
import torch.distributed.autograd as dist_autograd
import torch.distributed.rpc as rpc
#end
from torch import nn
#if zero
from torch.distributed.optim import ZeroRedundancyOptimizer
#end
#if raced

import lockstep  # the workbench draws this run beside the other
#end

#if distributed
WORLD = @world@  # processes
#end
SEED = @seed@
STEPS = @steps@
SAMPLES = @samples@  # in the training set
BATCH = @batch@  # samples per step@of_all@
LR = @lr@
@constants@
DTYPE = torch.@dtype@
FOLDER = pathlib.Path(__file__).resolve().with_suffix(".data")


def read(name, dtype):  # a file of numbers, one after another
    return torch.frombuffer(bytearray((FOLDER / name).read_bytes()), dtype=dtype)


#use data/@data@


#if text
#use net/gpt
#end
def make_net():
    net = nn.Sequential(@net@).to(DTYPE)
#if text
#if tied
    net[-1].weight = net[0].token
#end
    for name, weight in net.named_parameters():  # as GPT-2 begins
        if weight.dim() > 1:
            nn.init.normal_(weight, std=0.02)
        elif name.endswith("bias"):
            nn.init.zeros_(weight)
#end
    if FOLDER.is_dir():
        nn.utils.vector_to_parameters(read("weights.f32", torch.float32).to(DTYPE), net.parameters())
    return net


#if replicas
#use partition/@partition@


def batches(sampler, rank):
    if FOLDER.is_dir():  # the samples of every step of Lockstep's run
        order, sizes = read(f"order.{rank}.i32", torch.int32), read(f"sizes.{rank}.i32", torch.int32)
        yield from order.long().split(sizes.tolist())
    for epoch in range(STEPS):
#if set_epoch
        sampler.set_epoch(epoch)  # another order
#end
        yield from sampler
#else
def batches():
    if FOLDER.is_dir():  # the samples of every step of Lockstep's run
        order, sizes = read("order.0.i32", torch.int32), read("sizes.0.i32", torch.int32)
        yield from order.long().split(sizes.tolist())
    for epoch in range(STEPS):
#if whole
        yield torch.arange(SAMPLES)
#else
        order = torch.randperm(SAMPLES, generator=torch.Generator().manual_seed(SEED + epoch))
        yield from order.split(BATCH)
#end
#end


#use optimizer/@optimizer@
#if scheduled


#use optimizer/schedule
#end
#if own_algorithm


#use aggregation/@algorithm@
#end


#use strategy/@strategy@


#if distributed
#use strategy/start
#else
if __name__ == "__main__":
    main()
#end
