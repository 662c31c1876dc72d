"""Runs the student's column-parallel layer forward and backward on groups of ranks."""

import torch

from exercise import Exercise, is_class, numbers
from messages import Cases


def body(exercise):
    make = exercise.find(exercise.input["names"], is_class)

    def run(case):
        def given(name):
            return torch.tensor(case[name], dtype=torch.float32)

        layer = make(given("weight"), given("bias"))
        exercise.record("layer", case=case["number"], parameters=[
            {"shape": list(each.shape), "values": numbers(each)} for each in layer.parameters()])
        x = given("x").reshape(*case["leading"], -1).requires_grad_()
        y = layer(x)
        fields = {"y": numbers(y), "shape": list(y.shape)}
        scale = given("scale").reshape(*case["leading"], -1)
        if y.requires_grad and y.shape == scale.shape:
            (y * scale).sum().backward()
        fields["x_gradient"] = [] if x.grad is None else numbers(x.grad)
        fields["parameters"] = [
            {"values": numbers(each), "gradient": [] if each.grad is None else numbers(each.grad)}
            for each in layer.parameters()]
        return fields

    Cases(exercise).run(run)


if __name__ == "__main__":
    Exercise().run(body)
