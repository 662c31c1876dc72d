#!/usr/bin/env python3
"""`lockstep run --launch ssh` on a laboratory cluster with a sshd on each host: losses, what is refused, and what is lost.

    ssh_hosts.py BUILD_DIR          needs root and openssh-server; exits with 77 where it cannot run

Ranks are on n1 and n2, the workbench is on n3; for two presets ranks are on n1 to n4, the workbench on n5.
"""
import contextlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from cluster import Cluster, SKIPPED, Tests, unlessAsked, whyNot

SSHD = "/usr/sbin/sshd"
RATE = 25.0  # MB/s, of each host's link: far less than the processor could send


def words_of(preset, variant, steps, settings):
    training = {"train.dtype": "float64", "train.steps": steps} if preset != "collectives" else {}
    words = ["run", preset, "--only", variant, "--json"]
    for name, value in {**training, "rank.bind": "false", "repeats": 1, **settings}.items():
        words += ["--set", "%s=%s" % (name, value)]
    return words


def whyFailed(code, error, here):
    """A program that a signal ended says nothing."""
    return "exit code %d on the hosts, %d here\n%s%s" % (code, here.returncode, error, here.stderr)


class HostTests(Tests):
    """What holds however the ranks are started. A subclass has `starter`, its program's name, startRun(), and what may be
    lost."""
    victims = ("a rank", "the workbench", "a host's network")
    starter = ""

    def __init__(self, build, cluster):
        super().__init__(build)
        self.cluster = cluster
        self.folder = cluster.folder
        self.hosts = cluster.hosts[:-1]
        self.workbench = cluster.hosts[-1]
        self.daemons = []
        self.number = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode=0o600):
        with open(os.open(self.path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def stopDaemons(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()  # munged removes its socket
        for daemon in self.daemons:
            try:
                daemon.wait(5)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def store(self):
        self.number += 1
        return self.path("store-%d" % self.number)

    def run(self, ranks, steps, slots=1, **more):
        """A workbench on n3 that runs on n1 and n2, and its store."""
        store = self.store()
        words = [*words_of("aggregation", "all_reduce", steps, {"world_size": ranks}), "--store", store]
        return self.startRun(words, slots, **more), store

    def startWaiting(self, words):
        """A workbench on n3 that waits for ranks, and its file, which is there."""
        file = self.path("workbench-%d" % self.number)
        process = self.workbench.start(
            [self.lockstep, *words, "--launch", "wait", "--listen", self.workbench.address, "--workbench-file", file],
            {"QT_QPA_PLATFORM": "offscreen"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + 20
        while not os.path.exists(file) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        return process, file

    def stored(self, store):
        """Status, message and steps of the only run; nothing if it was not stored yet."""
        listed = subprocess.run([self.lockstep, "runs", "--json", "--store", store], capture_output=True, text=True,
                                check=False)
        return next(iter(json.loads(listed.stdout)["runs"]), {"status": "not stored"})

    def left(self):
        """Living ranks, relays and workbenches of this build."""
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.readlink("/proc/%s/exe" % name) in (self.rank, self.lockstep):
                    found.append(int(name))
            except OSError:
                pass
        return found

    def noneIsLeftAfter(self, seconds):
        end = time.monotonic() + seconds
        while self.left() and time.monotonic() < end:
            time.sleep(0.05)
        return not self.left()

    def losses(self, text):
        """None where nothing is trained."""
        return [each for each in json.loads(text)["runs"][0]["series"]["loss"]["value"] if each is not None]

    def sameLosses(self, preset, variant, slots, over, **settings):
        """A variant on the hosts, with so many slots on each, has the losses of this machine; what is trained is also
        verified against one process."""
        verified = {"verify": "true"} if preset != "collectives" and "verify" not in settings else {}
        words = words_of(preset, variant, 20, {**verified, **{name.replace("__", "."): value for name, value in settings.items()}})
        what = "%s, %s" % (preset, variant)
        here = subprocess.run([self.lockstep, *words, "--store", self.store()], capture_output=True, text=True, check=False)
        store = self.store()
        process = self.startRun([*words, "--store", store], slots)
        out, error = process.communicate(timeout=120)
        if process.returncode != 0 or here.returncode != 0:
            self.check(what, False, whyFailed(process.returncode, error, here))
            return
        expected, found = self.losses(here.stdout), self.losses(out)
        worst = max([abs(a - b) / abs(b) for a, b in zip(found, expected)], default=0)
        spoken = self.communication(store)
        toOne = json.loads(out)["runs"][0]["summary"]["verify_max_relative_difference"]
        self.check("%s: %s; the largest relative difference is %.1e, verified: %s" % (what, spoken, worst, toOne),
                   len(found) == len(expected) and worst <= 1e-12 and over in spoken
                   and (not verified or (toOne is not None and toOne <= 1e-12)), "%s\n%s" % (found, expected))

    def communication(self, store):
        """What the run's file keeps of how its ranks communicate."""
        file, = [each for each in os.listdir(store) if each.endswith(".run")]
        with contextlib.closing(sqlite3.connect(os.path.join(store, file))) as run:
            return run.execute("SELECT communication FROM prepared WHERE rank = 0").fetchone()[0]

    def losing(self):
        """Each victim once during training, and LOCKSTEP_CLUSTER_TRIALS - 1 times at a random moment since the start."""
        for what in self.victims:
            for trial in range(int(os.environ.get("LOCKSTEP_CLUSTER_TRIALS", "1"))):
                self.loseOne(what, trial)

    def loseOne(self, what, trial):
        process, store = self.run(2, 1000000)
        moment = 0.0
        if trial == 0:
            self.awaitRun(process)
        else:
            self.awaitRanks(process)
            moment = random.uniform(0.0, 4.0)
            time.sleep(moment)
        begin = time.monotonic()
        while not self.lose(what) and process.poll() is None and time.monotonic() < begin + 30:
            time.sleep(0.02)
        begin = time.monotonic()
        try:
            _, error = process.communicate(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            _, error = process.communicate()
        took = time.monotonic() - begin
        limit = 10 if "network" in what else 5
        gone = self.noneIsLeftAfter(limit)
        until = time.monotonic() - begin
        self.hosts[1].plug()
        run = self.stored(store)
        isWorkbench = what == "the workbench"
        isNamed = run["status"] in ("interrupted", "not stored" if trial else "") if isWorkbench else (
            process.returncode == 3 and re.search(r"failed: (rank 1|n2)\b", error) and took < limit)
        when = "%.1f s after the start, " % moment if trial else ""
        self.check("%s is lost: %snamed after %.1f s, nothing left after %.1f s" % (what, when, took, until),
                   isNamed and gone, "%s %s %s" % (run, error[-2000:], self.left()))

    def resuming(self, isShared):
        """A run that has lost a rank goes on from its checkpoint with the losses of one that has lost none: in a folder
        that hosts and workbench share, or with a folder on each host, whose files the workbench gathers."""
        steps = 3000
        kept = self.path("kept" if isShared else "kept-apart")
        for host in [] if isShared else self.hosts + [self.workbench]:
            os.makedirs(kept, exist_ok=True)
            host.start(["mount", "-t", "tmpfs", "tmpfs", kept]).wait()
        words = words_of("aggregation", "all_reduce", steps, {"world_size": 2, "checkpoint.keep": 1})
        here = subprocess.run([self.lockstep, *words, "--store", self.store()], capture_output=True, text=True, check=False)
        store = self.store()
        process = self.startRun([*words, "--set", "checkpoint.every=100", "--set", "checkpoint.path=" + kept,
                                 "--store", store], 1)
        self.awaitRun(process)
        self.lose("a rank")
        process.communicate(timeout=60)
        run = self.stored(store)
        where = "a folder that hosts share" if isShared else "a folder on each host"
        self.resumed("a %s run is resumed from %s" % (run["status"], where),
                     self.startRun(["resume", run["id"], "--json", "--store", store], 1), here, steps)
        self.check("the lost run has failed", run["status"] == "failed", run)
        if not isShared:
            self.haveOwnParts(kept)
            self.useCopy(run["id"], store, here, steps)

    def resumed(self, what, process, here, steps):
        out, error = process.communicate(timeout=120)
        if process.returncode != 0 or here.returncode != 0:
            self.check(what, False, whyFailed(process.returncode, error, here))
            return
        expected, found = self.losses(here.stdout), self.losses(out)
        worst = max([abs(a - b) / abs(b) for a, b in zip(reversed(found), reversed(expected))], default=1)
        self.check("%s, its last %d losses differ by at most %.1e" % (what, len(found), worst),
                   0 < len(found) < steps and worst <= 1e-12, "%s\n%s" % (found, expected))

    def useCopy(self, run, store, here, steps):
        """On the workbench's machine alone, from what it has gathered."""
        weights = self.path("weights-of-copy.pt")
        joined = self.workbench.start([self.lockstep, "weights", run, "--out", weights, "--store", store],
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, error = joined.communicate(timeout=60)
        self.check("the workbench joins the weights of its copy", joined.returncode == 0 and os.path.getsize(weights) > 0,
                   error)
        self.resumed("the run is resumed on the workbench's machine, from its copy", self.workbench.start(
            [self.lockstep, "resume", run, "--json", "--store", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE),
            here, steps)

    def haveOwnParts(self, folder):
        """Each host has the files of its own ranks, and the workbench those of all."""
        def stepsOn(host):
            listed = host.start(["find", folder, "-type", "f", "-path", "*/step-*"], stdout=subprocess.PIPE)
            steps = {}
            for line in listed.communicate()[0].splitlines():
                steps.setdefault(os.path.basename(os.path.dirname(line)), set()).add(os.path.basename(line))
            return steps
        here = stepsOn(self.workbench)
        newest = max(here, default="")
        found = [stepsOn(host).get(newest) for host in self.hosts] + [here.get(newest)]
        self.check("each host has the files of its own ranks, the workbench those of all", found == [
            {"rank-0.safetensors", "manifest.json"}, {"rank-1.safetensors", "manifest.json"},
            {"rank-0.safetensors", "rank-1.safetensors", "manifest.json"}],
            found)

    def awaitRanks(self, process):
        """Nothing where whoever is to lose them has started them."""

    def awaitRun(self, process):
        end = time.monotonic() + 60
        for line in process.stderr:
            if re.search(r"step \d{3,} of", line) or time.monotonic() > end:
                return

    def lose(self, what):
        """The processes of n2 are known by their rank, those of the workbench by their words. False if there is none."""
        if "network" in what:
            self.hosts[1].unplug()
            return True
        found = False
        for each in self.left() if what != self.starter else [int(name) for name in os.listdir("/proc") if name.isdigit()]:
            try:
                with open("/proc/%d/cmdline" % each, "rb") as file:
                    words = file.read().decode().split("\0")
                with open("/proc/%d/environ" % each, "rb") as file:
                    isRankOne = b"RANK=1" in file.read().split(b"\0")
                with open("/proc/%d/status" % each, encoding="utf-8") as file:
                    parent = int(re.search(r"PPid:\s*(\d+)", file.read()).group(1))
            except OSError:
                continue
            victim = 0
            if what == "a rank" and isRankOne:
                victim = each
            elif what == "a relay" and isRankOne:
                victim = parent
            elif what == self.starter and os.path.basename(words[0]) == self.starter and "n2" in str(words):
                victim = each
            elif what == "the workbench" and words[0] == self.lockstep:
                victim = each
            if victim:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                    found = True
        return found


class SshTests(HostTests):
    starter = "ssh"
    victims = ("a rank", "ssh", "a relay", "the workbench", "a host's network")

    def makeKey(self, name):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(name)], check=True)
        with open(self.path(name + ".pub"), encoding="utf-8") as file:
            return " ".join(file.read().split()[:2])

    def startDaemons(self):
        """A sshd on n1 and n2, and a ssh that knows their keys."""
        os.makedirs("/run/sshd", exist_ok=True)
        self.write("authorized", self.makeKey("user") + "\n")
        other = self.makeKey("other")
        known = ""
        for host in self.hosts:
            known += "%s,%s %s\n" % (host.name, host.address, self.makeKey("host-" + host.name))
            config = self.write("sshd-" + host.name, "\n".join([
                "ListenAddress " + host.address, "HostKey " + self.path("host-" + host.name), "PidFile none",
                "AuthorizedKeysFile " + self.path("authorized"), "StrictModes no", "UsePAM no",
                "PasswordAuthentication no", "PermitRootLogin yes", ""]))
            self.daemons.append(host.start([SSHD, "-D", "-e", "-f", config], stderr=subprocess.DEVNULL))
        self.write("known", known)
        self.write("changed", re.sub(r"(n2\S*) \S+ \S+", r"\1 " + other, known))
        common = "Host *\n  StrictHostKeyChecking yes\n  IdentitiesOnly yes\n"
        self.write("config", common + "  IdentityFile %s\n  UserKnownHostsFile %s\n" % (self.path("user"),
                                                                                      self.path("known")))
        self.write("config-changed", common + "  IdentityFile %s\n  UserKnownHostsFile %s\n" % (
            self.path("user"), self.path("changed")))
        self.write("config-denied", common + "  IdentityFile %s\n  UserKnownHostsFile %s\n" % (self.path("other"),
                                                                                             self.path("known")))
        os.makedirs(self.path("bin"))
        self.write("bin/ssh", '#!/bin/sh\nexec %s -F "$SSH_TEST_CONFIG" "$@"\n' % shutil.which("ssh"), 0o700)
        end = time.monotonic() + 10
        while time.monotonic() < end and any(self.listens(host) is False for host in self.hosts):
            time.sleep(0.1)

    def listens(self, host):
        return self.workbench.start(["sh", "-c", "ssh-keyscan -T 1 %s | grep -q ssh" % host.name],
                                    stderr=subprocess.DEVNULL).wait() == 0

    def hostFile(self, text):
        return self.write("hosts-file", text)

    def environment(self, config):
        return {"PATH": self.path("bin") + ":" + os.environ["PATH"], "SSH_TEST_CONFIG": self.path(config),
                "QT_QPA_PLATFORM": "offscreen"}

    def lockstepOn(self, words, config="config"):
        return self.workbench.start([self.lockstep, *words], self.environment(config), stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE)

    def allHosts(self, slots):
        return self.hostFile("".join("%s slots=%d\n" % (host.name, slots) for host in self.hosts))

    def startRun(self, words, slots, config="config"):
        hosts = self.allHosts(slots)
        return self.lockstepOn([*words, "--launch", "ssh", "--hosts", hosts], config)

    def listing(self):
        process = self.lockstepOn(["hosts", "--check", "--json", "--hosts", self.hostFile("n1 slots=2\nn2\n")])
        out, error = process.communicate(timeout=60)
        hosts = json.loads(out)["hosts"] if process.returncode == 0 else []
        isRight = [host["hostname"] for host in hosts] == ["n1", "n2"] and all(
            abs(host["clock_ahead_ms"]) <= host["clock_error_ms"] for host in hosts)
        told = ", ".join("%(name)s: %(round_trip_ms).3f ms, clock %(clock_ahead_ms)+.3f ± %(clock_error_ms).3f ms" % host
                         for host in hosts)
        self.check("hosts --check (%s)" % told, isRight, error + out)

    def measuring(self):
        """The bandwidth that tc leaves to each host, less what headers and Gloo take; messages in opposite directions do not
        share it."""
        hosts = self.hostFile("n1 slots=2\nn2\n")
        process = self.lockstepOn(["hosts", "--check", "--measure", "--json", "--hosts", hosts])
        out, error = process.communicate(timeout=120)
        links = json.loads(out)["links"] if process.returncode == 0 else []
        isRight = len(links) == 1 and 0.7 * RATE <= links[0]["bandwidth_mb_per_s"] <= RATE and links[0]["latency_us"] > 0
        told = ", ".join("%(hosts)s: %(latency_us).0f µs, %(bandwidth_mb_per_s).1f MB/s" % each
                         for each in links)
        self.check("hosts --measure (%s)" % told, isRight, error + out)

    def presets(self):
        """Each preset, its ranks on two hosts."""
        gloo = "gloo (hosts n1, n2, with one rank each)"
        both = "hierarchical (shared memory on each of the hosts n1, n2"
        self.sameLosses("aggregation", "all_reduce", 1, gloo, world_size=2)
        self.sameLosses("aggregation", "all_reduce", 2, both)
        self.sameLosses("optimizers", "SGD", 1, gloo, strategy__name="data", world_size=2)
        self.sameLosses("partitioning", "by-label", 2, both)
        self.sameLosses("scaling", "4", 2, both)
        self.sameLosses("model-parallel", "p2p", 1, gloo)
        self.sameLosses("model-parallel", "tensor", 1, gloo)
        self.sameLosses("model-parallel", "grid", 2, both)
        self.sameLosses("sharding", "zero-3", 2, both)
        self.sameLosses("collectives", "ring", 2, both, sweep__max_bytes=65536)
        self.sameLosses("gpt", "small", 1, gloo, strategy__name="data", world_size=2)
        self.sameLosses("mixed-precision", "bfloat16", 1, gloo, strategy__name="data", world_size=2, train__dtype="float32",
                        verify="false")
        self.sameLosses("schedules", "cosine", 1, gloo, strategy__name="data", world_size=2)
        self.sameLosses("bucketing", "buckets", 1, gloo)
        self.sameLosses("backends", "gloo", 1, "gloo (hosts n1, n2)", world_size=2)
        self.sameLosses("offload", "disk", 1, gloo, world_size=2)

    def fourHosts(self):
        four = "gloo (hosts n1, n2, n3, n4, with one rank each)"
        self.sameLosses("aggregation", "all_reduce", 1, four)
        self.sameLosses("aggregation", "ring", 1, four)
        self.sameLosses("model-parallel", "grid", 1, four)

    def mpirun(self):
        """The files of `lockstep launch --as mpirun`, started on n1; mpirun reaches n2 by ssh."""
        words = words_of("aggregation", "all_reduce", 20, {"world_size": 4})
        here = subprocess.run([self.lockstep, *words, "--store", self.store()], capture_output=True, text=True, check=False)
        job = self.path("job")
        subprocess.run([self.lockstep, "launch", *[word for word in words[1:] if word != "--json"], "--as", "mpirun", "--hosts",
                        self.allHosts(2), "--out", job], capture_output=True, check=True)
        started = self.hosts[0].start(["sh", os.path.join(job, "job.sh")], {
            **self.environment("config"), "LOCKSTEP_RANK": self.rank, "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        _, error = started.communicate(timeout=120)
        exported, _ = self.exported(os.path.join(job, "records", "01-all-reduce"))
        if started.returncode != 0 or isinstance(exported, str):
            self.check("mpirun", False, "%s\n%s" % (error, exported))
            return
        expected = self.losses(here.stdout)
        found = exported["result"]["runs"][0]["series"]["loss"]["value"]
        worst = max([abs(a - b) / abs(b) for a, b in zip(found, expected)], default=1)
        self.check("mpirun on n1 and n2, 2 ranks each: the largest relative difference is %.1e" % worst,
                   len(found) == len(expected) and worst <= 1e-12, error)

    def refusals(self):
        for config, line in (("config-changed", "Host key verification failed."), ("config-denied", "Permission denied")):
            process, _ = self.run(2, 20, config=config)
            _, error = process.communicate(timeout=60)
            isRight = process.returncode == 3 and "cannot be started on n" in error and line in error
            self.check("%s: OpenSSH's line is shown" % config, isRight, error)
            self.check("%s: nothing is left" % config, self.noneIsLeftAfter(5), self.left())


def main():
    why = unlessAsked() or whyNot() or ("" if os.path.exists(SSHD) and shutil.which("ssh-keyscan") else "needs openssh-server")
    if why:
        print("skipped: the laboratory cluster %s" % why)
        return SKIPPED
    with Cluster(3, "%dmbit" % (RATE * 8)) as cluster:
        tests = SshTests(os.path.abspath(sys.argv[1]), cluster)
        tests.startDaemons()
        tests.listing()
        tests.measuring()
        tests.presets()
        tests.mpirun()
        tests.refusals()
        tests.resuming(isShared=True)
        tests.resuming(isShared=False)
        tests.losing()
    failures = list(tests.failures)
    with Cluster(5) as cluster:
        tests = SshTests(os.path.abspath(sys.argv[1]), cluster)
        tests.startDaemons()
        tests.fourHosts()
    return 1 if failures + tests.failures else 0


if __name__ == "__main__":
    sys.exit(main())
