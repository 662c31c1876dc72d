"""read_weights.py FILE: prints the tensors of a file as JSON: by name, a type, a shape and a sum of the bytes.

A .safetensors file is read by its description alone, without PyTorch."""
import hashlib
import json
import sys


def of_safetensors(path):
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
        data = file.read()
    header.pop("__metadata__")
    for name, each in header.items():
        begin, end = each["data_offsets"]
        yield name, each["dtype"], each["shape"], data[begin:end]


def of_torch(path):
    import torch
    names = {torch.float64: "F64", torch.float32: "F32", torch.int64: "I64"}
    for name, tensor in torch.load(path, weights_only=True).items():
        yield name, names[tensor.dtype], list(tensor.shape), tensor.numpy().tobytes()


FILE = sys.argv[1]
READ = of_safetensors if FILE.endswith(".safetensors") else of_torch
print(json.dumps({name: [dtype, shape, hashlib.sha256(data).hexdigest()] for name, dtype, shape, data in READ(FILE)}))
