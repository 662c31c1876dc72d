"""Runs a student's optimizer class on given gradients and writes the parameters after each step.

Input: `names` of the class; `cases`, each with `settings` by name, `dtype`, `shapes`, `params` (list or generator),
`objects` and `steps` of `weights` and `gradients`, flat, by parameter. The parameters are set to `weights` before each
step, those of the second object to `beside`. They get their gradients as in training: zero_grad, backward, step; `zeros`
and `backwards` of a step say how often the first two are called. A parameter whose gradient is null takes no part in the
loss. With `strided`, parameters are not contiguous. Of 3 objects, two have parameters of their own and are used side by
side, the second with the settings `beside`; the third gets the parameters of the first, later.

Records each parameter after each step, whether it was `given` a gradient, and the gradient that is `left`; at the end of
a case, whether zero_grad clears each of the gradients `kept`, whose elements repeat.

`arguments` records which settings the class takes. `overwrite` is written into each gradient that zero_grad let go of:
a state that is the gradient itself and no copy of it is seen then.
"""

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


def is_cleared(parameters):
    return all(each.grad is None or not bool(each.grad.any()) for each in parameters)


def made(shape, dtype, is_strided):
    """A parameter; `is_strided`: the transposed of a matrix, or every second element of a vector."""
    if is_strided and len(shape) == 1:
        return torch.nn.Parameter(torch.zeros(2 * shape[0], dtype=dtype)[::2])
    return torch.nn.Parameter(torch.zeros(shape[::-1], dtype=dtype).t() if is_strided else
                              torch.zeros(shape, dtype=dtype))


def filled(parameter, values):
    """`values` with the shape and type of the parameter; nan and inf are texts in JSON."""
    return torch.tensor([float(each) for each in values], dtype=parameter.dtype).reshape(parameter.shape).clone()


def set_weights(parameters, weights):
    with torch.no_grad():
        for parameter, values in zip(parameters, weights):
            parameter.copy_(filled(parameter, values))


def zero(optimizer, parameters, overwrite, times):
    """0 times: the training loop lets go of the gradients itself, as net.zero_grad() does."""
    before = [each.grad for each in parameters]
    for _ in range(times):
        optimizer.zero_grad()
    for parameter, gradient in zip(parameters, before):
        if times == 0:
            parameter.grad = None
        if gradient is not None and parameter.grad is None:
            gradient.fill_(overwrite)
    return before


def backward(parameters, gradients, times):
    """In equal parts, which add up; 0 times: the gradients are assigned."""
    given = [(parameter, filled(parameter, values)) for parameter, values in zip(parameters, gradients)
             if values is not None]
    for _ in range(times):
        sum((parameter * (gradient / times)).sum() for parameter, gradient in given).backward()
    if times == 0:
        for parameter, gradient in given:
            parameter.grad = gradient


class Object:
    """An optimizer of the student's, made for these parameters."""

    def __init__(self, exercise, kind, case, number, parameters, settings="settings"):
        self.parameters = parameters
        given = list(parameters) if case["params"] == "list" else (each for each in parameters)
        found, taken = arguments(kind, case[settings])
        exercise.record("arguments", case=number, taken=taken)
        self.weights = "beside" if settings == "beside" else "weights"
        set_weights(parameters, case["steps"][0][self.weights])
        self.optimizer = kind(given, **found)
        record_used(exercise, self.optimizer)


def run_steps(exercise, case, number, objects):
    """`objects`, each with its number in the case, take every step one after another."""
    for step, data in enumerate(case["steps"]):
        for each in objects.values():
            set_weights(each.parameters, data[each.weights])
        before = [zero(each.optimizer, each.parameters, exercise.input["overwrite"], data["zeros"])
                  for each in objects.values()]
        cleared = {each: is_cleared(each.parameters) for each in objects.values()}
        for each in objects.values():
            backward(each.parameters, data["gradients"], data["backwards"])
        del before  # until here, so that no new gradient is at the address of an old one
        given = {each: [parameter.grad is not None for parameter in each.parameters] for each in objects.values()}
        for each in objects.values():
            each.optimizer.step()
        for which, each in objects.items():
            for place, parameter in enumerate(each.parameters):
                exercise.record("step", case=number, object=which, step=step, parameter=place, cleared=cleared[each],
                                given=given[each][place], values=numbers(parameter),
                                left=None if parameter.grad is None else numbers(parameter.grad))


def run_case(exercise, kind, case, number):
    def of(parameters, settings="settings"):
        return Object(exercise, kind, case, number, parameters, settings)

    def parameters():
        return [made(shape, getattr(torch, case["dtype"]), case["strided"]) for shape in case["shapes"]]

    objects = {0: of(parameters())}
    if case["objects"] > 1:
        objects[1] = of(parameters(), "beside")
    run_steps(exercise, case, number, objects)
    if case["objects"] > 1:
        for parameter in objects[0].parameters:
            parameter.grad = None
        run_steps(exercise, case, number, {2: of(objects[0].parameters)})
    for which, values in enumerate(case["kept"]):
        for parameter in objects[0].parameters:
            parameter.grad = filled(parameter, (values * parameter.numel())[:parameter.numel()])
        objects[0].optimizer.zero_grad()
        exercise.record("kept", case=number, which=which, cleared=is_cleared(objects[0].parameters))


def body(exercise):
    kind = exercise.find(exercise.input["names"], is_optimizer)
    exercise.record(
        "class",
        name=kind.__name__,
        base=torch_base(kind),
        step_line=exercise.line_of(getattr(kind, "step", None)),
        zero_line=exercise.line_of(getattr(kind, "zero_grad", None)),
    )
    for number, case in enumerate(exercise.input["cases"]):
        run_case(exercise, kind, case, number)


if __name__ == "__main__":
    exercise = Exercise()
    exercise.run(body)
