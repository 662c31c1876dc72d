#!/usr/bin/env python3
"""`lockstep run --launch wait` on a laboratory cluster: ranks that others start reach the workbench over TLS.

    awaited_hosts.py BUILD_DIR      needs root; exits with 77 where it cannot run

Ranks are on n1 and n2, the workbench is on n3.
"""
import os
import re
import subprocess
import sys
import time

from cluster import Cluster, SKIPPED, whyNot
from ssh_hosts import HostTests


class AwaitedTests(HostTests):
    def startRun(self, words, slots):
        """The workbench, once it has written its file and the ranks have been started."""
        size = int(next((word[len("world_size="):] for word in words if word.startswith("world_size=")), 2 * slots))
        process, self.file = self.startWaiting(words)
        for rank in range(size):
            host = self.hosts[rank // slots]
            host.start([self.rank], {"LOCKSTEP_WORKBENCH": self.file, "RANK": str(rank), "WORLD_SIZE": str(size),
                                     "LOCAL_RANK": str(rank % slots), "MASTER_ADDR": self.hosts[0].address,
                                     "MASTER_PORT": "29500"},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return process

    def awaitRanks(self, process):
        """Until all have come: of one that has never come, nobody can know that it is lost."""
        come = 0
        end = time.monotonic() + 20
        for line in process.stderr:
            come += bool(re.search(r"rank \d of 2 has connected", line))
            if come == 2 or "step" in line or time.monotonic() > end:
                return

    def presets(self):
        self.sameLosses("aggregation", "all_reduce", 1, "gloo (hosts n1, n2", world_size=2)
        self.sameLosses("aggregation", "all_reduce", 2, "hierarchical (shared memory", world_size=4)

    def listening(self):
        """The workbench listens at the address that was given alone, and says nothing to who does not begin TLS."""
        process, _ = self.run(2, 1000000)
        self.awaitRun(process)
        listed = subprocess.run(["ip", "netns", "exec", self.workbench.namespace, "ss", "-H", "-ltn"],
                                capture_output=True, text=True, check=True)
        addresses = [line.split()[3] for line in listed.stdout.splitlines()]
        with open(self.file, encoding="utf-8") as file:
            told = re.search("LOCKSTEP_TELEMETRY=(.*)", file.read()).group(1)
        self.check("the workbench listens at %s alone" % told, addresses == [told], addresses)
        captured = subprocess.run(["ip", "netns", "exec", self.workbench.namespace, sys.executable, "-c", STRANGER, told],
                                  capture_output=True, check=False)
        self.check("a stranger without TLS is told nothing and cut off", captured.stdout == b"", captured)
        before = process.poll()
        process.kill()
        process.communicate()
        self.check("the run is not disturbed", before is None)
        self.check("the ranks end with their workbench", self.noneIsLeftAfter(5), self.left())


STRANGER = """
import socket, sys
host, port = sys.argv[1].rsplit(":", 1)
with socket.create_connection((host, int(port)), timeout=10) as stranger:
    stranger.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n" + bytes(1000))
    answer = b""
    try:
        while part := stranger.recv(4096):
            answer += part
    except ConnectionResetError:
        pass
    # An alert of TLS (21) is an answer that tells nothing.
    sys.stdout.buffer.write(b"" if answer[:1] in (b"", b"\\x15") else answer)
"""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    why = whyNot()
    if why:
        print("skipped: the laboratory cluster %s" % why)
        return SKIPPED
    with Cluster(3) as cluster:
        tests = AwaitedTests(os.path.abspath(sys.argv[1]), cluster)
        tests.presets()
        tests.listening()
        tests.resuming(isShared=False)
        tests.losing()
    return 1 if tests.failures else 0


if __name__ == "__main__":
    sys.exit(main())
