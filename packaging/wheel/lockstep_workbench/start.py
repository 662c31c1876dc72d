"""Replaces this process by the program `lockstep`, after a check that its shared libraries can be loaded.

The program finds Qt and its other libraries by its own run path: no variable is set, so ranks and users' programs
inherit the environment of the caller.
"""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "bin" / "lockstep"
EXIT_BAD_INPUT = 2

# Debian's and Ubuntu's package of each system library that Qt and the program load.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libOpenGL.so.0": "libopengl0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libSM.so.6": "libsm6",
    "libICE.so.6": "libice6",
    "libcrypto.so.3": "libssl3",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libssl.so.3": "libssl3",
    "libstdc++.so.6": "libstdc++6",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
}


def missing_libraries(file):
    """The names of the shared libraries that the loader does not find for `file`, a program or a library; sorted."""
    environment = dict(os.environ, LD_TRACE_LOADED_OBJECTS="1")
    try:
        listed = subprocess.run([file], env=environment, capture_output=True, text=True, check=False)
    except OSError:
        return [] # to be reported when it is started
    return sorted({line.split()[0] for line in listed.stdout.splitlines() if line.endswith("=> not found")})


def advice(missing):
    """One line: which libraries are missing, and the command that installs them."""
    if any(name.startswith("libQt6") for name in missing):
        return (
            f"Qt is not in {PROGRAM.parent.parent.parent}; run in the same environment: "
            "pip install --force-reinstall PySide6_Essentials"
        )
    packages = sorted({PACKAGES.get(name, "") for name in missing} - {""})
    install = f"; run: sudo apt-get install {' '.join(packages)}" if packages else ""
    return f"these system libraries are missing: {', '.join(missing)}{install}"


def main():
    missing = missing_libraries(PROGRAM)
    if missing:
        print(f"lockstep: {advice(missing)}", file=sys.stderr)
        return EXIT_BAD_INPUT
    script = sys.argv[0] if os.access(sys.argv[0], os.X_OK) else str(PROGRAM)
    try:
        os.execv(PROGRAM, [os.path.abspath(script), *sys.argv[1:]])
    except OSError as error:
        print(f"lockstep: {PROGRAM} does not start: {error.strerror}", file=sys.stderr)
        return EXIT_BAD_INPUT
