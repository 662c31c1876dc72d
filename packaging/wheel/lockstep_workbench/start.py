"""Replaces this process by the program `lockstep`, after a check that its shared libraries can be loaded.

The program finds Qt and its other libraries by its own run path: no variable is set, so ranks and users' programs
inherit the environment of the caller.
"""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).resolve().parent / "bin" / "lockstep"
X11_PLUGIN = PROGRAM.parents[2] / "PySide6/Qt/plugins/platforms/libqxcb.so"
LOADER = "/lib64/ld-linux-x86-64.so.2"
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
    environment = dict(os.environ, LD_TRACE_LOADED_OBJECTS="1") # as ldd does, which may not be installed
    try:
        listed = subprocess.run([LOADER, file], env=environment, capture_output=True, text=True, check=False)
    except OSError:
        return [] # to be reported when the program is started
    return sorted({line.split()[0] for line in listed.stdout.splitlines() if line.endswith("=> not found")})


def opens_x11_window(words, environment):
    """Whether the program will load X11_PLUGIN. The first word of a command line is a verb, of small letters only."""
    if words[:1] == ["--lang"]:
        words = words[2:]
    is_verb = bool(words) and (words[0].isalpha() or words[0] in ("-h", "--help", "--version"))
    is_x11 = environment.get("QT_QPA_PLATFORM", "xcb") == "xcb" and not environment.get("WAYLAND_DISPLAY")
    return not is_verb and is_x11 and bool(environment.get("DISPLAY"))


def advice(missing):
    """One line: what is missing, and the command that installs it."""
    if any(name.startswith("libQt6") for name in missing):
        return (
            f"Qt is not in {PROGRAM.parents[2]}; run in the same environment: "
            "pip install --force-reinstall PySide6_Essentials"
        )
    known = [name for name in missing if name in PACKAGES] # apt installs with them what they need themselves
    packages = sorted({PACKAGES[name] for name in known})
    install = f"; run: sudo apt-get install {' '.join(packages)}" if packages else ""
    names = known or missing
    first = names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
    return f"missing system libraries: {first}{install}"


def main():
    missing = missing_libraries(PROGRAM)
    if opens_x11_window(sys.argv[1:], os.environ):
        missing = sorted({*missing, *missing_libraries(X11_PLUGIN)})
    if missing:
        print(f"lockstep: {advice(missing)}", file=sys.stderr)
        return EXIT_BAD_INPUT
    script = sys.argv[0] if os.access(sys.argv[0], os.X_OK) else str(PROGRAM)
    try:
        os.execv(PROGRAM, [os.path.abspath(script), *sys.argv[1:]])
    except OSError as error:
        print(f"lockstep: {PROGRAM} does not start: {error.strerror}", file=sys.stderr)
        return EXIT_BAD_INPUT
