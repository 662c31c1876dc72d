"""Runs the student's functions that average gradients, each on groups of ranks."""

import torch

from exercise import Exercise, is_function, numbers
from messages import Cases


def body(exercise):
    functions = {name: exercise.find([name], is_function, alone=False) for name in exercise.input["names"]}

    def run(case):
        parameters, dtype = [], getattr(torch, case["dtype"])
        for shape, given in zip(case["shapes"], case["values"][exercise.rank]):
            parameter = torch.nn.Parameter(torch.zeros(shape, dtype=dtype))
            parameter.grad = torch.tensor(given, dtype=dtype).reshape(shape)
            parameters.append(parameter)
        functions[case["name"]](parameters if case["params"] == "list" else (each for each in parameters))
        return {"gradients": [[] if each.grad is None else numbers(each.grad) for each in parameters]}

    Cases(exercise).run(run)


if __name__ == "__main__":
    Exercise().run(body)
