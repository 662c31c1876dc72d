"""Runs the student's column-parallel layer forward and backward on groups of ranks.

First in evaluation, without gradients. Then both twice, forward and forward and then backward and backward, as a net that
uses a layer twice does. Then with an x of another shape, and at last twice with the same x. The gradients are recorded
after each backward, and are never cleared. `stage` is recorded before each part.
"""

import torch

from exercise import Exercise, is_class, numbers
from messages import Cases


def others(value, depth=6):
    """Tensors that an object keeps beside its parameters."""
    if isinstance(value, torch.Tensor):
        return [] if isinstance(value, torch.nn.Parameter) else [value]
    if isinstance(value, torch.nn.Module):
        value = vars(value)
    if isinstance(value, dict):
        value = list(value.values())
    return [each for part in value for each in others(part, depth - 1)] \
        if depth and isinstance(value, (list, tuple)) else []


def gradient(tensor):
    return [] if tensor.grad is None else numbers(tensor.grad)


def body(exercise):
    make = exercise.find(exercise.input["names"], is_class)

    def run(case):
        def given(name):
            return torch.tensor(case[name], dtype=torch.float32)

        def stage(name):
            exercise.record("stage", case=case["number"], name=name)

        def evaluated(x):
            layer.eval()
            with torch.no_grad():
                y = layer(x)
            layer.train()
            return y

        layer = make(given("weight"), given("bias"))
        exercise.record("layer", case=case["number"], parameters=[
            {"shape": list(each.shape), "values": numbers(each)} for each in layer.parameters()],
            others=[{"values": numbers(each)} for each in others(layer)])
        x = given("x").reshape(*case["leading"], -1).requires_grad_()
        stage("evaluation")
        fields = {"evaluated": numbers(evaluated(x))}
        stage("training")
        y, later = layer(x), layer(case["later"]["x"] * x)
        fields.update({"y": numbers(y), "shape": list(y.shape), "later_y": numbers(later)})
        scale = given("scale").reshape(*case["leading"], -1)

        def backward(output, factor):
            if output.requires_grad and output.shape == scale.shape:
                (output * (factor * scale)).sum().backward()
            return {"x_gradient": gradient(x),
                    "parameters": [{"values": numbers(each), "gradient": gradient(each)}
                                   for each in layer.parameters()]}

        fields.update(backward(y, 1.0))
        fields["later"] = backward(later, case["later"]["scale"])
        stage("other_shape")
        few = x.detach().flatten(0, -2)[:case["few"]].unsqueeze(1)
        y = evaluated(few)
        fields.update({"few_y": numbers(y), "few_shape": list(y.shape)})
        stage("twice")
        fields["twice"] = backward(layer(x) + layer(x), 0.5)
        return fields

    Cases(exercise).run(run)


if __name__ == "__main__":
    Exercise().run(body)
