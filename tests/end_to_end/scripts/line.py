"""A trainer without PyTorch: every rank fits w to 3 by gradient descent on (w - 3)^2, each alone."""

import os
import signal
import time

import lockstep

lr = lockstep.parameter("lr", 0.1, help="Learning rate.", minimum=0.0, maximum=1.0)
steps = lockstep.parameter("steps", 40, minimum=1)
pace_ms = lockstep.parameter("pace_ms", 1.0, minimum=0.0)
ends = lockstep.parameter("ends", "well", choices=("well", "raise", "kill", "exit", "quiet"))
at = lockstep.parameter("at", 0)

run = lockstep.connect()
run.describe(train_samples=100, test_samples=10, steps=steps, dataset="the number 3")
run.log(f"rank {run.rank} of {run.world_size}, seed {run.seed}")
w = 0.0
step = 0
while step < steps:
    step += 1
    if step == at and run.rank == run.world_size - 1:
        if ends == "raise":
            raise ValueError("the data has a hole")
        if ends == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if ends == "exit":
            os._exit(7)
    with run.span("forward"):
        loss = (w - 3.0) ** 2
    with run.span("backward"):
        gradient = 2.0 * (w - 3.0)
        time.sleep(pace_ms / 1e3)
    with run.span("optimize"):
        w -= lr * gradient
    run.metric("distance", abs(w - 3.0))
    if not run.step(loss=loss, samples=10, lr=lr):
        break
run.evaluate(accuracy=1.0 - min(1.0, abs(w - 3.0)), loss=(w - 3.0) ** 2)
