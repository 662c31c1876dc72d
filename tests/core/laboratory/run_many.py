"""Runs one runner for many files in one process: run_many.py EXERCISES RUNNER FOLDER... with FOLDER/student.py."""

import contextlib
import importlib
import io
import os
import sys

sys.path.insert(0, sys.argv[1])
import exercise

runner = importlib.import_module(sys.argv[2])
for folder in sys.argv[3:]:
    os.chdir(folder)
    sys.argv = [sys.argv[0], "student.py"]
    sys.modules.pop("student", None)
    with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
        exercise.Exercise().run(runner.body)
