"""First on PYTHONPATH of a watched process: loads the sitecustomize that it hides, and waits for torch."""

import importlib.machinery
import importlib.util
import os
import sys


class Waiter:
    """A finder that calls `waits[name](module)` once that module has been imported, and finds nothing itself."""

    def __init__(self):
        self.waits = {}

    def find_spec(self, name, path=None, target=None):
        if name not in self.waits:
            return None
        for finder in list(sys.meta_path):
            spec = None if finder is self or not hasattr(finder, "find_spec") else finder.find_spec(name, path, target)
            if spec is not None:
                self._follow(name, spec.loader)
                return spec
        return None

    def _follow(self, name, loader):
        """A script may also only ask whether there is such a module: `waits` keeps it until it is imported."""
        execute = getattr(loader, "exec_module", None)

        def exec_module(module):
            vars(loader).pop("exec_module", None)
            execute(module)
            try:
                self.waits.pop(name, lambda _: None)(module)
            except Exception as error:  # the script continues, whatever it is
                print(f"lockstep: {name} is not watched: {error}", file=sys.stderr)

        if execute is not None and hasattr(loader, "__dict__"):
            loader.exec_module = exec_module


def watch():
    waiter = Waiter()

    def torch_is_imported(module):
        import lockstep
        lockstep.watch_torch(module, waiter)

    waiter.waits["torch"] = torch_is_imported
    sys.meta_path.insert(0, waiter)
    board = os.environ.get("LOCKSTEP_BOARD", "")
    if board.isdigit():  # a path serves children too, to whom the descriptor is not passed on
        os.environ["LOCKSTEP_BOARD"] = f"/proc/{os.getpid()}/fd/{board}"


def load_hidden():
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


if os.environ.get("LOCKSTEP_WATCH") == "auto":
    watch()
load_hidden()
