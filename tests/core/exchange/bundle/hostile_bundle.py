"""Makes a bundle that must be refused: hostile_bundle.py KIND GOOD OUT. GOOD is a whole bundle."""
import json
import os
import sqlite3
import struct
import sys
import tempfile
import warnings
import zipfile

kind, good, out = sys.argv[1:]
warnings.simplefilter("ignore")  # of doubles

with zipfile.ZipFile(good) as archive:
    members = [(name, archive.read(name)) for name in archive.namelist()]
run = next(name for name, _ in members if name.startswith("runs/"))


def database(change, last=False):
    """The bundle with the first (or last) run's database changed by SQL statements."""
    name = [each for each, _ in members if each.startswith("runs/")][-1 if last else 0]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.run")
        with open(path, "wb") as file:
            file.write(dict(members)[name])
        connection = sqlite3.connect(path)
        change(connection)
        connection.commit()
        connection.close()
        with open(path, "rb") as file:
            content = file.read()
    return [(each, content if each == name else old) for each, old in members]


def sql(*statements, last=False):
    return lambda: database(lambda connection: [connection.execute(each) for each in statements], last)


def manifest(change):
    content = json.loads(dict(members)["bundle.json"])
    change(content)
    return [(name, json.dumps(content).encode() if name == "bundle.json" else old) for name, old in members]


def link():
    info = zipfile.ZipInfo("link")
    info.create_system = 3
    info.external_attr = 0o120777 << 16
    return members + [(info, b"/etc/passwd")]


def patched(find, replace, count=-1):
    """The good bundle's bytes, changed."""
    with open(good, "rb") as file:
        content = file.read()
    assert find in content
    return content.replace(find, replace, count)


def with_size(size):
    """The first member's unpacked size, as the directory at the end tells it."""
    with open(good, "rb") as file:
        content = bytearray(file.read())
    entry = content.index(b"PK\x01\x02")
    struct.pack_into("<I", content, entry + 24, size)
    return bytes(content)


def huge():
    """Two members of 3 GiB each, as the directory tells it."""
    with open(good, "rb") as file:
        content = bytearray(file.read())
    entry = -1
    for _ in range(2):
        entry = content.index(b"PK\x01\x02", entry + 1)
        struct.pack_into("<II", content, entry + 20, 3 << 30, 3 << 30)
    return bytes(content)


def damaged_page():
    content = bytearray(dict(members)[run])
    content[4096 : 4096 + 200] = os.urandom(200)
    return [(name, bytes(content) if name == run else old) for name, old in members]


def with_view(**entries):
    """The bundle with a saved view."""
    view = {"beside": "", "charts": {}, "name": "loss", "opening": "loss", "runs": [run[5:-4]], "view": 1, **entries}
    return manifest(lambda content: content.update(version=2, views=["views/1.json"])) + [
        ("views/1.json", json.dumps(view).encode())]


def half():
    with open(good, "rb") as file:
        content = file.read()
    return content[: len(content) // 2]


kinds = {
    "absolute": lambda: members + [("/tmp/lockstep-evil", b"x")],
    "parent": lambda: members + [("runs/../../evil", b"x")],
    "backslash": lambda: members + [("runs\\..\\evil", b"x")],
    "link": link,
    "double": lambda: members + [members[-1]],
    "many": lambda: members + [(f"m{number}", b"") for number in range(10_001)],
    "ratio": lambda: members + [("zeros", bytes(10_000_000))],
    "huge": huge,
    "size lies": lambda: with_size(len(members[0][1]) - 10),
    "newer": lambda: manifest(lambda content: content.update(version=3)),
    "no manifest": lambda: members[1:],
    "extra member": lambda: members + [("more.txt", b"x")],
    "missing run": lambda: [each for each in members if each[0] != run],
    "manifest is no json": lambda: [("bundle.json", b"{")] + members[1:],
    "cut short": half,
    "no zip": lambda: b"this is no archive",
    "spec": lambda: [(name, b'{"version":1,"rank.frob":1}' if name == "spec.json" else old) for name, old in members],
    "saved view of another run": lambda: with_view(runs=["20200101-000000-aaaa"]),
    "saved view of a newer version": lambda: with_view(view=2),
    "saved view with more": lambda: with_view(program="python3 x.py"),
    "saved view with an escape": lambda: with_view(name="a\x1b[2K"),
    "saved view, large": lambda: with_view(charts={"x": os.urandom(1 << 20).hex()}),
    "view": sql("CREATE VIEW v AS SELECT * FROM meta"),
    "view for a table": sql("DROP TABLE logs", "CREATE VIEW logs AS SELECT 0 AS delta"),
    "trigger": sql("CREATE TRIGGER t AFTER INSERT ON steps BEGIN DELETE FROM meta; END"),
    "index": sql("CREATE INDEX i ON steps(delta)"),
    "generated column": sql("DROP TABLE logs",
                            "CREATE TABLE logs(delta INTEGER, rank INTEGER AS (length(zeroblob(1000000000))))"),
    "check": sql("CREATE TABLE more(x INTEGER CHECK (randomblob(1000000000) IS NOT NULL))"),
    "virtual table": sql("CREATE VIRTUAL TABLE more USING rtree(id, a, b)"),
    "rank": sql("UPDATE hellos SET rank = -7"),
    "phase": sql("UPDATE spans SET phase = zeroblob(length(phase) - 1) || x'c8'"),
    "state": sql("UPDATE ranks SET state = 99"),
    "other run": sql("UPDATE meta SET value = '20200101-000000-aaaa' WHERE key = 'id'"),
    "format": sql("UPDATE meta SET value = '9' WHERE key = 'format'"),
    "damaged page": damaged_page,
    "last run": sql("CREATE VIEW v AS SELECT 1", last=True),
}

made = kinds[kind]()
if isinstance(made, bytes):
    with open(out, "wb") as file:
        file.write(made)
else:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in made:
            if isinstance(name, str):
                # ZipInfo's constructor would mend a name.
                info = zipfile.ZipInfo("x")
                info.filename = name
                info.compress_type = zipfile.ZIP_DEFLATED
            else:
                info = name
            archive.writestr(info, content)
