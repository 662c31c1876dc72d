"""Runs the student's functions that average gradients, each on groups of ranks.

The parameters are 1 on rank 0, 2 on rank 1 and so on; they and their gradients are recorded afterwards.
"""

import torch

from exercise import Exercise, as_function, is_callable, numbers
from messages import Cases


def body(exercise):
    functions = {name: as_function(exercise.find([name], is_callable, alone=False))
                 for name in exercise.input["names"]}

    def run(case):
        parameters, dtype = [], getattr(torch, case["dtype"])
        for shape, given in zip(case["shapes"], case["values"][exercise.rank]):
            parameter = torch.nn.Parameter(torch.full(shape, exercise.rank + 1.0, dtype=dtype))
            if given is not None:
                parameter.grad = torch.tensor(given, dtype=dtype).reshape(shape)
            parameters.append(parameter)
        functions[case["name"]](parameters if case["params"] == "list" else (each for each in parameters))
        return {"gradients": [[] if each.grad is None else numbers(each.grad) for each in parameters],
                "weights": numbers(torch.cat([each.reshape(-1) for each in parameters]))}

    Cases(exercise).run(run)


if __name__ == "__main__":
    Exercise().run(body)
