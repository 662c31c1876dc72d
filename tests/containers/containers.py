#!/usr/bin/env python3
"""Carries out the steps of packaging/containers/Containerfile in root file systems of their own, and trains there.

    containers.py LOCKSTEP

Two Debians are made with mmdebstrap, as the Containerfile has two stages: lockstep-rank is built in the one and runs in
the other. There each rank of a run has its own PID, UTS, IPC and network namespace, as in a container, and is started by
the very files that `lockstep launch --as compose` writes; their recordings are imported as one run, which must have
finished with the loss that one machine has. Where LOCKSTEP_CONTAINERS is not set, or there is no root, no mmdebstrap or
no namespace, it is skipped (exit code 77). LOCKSTEP_CONTAINER_BASE: a release of Debian (bookworm).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STEPS = "packaging/containers/steps.sh"
BASE = os.environ.get("LOCKSTEP_CONTAINER_BASE", "bookworm")
RANKS = 4
STEPS_OF_RUN = 20
BRIDGE = "lockstepct"


def skip(reason):
    print(f"containers: skipped: {reason}")
    sys.exit(77)


def carry_out(*command, **options):
    done = subprocess.run([str(word) for word in command], **options)
    if done.returncode != 0:
        sys.exit(f"containers: {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr or ''}")
    return done


class Root:
    """A Debian root file system, with what a container is given of the machine."""

    def __init__(self, folder, archive):
        self.folder = folder
        folder.mkdir()
        carry_out("tar", "--extract", "--file", archive, "--directory", folder)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        self.mounts = []
        self.mount(["--types", "proc", "proc"], "proc")
        self.mount(["--bind", "/dev"], "dev")
        self.mount(["--types", "tmpfs", "tmpfs"], "dev/shm")

    def mount(self, what, where):
        (self.folder / where).mkdir(parents=True, exist_ok=True)
        carry_out("mount", *what, self.folder / where)
        self.mounts.append(self.folder / where)

    def run(self, *command):
        # With the PATH of a login: this machine's may name other folders.
        carry_out("chroot", self.folder, "env", "-i", "HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                  *command)

    def close(self):
        for where in reversed(self.mounts):
            subprocess.run(["umount", "--lazy", where], check=False)


def copied_by_containerfile():
    """What the Containerfile copies into the first stage."""
    text = (SOURCE / "packaging/containers/Containerfile").read_text()
    first = text.split("FROM")[1]
    return [name for line in re.findall(r"^COPY (.+)$", first, re.MULTILINE) for name in line.split()[:-1]]


def build(roots, archive):
    """The image's file system, by both stages."""
    first = Root(roots / "build", archive)
    try:
        (first.folder / "source").mkdir()
        for name in copied_by_containerfile():
            carry_out("cp", "--recursive", SOURCE / name, first.folder / "source")
        first.run("sh", "-c", f"cd /source && {STEPS} build")
        second = Root(roots / "run", archive)
        carry_out("cp", "--recursive", first.folder / "opt/lockstep", second.folder / "opt")
        shutil.copy(SOURCE / STEPS, second.folder / "opt/lockstep/steps.sh")
        second.run("/opt/lockstep/steps.sh", "run")
        return second
    finally:
        first.close()


class Network:
    """A bridge, and a namespace for each container."""

    def __init__(self):
        carry_out("ip", "link", "add", BRIDGE, "type", "bridge")
        carry_out("ip", "link", "set", BRIDGE, "up")
        self.names = []

    def add(self, number):
        name = f"{BRIDGE}{number}"
        carry_out("ip", "netns", "add", name)
        self.names.append(name)
        carry_out("ip", "link", "add", f"{name}h", "type", "veth", "peer", "name", "eth0", "netns", name)
        carry_out("ip", "link", "set", f"{name}h", "master", BRIDGE, "up")
        for words in (["link", "set", "lo", "up"], ["addr", "add", f"10.89.7.{number + 1}/24", "dev", "eth0"], ["link", "set", "eth0", "up"]):
            carry_out("ip", "-n", name, *words)
        return name

    def close(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)
        subprocess.run(["ip", "link", "del", BRIDGE], check=False)


def start(image, network, number, words):
    """A container: `words` in new namespaces."""
    inside = f'hostname rank{number}; mount --types proc proc "$1/proc" && mount --types tmpfs tmpfs "$1/dev/shm" || exit 1; shift; exec "$@"'
    command = ["ip", "netns", "exec", network.add(number), "unshare", "--pid", "--fork", "--kill-child", "--uts", "--ipc", "--mount", "sh", "-c",
               inside, "sh", str(image.folder), "chroot", str(image.folder), "env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin",
               "LOCKSTEP_SECRET_FILE=/job/secret", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def only_run(told):
    """The summary of the only run that JSON of `lockstep` tells of, which must have finished."""
    runs = json.loads(told)["runs"]
    if len(runs) != 1 or runs[0]["status"] != "finished" or runs[0]["summary"]["steps"] != STEPS_OF_RUN:
        sys.exit(f"containers: one finished run of {STEPS_OF_RUN} steps was expected: {told}")
    return runs[0]["summary"]


def train(lockstep, image, folder):
    """The losses in containers and on this machine."""
    run = ["aggregation", "--only", "all_reduce"]
    for setting in (f"train.steps={STEPS_OF_RUN}", "train.dtype=float64", f"world_size={RANKS}"):
        run += ["--set", setting]
    job = folder / "job"
    carry_out(lockstep, "launch", *run, "--as", "compose", "--out", job, capture_output=True)
    image.mount(["--bind", job], "job")
    with open(image.folder / "etc/hosts", "a", encoding="utf-8") as hosts:
        hosts.writelines(f"10.89.7.{rank + 1} rank{rank}\n" for rank in range(RANKS))
    network = Network()
    try:
        words = [re.findall(r'"([^"]*)"', line) for line in (job / "compose.yaml").read_text().splitlines() if "entrypoint" in line]
        assert len(words) == RANKS, words
        ranks = [start(image, network, number, each) for number, each in enumerate(words)]
        said = [rank.communicate(timeout=300)[0] for rank in ranks]
        if any(rank.returncode != 0 for rank in ranks):
            sys.exit("containers: a rank failed:\n" + "\n".join(said))
    finally:
        network.close()
    record = job / "records" / next((job / "runs").iterdir()).stem
    carry_out(lockstep, "import", record, "--store", folder / "store", capture_output=True)
    there = carry_out(lockstep, "runs", "--store", folder / "store", "--json", capture_output=True, text=True).stdout
    carry_out(lockstep, "run", *run, "--store", folder / "here", capture_output=True)
    here = carry_out(lockstep, "runs", "--store", folder / "here", "--json", capture_output=True, text=True).stdout
    return only_run(there)["final_loss"], only_run(here)["final_loss"]


def main():
    lockstep = sys.argv[1]
    if not os.environ.get("LOCKSTEP_CONTAINERS"):
        skip("./test --label containers makes a Debian and compiles in it (1.5 GB, a quarter of an hour)")
    if os.geteuid() != 0:
        skip("only root can make a root file system and namespaces")
    for program in ("mmdebstrap", "ip", "unshare"):
        if shutil.which(program) is None:
            skip(f"{program} is not installed")
    if subprocess.run(["unshare", "--pid", "--fork", "--uts", "--ipc", "--net", "true"], check=False).returncode != 0:
        skip("this machine has no namespaces")
    with tempfile.TemporaryDirectory(prefix="lockstep-containers-") as name:
        folder = pathlib.Path(name)
        archive = folder / "base.tar"
        carry_out("mmdebstrap", "--variant=minbase", BASE, archive)
        image = build(folder, archive)
        try:
            there, here = train(lockstep, image, folder)
        finally:
            image.close()
    print(f"containers: the loss after {STEPS_OF_RUN} steps of {RANKS} containers is {there!r}, on one machine {here!r}")
    if abs(there - here) > 1e-12 * abs(here):
        sys.exit("containers: they differ by more than 1e-12")


if __name__ == "__main__":
    main()
