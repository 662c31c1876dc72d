"""Runs a student's optimizer class on given gradients and writes the parameters after each step.

Input: `names` of the class; `cases`, each with `settings` by name, `dtype`, `shapes`, `params` (list or generator) and
`steps` of `weights` and `gradients`, flat, by parameter. The parameters are set to `weights` before each step. They get
their gradients as in training: zero_grad, backward, step. A parameter whose gradients are null takes no part in the
loss.

`arguments` records which settings the class takes. `overwrite` is written into each gradient that zero_grad let go of:
a state that is the gradient itself and no copy of it is seen then.
"""

import ast
import inspect

import torch
from exercise import Exercise, is_class, numbers

# The names under which a class may take a setting.
SYNONYMS = {
    "lr": ["lr", "learning_rate", "rate", "eta", "alpha", "step_size"],
    "momentum": ["momentum", "mu", "beta", "gamma"],
    "beta1": ["beta1", "beta_1", "b1", "rho1"],
    "beta2": ["beta2", "beta_2", "b2", "rho2"],
    "betas": ["betas"],
    "decay": ["decay", "alpha", "rho", "beta", "decay_rate", "gamma"],
    "epsilon": ["eps", "epsilon", "delta"],
}


def is_optimizer(value):
    return is_class(value) and callable(getattr(value, "step", None))


def arguments(kind, settings):
    """Settings as keyword arguments, as far as the class takes them; its own defaults stand for the others."""
    parameters = list(inspect.signature(kind).parameters.values())
    open_names = [each.name for each in parameters[1:] if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    values = dict(settings)
    if "beta1" in values:
        values["betas"] = (values["beta1"], values["beta2"])
    found = {}
    taken = []
    for setting, value in values.items():
        for name in SYNONYMS[setting]:
            if name in open_names and name not in found:
                found[name] = value
                taken += ["beta1", "beta2"] if setting == "betas" else [setting]
                break
    if "lr" not in taken:
        if open_names and open_names[0] not in found:
            found[open_names[0]] = settings["lr"]
            taken.append("lr")
        elif any(each.kind == each.VAR_KEYWORD for each in parameters):
            found["lr"] = settings["lr"]
            taken.append("lr")
    return found, taken


def torch_base(kind):
    """The optimizer of PyTorch's that does the work, by inheritance; empty: none does."""
    for base in kind.__mro__:
        if base.__module__.startswith("torch.optim.") and base is not torch.optim.Optimizer:
            return f"torch.optim.{base.__name__}"
    return ""


def record_used(exercise, optimizer):
    """The optimizers of PyTorch's that the object keeps, to let them do the work."""
    for value in getattr(optimizer, "__dict__", {}).values():
        if isinstance(value, torch.optim.Optimizer) and torch_base(type(value)):
            exercise.record("uses", name=torch_base(type(value)))


def line_of(exercise, kind, method):
    """Of `def`: a code object begins with its decorators."""
    function = getattr(kind, method, None)
    function = inspect.unwrap(function) if function is not None else None
    code = getattr(function, "__code__", None)
    if code is None or code.co_filename != exercise.file:
        return 0
    with open(exercise.file, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and \
                code.co_firstlineno in [node.lineno, *(each.lineno for each in node.decorator_list)]:
            return node.lineno
    return code.co_firstlineno


def is_cleared(parameters):
    return all(each.grad is None or not bool(each.grad.any()) for each in parameters)


def zero(optimizer, parameters, overwrite):
    before = [each.grad for each in parameters]
    optimizer.zero_grad()
    for parameter, gradient in zip(parameters, before):
        if gradient is not None and parameter.grad is None:
            gradient.fill_(overwrite)


def run_case(exercise, kind, case, number):
    dtype = getattr(torch, case["dtype"])
    parameters = [torch.nn.Parameter(torch.zeros(shape, dtype=dtype)) for shape in case["shapes"]]
    given = list(parameters) if case["params"] == "list" else (each for each in parameters)
    found, taken = arguments(kind, case["settings"])
    exercise.record("arguments", case=number, taken=taken)
    optimizer = kind(given, **found)
    record_used(exercise, optimizer)
    for step, data in enumerate(case["steps"]):
        with torch.no_grad():
            for parameter, values in zip(parameters, data["weights"]):
                parameter.copy_(torch.tensor(values, dtype=dtype).reshape(parameter.shape))
        zero(optimizer, parameters, exercise.input["overwrite"])
        cleared = is_cleared(parameters)
        loss = sum(
            (parameter * torch.tensor(values, dtype=dtype).reshape(parameter.shape)).sum()
            for parameter, values in zip(parameters, data["gradients"]) if values is not None
        )
        loss.backward()
        optimizer.step()
        for place, parameter in enumerate(parameters):
            exercise.record("step", case=number, step=step, parameter=place, cleared=cleared, values=numbers(parameter))


def body(exercise):
    kind = exercise.find(exercise.input["names"], is_optimizer)
    exercise.record(
        "class",
        name=kind.__name__,
        base=torch_base(kind),
        step_line=line_of(exercise, kind, "step"),
        zero_line=line_of(exercise, kind, "zero_grad"),
    )
    for number, case in enumerate(exercise.input["cases"]):
        run_case(exercise, kind, case, number)


if __name__ == "__main__":
    exercise = Exercise()
    exercise.run(body)
