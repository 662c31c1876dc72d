#!/usr/bin/env python3
"""A laboratory cluster on one machine: hosts out of network, PID, UTS and IPC namespaces, joined by a bridge.

    cluster.py --hosts 2 [--rate 1gbit] -- COMMAND...     runs COMMAND on each host at once, with HOST_NUMBER set
    cluster.py --test BUILD_DIR                           the tests (needs root; exits with 77 where it cannot run)

Each host has its own network (10.77.0.1, 10.77.0.2, ...), its own processes and its own name (n1, n2, ...). With
--rate the link of each host is limited by tc's tbf. Everything ends with the script.
"""
import argparse
import contextlib
import os
import secrets
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import json

SKIPPED = 77
PREFIX = "lk%d" % os.getpid()
AHEAD = 11  # seconds


def ip(*words):
    subprocess.run(["ip", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Host:
    def __init__(self, number, cluster):
        self.number = number
        self.name = "n%d" % number
        self.address = "10.77.0.%d" % number
        self.namespace = "%s-%s" % (PREFIX, self.name)
        self.link = "%sv%d" % (PREFIX, number)
        self.cluster = cluster
        self.first = None

    def boot(self):
        """Starts this host's first process, in whose namespaces the others run."""
        ready = 'mount --make-rprivate / && mount -t proc proc /proc && mount --bind "$2" /etc/hosts && hostname "$1"'
        self.first = subprocess.Popen(self.isolated(ready, ["sh", "-c", "echo up; exec sleep infinity"]),
                                      stdout=subprocess.PIPE, text=True)
        if self.first.stdout.readline() != "up\n":
            raise RuntimeError("%s does not start" % self.name)
        with open("/proc/%d/task/%d/children" % (self.first.pid, self.first.pid), encoding="utf-8") as file:
            self.init = file.read().split()[0]

    def shutDown(self):
        if self.first:
            self.first.kill()
            self.first.wait()

    def isolated(self, ready, words):
        return ["ip", "netns", "exec", self.namespace, "unshare", "--pid", "--fork", "--kill-child", "--mount", "--uts",
                "--ipc", "sh", "-c", ready + ' && shift 2 && exec "$@"', "sh", self.name, self.cluster.names, *words]

    def command(self, words, inContainer=False):
        """The words of a process on this host, which ends with its parent. It sees the processes of its host; in a
        container only itself, so that it shares memory with no other."""
        if inContainer:
            ready = 'mount --make-rprivate / && mount -t proc proc /proc && mount --bind "$2" /etc/hosts'
            return self.isolated(ready + ' && hostname "$1"', words)
        return ["nsenter", "--target", self.init, "--net", "--pid", "--mount", "--uts", "--ipc", "setpriv", "--pdeathsig",
                "KILL", *words]

    def start(self, words, environment=None, inContainer=False, **more):
        whole = {key: value for key, value in os.environ.items()
                 if not key.startswith(("SLURM_", "OMPI_", "PMI_", "LOCKSTEP_"))
                 and key not in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT")}
        whole.update(environment or {})
        whole.setdefault("OPENBLAS_NUM_THREADS", "1")
        whole.setdefault("OMP_NUM_THREADS", "1")
        return subprocess.Popen(self.command(words, inContainer), env=whole, text=True, **more)

    def unplug(self):
        ip("link", "set", self.link, "down")

    def plug(self):
        ip("link", "set", self.link, "up")


class Cluster(contextlib.AbstractContextManager):
    def __init__(self, hosts, rate=""):
        self.folder = tempfile.mkdtemp(prefix="lockstep-cluster-")
        self.names = os.path.join(self.folder, "hosts")
        self.bridge = PREFIX + "b"
        self.hosts = [Host(number + 1, self) for number in range(hosts)]
        self.rate = rate

    def __enter__(self):
        with open(self.names, "w", encoding="utf-8") as file:
            file.write("127.0.0.1 localhost\n")
            file.writelines("%s %s\n" % (host.address, host.name) for host in self.hosts)
        try:
            ip("link", "add", self.bridge, "type", "bridge")
            ip("link", "set", self.bridge, "up")
            for host in self.hosts:
                self.connect(host)
                host.boot()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def connect(self, host):
        ip("netns", "add", host.namespace)
        ip("link", "add", host.link, "type", "veth", "peer", "name", "eth0", "netns", host.namespace)
        ip("link", "set", host.link, "master", self.bridge, "up")
        ip("-n", host.namespace, "address", "add", host.address + "/24", "dev", "eth0")
        ip("-n", host.namespace, "link", "set", "eth0", "up")
        ip("-n", host.namespace, "link", "set", "lo", "up")
        if self.rate:
            # tbf cuts a packet of segmentation offload that is longer than its burst, and loses parts of it: with packets
            # of 64 KiB a plain TCP connection reached 85 % of 1 Gbit/s here. A longer burst would be a link that is faster
            # after each pause.
            ip("-n", host.namespace, "link", "set", "eth0", "gso_max_size", "16384")
            subprocess.run(["ip", "netns", "exec", host.namespace, "tc", "qdisc", "add", "dev", "eth0", "root", "tbf",
                            "rate", self.rate, "burst", "64kb", "latency", "50ms"], check=True)

    def __exit__(self, *_):
        for host in self.hosts:
            host.shutDown()
            subprocess.run(["ip", "netns", "delete", host.namespace], stderr=subprocess.DEVNULL, check=False)
            subprocess.run(["ip", "link", "delete", host.link], stderr=subprocess.DEVNULL, check=False)
        subprocess.run(["ip", "link", "delete", self.bridge], stderr=subprocess.DEVNULL, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
        return False


def unlessAsked():
    """Why it is skipped: it takes minutes, and nobody has asked for it; empty if somebody has."""
    return "" if os.environ.get("LOCKSTEP_CLUSTER") else "takes minutes: ./test --label cluster runs it"


def whyNot():
    """Why there can be no cluster here; empty if there can."""
    if os.geteuid() != 0:
        return "needs root"
    for program in ("ip", "unshare", "nsenter", "setpriv"):
        if shutil.which(program) is None:
            return "needs " + program
    probe = subprocess.run(["ip", "netns", "add", PREFIX + "-probe"], capture_output=True, check=False)
    if probe.returncode != 0:
        return "cannot make a network namespace"
    inner = subprocess.run(["ip", "netns", "exec", PREFIX + "-probe", "unshare", "--pid", "--fork", "--mount", "--uts",
                            "--ipc", "sh", "-c", "mount --make-rprivate / && mount -t proc proc /proc"],
                           capture_output=True, check=False)
    bridge = subprocess.run(["ip", "link", "add", PREFIX + "b", "type", "bridge"], capture_output=True, check=False)
    subprocess.run(["ip", "link", "delete", PREFIX + "b"], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "delete", PREFIX + "-probe"], capture_output=True, check=False)
    if inner.returncode != 0 or bridge.returncode != 0:
        return "cannot make PID and mount namespaces or a bridge"
    return ""


class Tests:
    def __init__(self, build):
        self.rank = os.path.join(build, "bin", "lockstep-rank")
        self.lockstep = os.path.join(build, "bin", "lockstep")
        self.failures = []

    def check(self, what, isRight, more=""):
        print("%s: %s%s" % ("ok" if isRight else "FAILED", what, "" if isRight else "\n" + str(more)), flush=True)
        if not isRight:
            self.failures.append(what)

    def spec(self, cluster, **settings):
        base = {"dataset.name": "digits", "dataset.train_samples": 320, "dataset.test_samples": 50, "net.name": "mlp",
                "net.hidden": 16, "train.batch": 16, "train.steps": 20, "train.dtype": "float64", "rank.bind": False,
                "strategy.name": "data", "world_size": 0}
        base.update({key.replace("__", "."): value for key, value in settings.items()})
        path = os.path.join(cluster.folder, "spec-%s.json" % secrets.token_hex(4))
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"version": 1, "experiment": "aggregation", "base": base}, file)
        return path

    def finish(self, processes, limit=60):
        """Exit codes and stderr of all; those that take too long are killed."""
        end = time.monotonic() + limit
        codes, texts = [], []
        for process in processes:
            try:
                _, error = process.communicate(timeout=max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                _, error = process.communicate()
                error += "\n(killed: took too long)"
            codes.append(process.returncode)
            texts.append(error)
        return codes, texts

    def exported(self, record):
        """All of the run as lockstep exports it after an import, and its file; or what went wrong."""
        store = record + ".store"
        environment = dict(os.environ, LOCKSTEP_STORE=store, QT_QPA_PLATFORM="offscreen")
        imported = subprocess.run([self.lockstep, "import", record], env=environment, capture_output=True, text=True,
                                  check=False)
        if imported.returncode != 0:
            return imported.stderr, ""
        identity = imported.stdout.split()[0]
        out = record + ".out"
        subprocess.run([self.lockstep, "export", identity, "--format", "json", "--out", out], env=environment,
                       capture_output=True, text=True, check=False)
        for file in os.listdir(out):
            with open(os.path.join(out, file), encoding="utf-8") as text:
                return json.load(text), os.path.join(store, identity + ".run")
        return "nothing was exported", ""

    def losses(self, record):
        """The run's losses by step."""
        exported, _ = self.exported(record)
        return exported if isinstance(exported, str) else exported["result"]["runs"][0]["series"]["loss"]["value"]

    def reference(self, cluster, spec, ranks):
        record = os.path.join(cluster.folder, "one-%s" % secrets.token_hex(4))
        done = subprocess.run([self.rank, "--spec", spec, "--local", str(ranks), "--record", record],
                              capture_output=True, text=True, check=False)
        return self.losses(record) if done.returncode == 0 else done.stderr

    def start(self, cluster, spec, record, places, environment, inContainers=False):
        """`places`: the words and variables of each rank, by its host."""
        processes = []
        for host, words, variables in places:
            processes.append(host.start([self.rank, "--spec", spec, "--record", record, *words],
                                        {**environment, **variables}, inContainers, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE))
        return processes

    def secret(self, cluster):
        path = os.path.join(cluster.folder, "secret")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(secrets.token_hex(32) + "\n")
        return {"LOCKSTEP_SECRET_FILE": path}

    def flags(self, cluster, ranks, where):
        return [(cluster.hosts[rank * len(cluster.hosts) // ranks],
                 ["--rank", str(rank), "--world-size", str(ranks), "--init-method", where], {}) for rank in range(ranks)]

    def sameLosses(self, cluster, name, spec, places, environment, expected, within=1e-12, over="", inContainers=False):
        """`over`: what the first rank has to say of how the ranks communicate."""
        record = os.path.join(cluster.folder, "run-%s" % secrets.token_hex(4))
        codes, texts = self.finish(self.start(cluster, spec, record, places, environment, inContainers))
        if any(codes):
            self.check(name, False, "\n".join(texts))
            return
        if over not in texts[0]:
            self.check(name, False, texts[0])
            return
        found = self.losses(record)
        isSame = isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected) and all(
            abs(a - b) <= within * abs(b) for a, b in zip(found, expected))
        self.check(name, isSame, "%s\n%s" % (found, expected))

    def meetings(self, cluster):
        """The ways in which ranks are started, with the losses of one host."""
        spec = self.spec(cluster)
        ranks = 2 * len(cluster.hosts)
        expected = self.reference(cluster, spec, ranks)
        environment = self.secret(cluster)
        first = cluster.hosts[0].name
        self.sameLosses(cluster, "tcp://, by hand", spec, self.flags(cluster, ranks, "tcp://%s:29500" % first),
                        environment, expected)
        self.sameLosses(cluster, "file://", spec, self.flags(cluster, ranks, "file://" + cluster.folder), {}, expected)
        self.sameLosses(cluster, "each rank in its own container", spec,
                        self.flags(cluster, ranks, "file://" + cluster.folder), {}, expected,
                        over="over gloo (hosts n1, n2, with one rank each)", inContainers=True)
        second = cluster.hosts[1].name
        self.sameLosses(cluster, "rank 0 is not on the master's host", spec,
                        self.flags(cluster, ranks, "tcp://%s:29501" % second), environment, expected)
        torchrun = [(cluster.hosts[rank // 2], [], {"RANK": str(rank), "WORLD_SIZE": str(ranks),
                                                    "LOCAL_RANK": str(rank % 2), "LOCAL_WORLD_SIZE": "2",
                                                    "GROUP_WORLD_SIZE": str(len(cluster.hosts)),
                                                    "TORCHELASTIC_RUN_ID": "test", "MASTER_ADDR": first,
                                                    "MASTER_PORT": "29502"}) for rank in range(ranks)]
        self.sameLosses(cluster, "torchrun's variables", spec, torchrun, environment, expected)
        srun = [(cluster.hosts[rank // 2], [], {"SLURM_PROCID": str(rank), "SLURM_STEP_NUM_TASKS": str(ranks),
                                                "SLURM_LOCALID": str(rank % 2), "SLURM_STEP_ID": "0",
                                                "SLURM_JOB_ID": "7", "SLURM_STEP_NUM_NODES": str(len(cluster.hosts)),
                                                "SLURM_STEP_NODELIST": "n[1-%d]" % len(cluster.hosts)})
                for rank in range(ranks)]
        self.sameLosses(cluster, "srun's variables", spec, srun, environment, expected)

    def hierarchies(self, cluster):
        """Shared memory on each host and the network between them, wherever the ranks are."""
        environment = self.secret(cluster)
        both = "over hierarchical (shared memory on each of the hosts n1, n2, gloo between them)"
        port = 29550
        for name, hosts, settings, over in (
                ("hierarchical, 2 x 2", (0, 0, 1, 1), {}, both),
                ("hierarchical, placed in turn", (0, 1, 0, 1), {"comm__backend": "hierarchical"}, both),
                ("hierarchical, 1 and 3", (0, 1, 1, 1), {}, both),
                ("hierarchical, in buckets", (0, 1, 1), {"comm__form": "buckets", "comm__bucket_kb": 1}, both),
                ("flat, as asked", (0, 0, 1, 1), {"comm__backend": "gloo"}, "over gloo (hosts n1, n2)"),
                ("one rank on each host", (0, 1), {}, "over gloo (hosts n1, n2, with one rank each)")):
            spec = self.spec(cluster, **settings)
            port += 1
            where = "tcp://%s:%d" % (cluster.hosts[0].name, port)
            places = [(cluster.hosts[host], ["--rank", str(rank), "--world-size", str(len(hosts)), "--init-method",
                                             where], {}) for rank, host in enumerate(hosts)]
            self.sameLosses(cluster, name, spec, places, environment, self.reference(cluster, spec, len(hosts)),
                            over=over)
        alone = subprocess.run([self.rank, "--spec", self.spec(cluster, comm__backend="hierarchical"), "--local", "2"],
                               capture_output=True, text=True, check=False)
        self.check("hierarchical on one host is shared memory", alone.returncode == 0 and
                   "shm (all ranks are on one host" in alone.stderr, alone.stderr)

    def clocks(self, cluster):
        """A host whose clock is 11 s ahead: times are right to within the error that is said."""
        environment = self.secret(cluster)
        spec = self.spec(cluster, train__steps=300, straggler__ranks=[1], straggler__delay_ms=3)
        for name, shifted, master, ahead in (("rank 1's clock is ahead", 1, 0, AHEAD),
                                             ("rank 0's clock is ahead, and the store is elsewhere", 0, 1, -AHEAD)):
            record = os.path.join(cluster.folder, "run-%s" % secrets.token_hex(4))
            where = "tcp://%s:%d" % (cluster.hosts[master].name, 29580 + master)
            processes = []
            for rank, host in enumerate(cluster.hosts):
                early = ["unshare", "--time", "--monotonic", str(AHEAD)] if rank == shifted else []
                processes.append(host.start([*early, self.rank, "--spec", spec, "--record", record, "--rank", str(rank),
                                             "--world-size", "2", "--init-method", where], environment,
                                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
            codes, texts = self.finish(processes)
            exported, file = self.exported(record) if not any(codes) else ("\n".join(texts), "")
            self.check(name, *self.isCorrected(exported, file, ahead))

    def isCorrected(self, exported, file, ahead):
        """Whether the times of rank 1 are on rank 0's clock, and waiting for it is told; else why not."""
        if isinstance(exported, str):
            return False, exported
        clocks = exported["result"]["runs"][0].get("clocks", [])
        if len(clocks) != 1 or clocks[0]["ranks"] != [1] or clocks[0]["measurements"] < 2:
            return False, clocks
        error = clocks[0]["error_ms"] * 1e6
        if error >= 100_000 or abs(clocks[0]["ahead_s"] - ahead) * 1e9 > error:
            return False, clocks
        own = []
        with sqlite3.connect(file) as database:
            for (starts,) in database.execute("SELECT start_ns FROM spans WHERE rank = 1"):
                own += struct.unpack("<%dq" % (len(starts) // 8), starts)
        table = exported["rows"]["spans"]
        rank, start = table["columns"].index("rank"), table["columns"].index("start_ns")
        moved = sorted(row[start] for row in table["rows"] if row[rank] == 1)
        off = max((abs(a - (b - ahead * 10**9)) for a, b in zip(moved, sorted(own))), default=error + 1)
        print("    clocks %s; spans are off by at most %.1f us" % (clocks, off / 1e3), flush=True)
        if len(moved) != len(own) or off > error:
            return False, "%d and %d spans, off by %d ns" % (len(moved), len(own), off)
        return self.isWaitTold(exported["rows"]["steps"])

    def isWaitTold(self, table):
        """Rank 0 waits for rank 1, which is 3 ms late in each step."""
        rank, wait, untold = (table["columns"].index(name) for name in ("rank", "wait_ns", "untold_ns"))
        rows = [row for row in table["rows"] if row[rank] == 0]
        waits = sorted(row[wait] for row in rows)
        isTold = len(rows) == 300 and sum(row[untold] == 0 for row in rows) > 290 and 2e6 < waits[150] < 6e6
        return isTold, "waits %s" % waits[::30]

    def strategies(self, cluster):
        environment = self.secret(cluster)
        port = 29510
        for name, ranks, settings in (
                ("zero", 2, {"strategy__name": "zero", "zero__stage": 3}),
                ("ring", 2, {"aggregation__algorithm": "ring"}),
                ("grid", 4, {"strategy__name": "grid", "net__name": "deep-mlp"})):
            spec = self.spec(cluster, **settings)
            port += 1
            self.sameLosses(cluster, name, spec,
                            self.flags(cluster, ranks, "tcp://%s:%d" % (cluster.hosts[0].name, port)), environment,
                            self.reference(cluster, spec, ranks))

    def refusals(self, cluster):
        """Traps: a line that names both sides, and no rank that waits for long."""
        environment = self.secret(cluster)
        spec = self.spec(cluster)
        where = "tcp://%s:29530" % cluster.hosts[0].name

        def refused(name, places, more, *parts, specs=(spec, spec)):
            begin = time.monotonic()
            processes = []
            for (host, words, variables), each in zip(places, specs):
                processes.append(host.start([self.rank, "--spec", each, *words], {**more, **variables},
                                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
            codes, texts = self.finish(processes, 30)
            isQuick = time.monotonic() - begin < 20
            self.check(name, all(codes) and isQuick and all(part in "".join(texts) for part in parts),
                       "%s %s" % (codes, texts))

        pair = self.flags(cluster, 2, where)
        refused("another spec on one host", pair, environment, "was started with a different spec than rank",
                specs=(spec, self.spec(cluster, train__seed=2)))
        waiting = self.start(cluster, spec, os.path.join(cluster.folder, "waits"), pair[:1], environment)
        time.sleep(2)
        refused("another secret on one host", [(pair[1][0], pair[1][1], self.otherSecret(cluster))], environment,
                "does not have this job's secret")
        time.sleep(5)
        waiting[0].kill()
        text = waiting[0].communicate()[1]
        self.check("who is missing is said while the others wait", "waiting for ranks 1 of 2 (5 s)" in text, text)
        refused("no secret", pair, {}, "need a secret in common")
        refused("an interface that a host lacks", pair, environment, "has no `eth7`; it has lo (127.0.0.1), eth0",
                specs=(self.spec(cluster, comm__interface="eth7"),) * 2)
        refused("what needs one host", pair, environment, "comm.backend: shm works on one host only",
                specs=(self.spec(cluster, comm__backend="shm"),) * 2)

    def otherSecret(self, cluster):
        path = os.path.join(cluster.folder, "other")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(secrets.token_hex(32) + "\n")
        return {"LOCKSTEP_SECRET_FILE": path}

    def losing(self, cluster):
        """A rank killed and a host unplugged: the others name it soon, and end."""
        environment = self.secret(cluster)
        spec = self.spec(cluster, train__steps=1000000)
        for name, port in (("a rank is killed", 29540), ("a host is unplugged", 29541)):
            record = os.path.join(cluster.folder, "lost-%d" % port)
            processes = self.start(cluster, spec, record,
                                   self.flags(cluster, 2, "tcp://%s:%d" % (cluster.hosts[0].name, port)), environment)
            self.awaitSteps(record + ".rank0")
            begin = time.monotonic()
            if "killed" in name:
                processes[1].kill()
            else:
                cluster.hosts[1].unplug()
            codes, texts = self.finish(processes, 12)
            took = time.monotonic() - begin
            named = "rank 1 (process" in texts[0] and ("has died" in texts[0] or "has not been heard" in texts[0])
            self.check("%s (%.1f s)" % (name, took), named and took < 10 and codes[0] == 3, "%s %s" % (codes, texts))
            cluster.hosts[1].plug()
        self.losingOneOfFour(cluster, environment, spec)
        self.hanging(cluster, environment)

    def hanging(self, cluster, environment):
        """A rank that hangs, but is not yet silent for so long that it counts as lost: the others name it by its number."""
        spec = self.spec(cluster, train__steps=1000000, comm__timeout_s=2)
        record = os.path.join(cluster.folder, "hangs")
        processes = self.start(cluster, spec, record,
                               self.flags(cluster, 4, "tcp://%s:29544" % cluster.hosts[0].name), environment)
        self.awaitSteps(record + ".rank0")
        victim = processes[3].pid
        with open("/proc/%d/task/%d/children" % (victim, victim), encoding="utf-8") as file:
            os.kill(int(file.read().split()[0]), signal.SIGSTOP)
        codes, texts = self.finish(processes[:3], 10)
        processes[3].kill()
        processes[3].communicate()
        text = "not all ranks have arrived within 2 s; here: 0, 1, 2; missing: 3"
        self.check("a rank that hangs is named", all(codes) and text in texts[2], "%s %s" % (codes, texts))

    def losingOneOfFour(self, cluster, environment, spec):
        """Of two hosts with two ranks each, a host's first and second rank: on both hosts its number is said."""
        for victim, port in ((2, 29542), (3, 29543)):
            record = os.path.join(cluster.folder, "lost-%d" % port)
            processes = self.start(cluster, spec, record,
                                   self.flags(cluster, 4, "tcp://%s:%d" % (cluster.hosts[0].name, port)), environment)
            self.awaitSteps(record + ".rank0")
            begin = time.monotonic()
            processes[victim].kill()
            codes, texts = self.finish(processes, 12)
            took = time.monotonic() - begin
            named = "rank %d (process" % victim
            isNamed = all(named in text for rank, text in enumerate(texts) if rank != victim)
            self.check("rank %d of 2 x 2 is killed (%.1f s)" % (victim, took), isNamed and took < 5, "%s %s" % (codes, texts))

    def awaitSteps(self, record):
        end = time.monotonic() + 30
        while time.monotonic() < end and (not os.path.exists(record) or os.path.getsize(record) < 100000):
            time.sleep(0.1)


def runTests(build):
    why = whyNot()
    if why:
        print("skipped: the laboratory cluster %s" % why)
        return SKIPPED
    tests = Tests(build)
    with Cluster(2) as cluster:
        tests.meetings(cluster)
        tests.hierarchies(cluster)
        tests.clocks(cluster)
        tests.strategies(cluster)
        tests.refusals(cluster)
        tests.losing(cluster)
    return 1 if tests.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--rate", default="")
    parser.add_argument("--test", metavar="BUILD_DIR")
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    if options.test:
        return runTests(os.path.abspath(options.test))
    with Cluster(options.hosts, options.rate) as cluster:
        started = [host.start(options.command, {"HOST_NUMBER": str(host.number - 1)}) for host in cluster.hosts]
        return max([abs(process.wait()) for process in started])


if __name__ == "__main__":
    sys.exit(main())
