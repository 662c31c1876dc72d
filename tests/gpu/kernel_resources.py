#!/usr/bin/env python3
"""Registers and spilled bytes of the kernels of collectives, for every generation of GPUs, as ptxas reports them.

    kernel_resources.py NVCC SOURCE LIST [--write]

Prints a line a kernel: `name sm_75=40 sm_80=32+8 ...`, registers a thread and after a + bytes of spill stores and loads. Ends with 1 if
a kernel has more than LIST (kernel_resources.txt) says, or is not in it; --write rewrites the list. Another release of nvcc
than the list's ends it with 77: it allocates registers its own way.
"""
import os, re, subprocess, sys, tempfile


def release_of(nvcc):
    return re.search(r"release (\S+),", subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout).group(1)


def compiled(nvcc, source):
    """{kernel: {architecture: (registers, spilled bytes)}}"""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([nvcc, "--fatbin", "-arch=all-major", "--fmad=false", "-std=c++17", "-O3", "-Xptxas", "-v", "-o",
                               os.path.join(folder, "kernels.fatbin"), source], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return reported(done.stderr + done.stdout)


def reported(text):
    found, at = {}, None
    for line in text.splitlines():
        if entry := re.search(r"Compiling entry function '(\w+)' for '(\w+)'", line):
            at, spilled = entry.groups(), 0
        elif spills := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            spilled = int(spills.group(1)) + int(spills.group(2))
        elif (used := re.search(r"Used (\d+) registers", line)) and at:
            found.setdefault(at[0], {})[at[1]] = (int(used.group(1)), spilled)
    return found


def line_of(kernel, figures):
    parts = ["%s=%d%s" % (arch, registers, "+%d" % spilled if spilled else "")
             for arch, (registers, spilled) in sorted(figures.items(), key=lambda each: int(each[0][3:]))]
    return " ".join([kernel] + parts)


def listed(path):
    release, kernels = None, {}
    with open(path) as file:
        for line in file:
            if line.startswith("#"):
                release = release or re.search(r"nvcc ([\d.]+)", line).group(1)
            elif line.strip():
                name, *parts = line.split()
                kernels[name] = {arch: tuple(map(int, (figures.split("+") + ["0"])[:2]))
                                 for arch, figures in (part.split("=") for part in parts)}
    return release, kernels


def grown(now, before):
    """What has more registers or spills more than before, a line each."""
    lines = []
    for kernel, figures in sorted(now.items()):
        for arch, (registers, spilled) in figures.items():
            had = before.get(kernel, {}).get(arch)
            if had is None:
                lines.append("%s on %s is not in the list" % (kernel, arch))
            elif registers > had[0] or spilled > had[1]:
                lines.append("%s on %s: %d registers, %d bytes spilled; the list has %d and %d"
                             % (kernel, arch, registers, spilled, *had))
    return lines


if __name__ == "__main__":
    nvcc, source, path = sys.argv[1:4]
    release = release_of(nvcc)
    if "--write" not in sys.argv and listed(path)[0] != release:
        print("the list is of nvcc %s, here is %s" % (listed(path)[0], release))
        sys.exit(77)
    now = compiled(nvcc, source)
    text = "".join(line_of(kernel, figures) + "\n" for kernel, figures in sorted(now.items()))
    print(text, end="")
    if "--write" in sys.argv:
        with open(path, "w") as file:
            file.write("# kernel_resources.py --write, nvcc %s: registers a thread, after a + bytes spilled\n" % release + text)
        sys.exit(0)
    more = grown(now, listed(path)[1])
    print("\n".join(["", *more]) if more else "none has grown")
    sys.exit(1 if more else 0)
