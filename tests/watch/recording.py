"""Reads what resources/python/lockstep.py has recorded: rows of steps, names of curves, and what was seen."""

import json
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "python"))
import lockstep


def column(table, slot, code):
    start = table._target(slot)
    if not start:
        return []
    size = struct.unpack_from("<I", table._data, start)[0]
    return list(struct.unpack_from(f"<{size}{code}", table._data, start + 4))


def phases(table):
    """The time of each phase, by row."""
    start = table._target(8)
    count = struct.unpack_from("<I", table._data, start)[0]
    places = [start + 4 + 4 * i for i in range(count)]
    tables = [lockstep.Table(table._data, place + struct.unpack_from("<I", table._data, place)[0]) for place in places]
    return list(zip(*(column(each, 0, "q") for each in tables)))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    found = {"steps": [], "metrics": {}, "logs": [], "evaluations": [], "watch": {}, "outcome": None, "message": ""}
    while data:
        size = struct.unpack_from("<I", data)[0]
        kind, table = lockstep.read_frame(data[4:4 + size])
        data = data[4 + size:]
        if kind == lockstep.HELLO:
            found["rank"], found["world"] = table.number(2, "i"), table.number(3, "i")
        elif kind == lockstep.STEPS:
            names = ("step", "end", "wall", "samples")
            columns = [column(table, slot, "q") for slot in range(4)] + [column(table, slot, "d") for slot in (5, 6)]
            for *row, each in zip(*columns, phases(table)):
                found["steps"].append(dict(zip((*names, "loss", "lr"), row), phases=dict(zip(lockstep.PHASES, each))))
        elif kind == lockstep.METRICS:
            found["metrics"].setdefault(table.text(4), []).extend(column(table, 3, "d"))
        elif kind == lockstep.EVALUATION:
            found["evaluations"].append(table.number(4, "d"))
        elif kind == lockstep.LOG:
            text = table.text(2)
            if text.startswith("watch: "):
                found["watch"] = json.loads(text[7:])
            else:
                found["logs"].append(text)
        elif kind == lockstep.GOODBYE:
            found["outcome"], found["message"] = table.number(0, "B"), table.text(2)
    return found


if __name__ == "__main__":
    recorded = read(sys.argv[1])
    for row in recorded.pop("steps"):
        print(row)
    print(json.dumps(recorded, indent=1))
