"""What lockstep.py costs a script: CPU time per step, its sending thread included, and wall time in the training thread.

    python3 tests/bench/own_step.py [STEPS]

Prints a line without spans and one with three spans a step. Exit code 1 if run.step() costs 20 us of CPU or more.
"""

import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "resources", "python"))
import lockstep

LIMIT_US = 20.0

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
with tempfile.NamedTemporaryFile() as file:
    os.environ.pop("LOCKSTEP_TELEMETRY", None)
    os.environ["LOCKSTEP_RECORD"] = file.name
    run = lockstep.connect()
    for spans in (False, True):
        cpu = time.process_time()
        wall = time.perf_counter()
        for _ in range(steps):
            if spans:
                with run.span("forward"):
                    pass
                with run.span("backward"):
                    pass
                with run.span("optimize"):
                    pass
            run.step(loss=0.5, samples=64, lr=0.1)
        wall = time.perf_counter() - wall
        while run._queue:
            time.sleep(0.01)
        cpu = time.process_time() - cpu
        print(f"{'three spans' if spans else 'no spans'}: {cpu / steps * 1e6:.1f} us of CPU a step with its thread, "
              f"{wall / steps * 1e6:.1f} us in the training thread")
        if not spans:
            is_good = cpu / steps * 1e6 < LIMIT_US
    run.finish()
sys.exit(0 if is_good else 1)
