#!/usr/bin/env python3
"""`lockstep run --launch slurm` in an allocation of a Slurm on the laboratory cluster: losses, what is refused, and what is lost.

    slurm_hosts.py BUILD_DIR        needs root, slurm-wlm and munge; exits with 77 where it cannot run

A slurmd is on each of n1 and n2, in the host's own network, processes and name; slurmctld and the workbench are on n3.
"""
import os
import shutil
import subprocess
import sys
import time

from cluster import Cluster, SKIPPED, unlessAsked, whyNot
from ssh_hosts import HostTests, words_of

PROGRAMS = ("slurmctld", "slurmd", "srun", "salloc", "munged")
MUNGED = "/run/munge/munge.socket.2"


class SlurmTests(HostTests):
    starter = "srun"
    isAwaited = False  # srun starts the ranks of a workbench that waits for them
    victims = ("a rank", "srun", "a relay", "the workbench", "a host's network")

    def startDaemons(self):
        self.startMunge()
        text = """
ClusterName=laboratory
SlurmctldHost=n3({control})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
StateSaveLocation={folder}/slurmctld
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdSpoolDir={folder}/slurmd-%n
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdLogFile={folder}/slurmd-%n.log
{nodes}
PartitionName=all Nodes=n[1-2] Default=YES State=UP
"""
        nodes = "\n".join("NodeName=%s NodeAddr=%s CPUs=2 State=UNKNOWN" % (host.name, host.address) for host in self.hosts)
        self.conf = self.write("slurm.conf", text.format(control=self.workbench.address, folder=self.folder, nodes=nodes), 0o644)
        # It is not used, but slurmd 22.05 does not start without a plugin; this one mounts nothing.
        self.write("cgroup.conf", "CgroupPlugin=cgroup/v1\n", 0o644)
        os.makedirs(self.path("slurmctld"))
        environment = {"SLURM_CONF": self.conf}
        self.daemons.append(self.workbench.start(["slurmctld", "-D"], environment, stdout=subprocess.DEVNULL,
                                                 stderr=subprocess.DEVNULL))
        for host in self.hosts:
            os.makedirs(self.path("slurmd-" + host.name))
            self.daemons.append(host.start(["slurmd", "-D", "-N", host.name], environment, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL))
        end = time.monotonic() + 30
        while time.monotonic() < end and self.idleNodes() != 2:
            time.sleep(0.3)
        if self.idleNodes() != 2:
            raise RuntimeError("Slurm does not start: " + self.logs())

    def startMunge(self):
        """munged as its user; one that runs already is used."""
        if os.path.exists(MUNGED) and subprocess.run(["munge", "-n"], capture_output=True, check=False).returncode == 0:
            return
        if not os.path.exists("/etc/munge/munge.key"):
            subprocess.run(["mungekey", "--create"], check=True)
        subprocess.run(["chown", "munge:", "/etc/munge/munge.key"], check=True)
        os.makedirs("/run/munge", exist_ok=True)
        shutil.chown("/run/munge", "munge", "munge")
        self.daemons.append(subprocess.Popen(["setpriv", "--reuid=munge", "--regid=munge", "--clear-groups", "--pdeathsig",
                                              "KILL", "munged", "--foreground", "--force"], stderr=subprocess.DEVNULL))
        end = time.monotonic() + 10
        while time.monotonic() < end and subprocess.run(["munge", "-n"], capture_output=True, check=False).returncode != 0:
            time.sleep(0.1)

    def idleNodes(self):
        listed = self.workbench.start(["sinfo", "--noheader", "--format=%D %t"], {"SLURM_CONF": self.conf},
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return sum(int(line.split()[0]) for line in listed.communicate()[0].splitlines() if line.split()[1:] == ["idle"])

    def logs(self):
        text = ""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(self.path(name), encoding="utf-8", errors="replace") as file:
                    text += "%s:\n%s\n" % (name, file.read()[-1500:])
        return text

    def startRun(self, words, slots):
        if self.isAwaited:
            return self.startAwaited(words, slots)
        command = ["salloc", "--quiet", "--nodes=2", "--ntasks-per-node=%d" % slots, "--immediate=20", self.lockstep, *words,
                   "--launch", "slurm"]
        return self.workbench.start(command, {"SLURM_CONF": self.conf, "QT_QPA_PLATFORM": "offscreen",
                                              "SSH_CONNECTION": "10.0.0.1 1 127.0.0.1 22"},
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def startAwaited(self, words, slots):
        process, file = self.startWaiting(words)
        self.workbench.start(["srun", "--quiet", "--nodes=2", "--ntasks-per-node=%d" % slots, self.rank],
                             {"SLURM_CONF": self.conf, "LOCKSTEP_WORKBENCH": file},
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return process

    def presets(self):
        """One preset whose ranks share hosts, and one whose ranks do not."""
        self.sameLosses("aggregation", "all_reduce", 1, "gloo (hosts n1, n2, with one rank each)", world_size=2)
        self.sameLosses("model-parallel", "grid", 2, "hierarchical (shared memory on each of the hosts n1, n2")
        self.isAwaited = True
        self.sameLosses("aggregation", "all_reduce", 2, "hierarchical (shared memory on each of the hosts n1, n2")
        self.isAwaited = False

    def refusals(self):
        words = [*words_of("aggregation", "all_reduce", 20, {"world_size": 4}), "--store", self.store()]
        process = self.startRun(words, 1)
        _, error = process.communicate(timeout=60)
        line = "--launch slurm: the run needs 4 ranks, and the hosts have 2 slots"
        self.check("an allocation that is too small is refused", process.returncode == 2 and line in error, error)


def main():
    missing = [name for name in PROGRAMS if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None]
    why = unlessAsked() or whyNot() or ("needs slurm-wlm and munge: no %s" % ", ".join(missing) if missing else "")
    if why:
        print("skipped: Slurm on the laboratory cluster %s" % why)
        return SKIPPED
    os.environ["PATH"] += ":/usr/sbin"
    with Cluster(3) as cluster:
        tests = SlurmTests(os.path.abspath(sys.argv[1]), cluster)
        try:
            tests.startDaemons()
            tests.presets()
            tests.refusals()
            tests.losing()
            if tests.failures:
                print(tests.logs())
        finally:
            tests.stopDaemons()
    return 1 if tests.failures else 0


if __name__ == "__main__":
    sys.exit(main())
