#!/usr/bin/env python3
"""perfetto_rules.py TRACE.zip...: checks traces of `lockstep export --format perfetto` against the documented rules of
Perfetto (docs/getting-started/other-formats.md, docs/concepts and the JSON importer of google/perfetto).

A plain TAR whose names have at most 99 characters, with a manifest that names every trace in it; each trace valid JSON
(RFC 8259: no NaN) of Chrome's format; complete events of one thread nest; times and durations are not negative; every
flow has one start and one end, in this order, each within a slice of its thread; counters are numbers; every process and
thread with slices is named. Perfetto's own reader needs a download and is not run. Prints one line a trace.
"""

import collections
import json
import sys
import zipfile

MOST_LETTERS = 99
ROUNDING = 1e-3  # µs: times have three decimals


def fail(text):
    raise SystemExit(f"perfetto_rules.py: {text}")


def no_constant(name):
    fail(f"{name} is no JSON")


def check_nesting(thread, slices):
    open_ends = []
    for start, end in sorted(slices, key=lambda each: (each[0], -each[1])):
        while open_ends and open_ends[-1] <= start + ROUNDING:
            open_ends.pop()
        if open_ends and end > open_ends[-1] + ROUNDING:
            fail(f"thread {thread}: {start} to {end} crosses the end of a slice at {open_ends[-1]}")
        open_ends.append(end)


def check_flows(flows, slices):
    for number, events in flows.items():
        kinds = [event["ph"] for event in sorted(events, key=lambda event: event["ts"])]
        if kinds != ["s", "f"]:
            fail(f"flow {number} has {kinds}, not one start and one end")
        for event in events:
            if not any(start - ROUNDING <= event["ts"] <= end + ROUNDING for start, end in slices[event["tid"]]):
                fail(f"flow {number}: its {event['ph']} at {event['ts']} is in no slice of thread {event['tid']}")


def check_trace(text):
    trace = json.loads(text, parse_constant=no_constant)
    slices = collections.defaultdict(list)
    flows = collections.defaultdict(list)
    named = set()
    counters = 0
    for event in trace["traceEvents"]:
        if event["ts"] < 0 or not isinstance(event["pid"], int) or not isinstance(event["tid"], int):
            fail(f"bad time, process or thread: {event}")
        if event["ph"] == "X":
            if event["dur"] < 0 or not event["name"]:
                fail(f"bad slice: {event}")
            slices[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
        elif event["ph"] in "sf":
            flows[event["cat"], event["id"]].append(event)
        elif event["ph"] == "C":
            counters += 1
            if not all(isinstance(value, (int, float)) for value in event["args"].values()):
                fail(f"a counter is no number: {event}")
        elif event["ph"] == "M":
            named.add((event["name"], event["tid"] if event["name"] == "thread_name" else event["pid"]))
        elif event["ph"] != "i":
            fail(f"unknown kind of event: {event}")
    for thread, of_thread in slices.items():
        if ("thread_name", thread) not in named:
            fail(f"thread {thread} has no name")
        check_nesting(thread, of_thread)
    check_flows(flows, slices)
    return sum(map(len, slices.values())), len(flows), counters


def check(path):
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name in members:
        if len(name) > MOST_LETTERS:
            fail(f"{name} has more than {MOST_LETTERS} characters")
    manifest = json.loads(members.pop("perfetto_manifest.json"), parse_constant=no_constant)["perfetto_manifest"]
    if manifest["version"] != 1 or sorted(each["path"] for each in manifest["files"]) != sorted(members):
        fail(f"the manifest of {path} does not name what is there")
    for name, text in members.items():
        slices, flows, counters = check_trace(text)
        print(f"{path}: {slices} slices, {flows} flows, {counters} counter values")


if __name__ == "__main__":
    for trace in sys.argv[1:]:
        check(trace)
