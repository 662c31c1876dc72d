"""Runs of lockstep for the ratios beside this file: one spec, in a store and an environment of its own."""
import json
import os
import subprocess
import tempfile


def run(build, settings):
    """Summary and ranks of one run with these settings, one thread a rank."""
    with tempfile.TemporaryDirectory() as folder:
        spec = os.path.join(folder, "spec.json")
        with open(spec, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "experiment": "optimizers", "base": settings}, file)
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "XDG_DATA_HOME": folder}
        kept = {**{k: v for k, v in os.environ.items() if not k.startswith("LOCKSTEP_")}, **threads}
        output = subprocess.run([os.path.join(build, "bin", "lockstep"), "run", spec, "--json"], env=kept,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
        result = json.loads(output)["runs"][0]
        return result["summary"], result.get("ranks", [])
