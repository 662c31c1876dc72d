#!/usr/bin/env python3
"""Two hosts exchange arrays over one TCP connection, both ways at once: what a link gives to whoever uses nothing else.

    plain_exchange.py ADDRESS PORT BYTES CALLS [--listen]     prints the median time of an exchange in µs
"""
import argparse
import socket
import statistics
import threading
import time


def connected(options):
    if options.listen:
        with socket.create_server((options.address, options.port)) as server:
            server.settimeout(30)
            return server.accept()[0]
    for _ in range(100):
        try:
            return socket.create_connection((options.address, options.port), timeout=5)
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise SystemExit("%s does not listen" % options.address)


def exchange(connection, sent, received):
    failures = []

    def send():
        try:
            connection.sendall(sent)
        except OSError as error:
            failures.append(error)

    sender = threading.Thread(target=send)
    sender.start()
    space = memoryview(received)
    while space:
        count = connection.recv_into(space)
        if count == 0:
            raise SystemExit("the other host has closed the connection")
        space = space[count:]
    sender.join()
    if failures:
        raise failures[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("port", type=int)
    parser.add_argument("bytes", type=int)
    parser.add_argument("calls", type=int)
    parser.add_argument("--listen", action="store_true")
    options = parser.parse_args()
    sent, received = bytes(options.bytes), bytearray(options.bytes)
    times = []
    with connected(options) as connection:
        connection.settimeout(60)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(options.calls):
            exchange(connection, b"x", bytearray(1))  # as a collective does, both begin together
            begin = time.monotonic_ns()
            exchange(connection, sent, received)
            times.append((time.monotonic_ns() - begin) / 1e3)
    print(statistics.median(times))


if __name__ == "__main__":
    main()
