#!/usr/bin/env python3
"""Puts small faults (faults.py) into the plans, the analysis and the rules, and says which test notices each.

    tests/mutations/run.py [--work DIR] [--seconds N] [--faults 3,7-9] [--again] [--report FILE]

Copies the sources to DIR (default: build/mutations), with every fault behind a switch that an environment variable turns on: all
faults are compiled once. Then runs the rooms' tests for each fault until one fails. --seconds stops after that time (the
build not counted); the next call continues from there; with --again it also runs the faults again that nothing noticed. --report writes the table
of all results. Exit code 1 if a fault survives.

    tests/mutations/run.py --check

Only names the faults whose place is not in the sources exactly once. Exit code 1 if there are any.
"""
import argparse, json, os, re, shutil, subprocess, sys, time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
from faults import FAULTS

ROOT = Path(__file__).resolve().parents[2]
SWITCH = """#pragma once
#include <cstdlib>
#include <type_traits>
namespace mutation {
/// Also for what is initialised before main().
inline bool isNow(int fault)
{
    static const int active = [] { const char* text = std::getenv("LOCKSTEP_FAULT"); return text ? std::atoi(text) : 0; }();
    return active == fault;
}
constexpr bool is(int fault) { return !std::is_constant_evaluated() && isNow(fault); }
}
"""
TESTS = {
    "core/engine/comm/rules.cpp": [("tests_comm", "core/engine/comm", ["test_rules"])],
    "core/plan": [("tests_plan", "core/plan", None), ("tests_analysis", "core/analysis", None)],
    "core/analysis": [("tests_analysis", "core/analysis", None)],
}
CONSTANT = re.compile(r"^(\s*)(static )?constexpr (?=[^()]*[={])")


def key_of(fault):
    return " | ".join(fault)


def write_if_changed(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def parts_of(where):
    before, rest = where.split("«")
    return before, *rest.split("»")


def outdated():
    """What --check says of each fault whose place is missing or not unique."""
    lines = []
    for number, (name, where, _) in enumerate(FAULTS, 1):
        source = ROOT / name
        found = source.read_text().count("".join(parts_of(where))) if source.is_file() else 0
        if found != 1:
            lines.append(f"fault {number}: {name}: {where!r} is there {found} times" if source.is_file() else f"fault {number}: there is no {name}")
    return lines


def with_faults(path, text, numbered):
    """The text with each of the faults behind its switch."""
    edits = []
    for number, (_, where, new) in numbered:
        before, old, after = parts_of(where)
        if text.count(before + old + after) != 1:
            sys.exit(f"{path}: fault {number} is out of date: {before + old + after!r} is not there once")
        begin = text.index(before + old + after) + len(before)
        line = text.rindex("\n", 0, begin) + 1
        constant = CONSTANT.match(text[line:begin])
        switch = "isNow" if constant else "is"
        edits.append((begin, begin + len(old), f"(::mutation::{switch}({number}) ? ({new}) : ({old}))"))
        if constant:
            at = line + text[line:].index("constexpr")
            edits.append((at, at + len("constexpr"), "const"))
    for begin, end, put in sorted(set(edits), reverse=True):
        text = text[:begin] + put + text[end:]
    return '#include "mutation_switch.h"\n' + text


def copy_sources(folder):
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True)
    by_file = {}
    for number, fault in enumerate(FAULTS, 1):
        by_file.setdefault(fault[0], []).append((number, fault))
    for name in files.stdout.split("\n"):
        source, target = ROOT / name, folder / name
        if not name or not source.is_file():
            continue
        if name in by_file:
            write_if_changed(target, with_faults(name, source.read_text(), by_file[name]))
        elif not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
            target.touch()
    write_if_changed(folder / "core" / "mutation_switch.h", SWITCH)


def build(work):
    if not (work / "build" / "build.ninja").exists():
        subprocess.run(["cmake", "-S", work / "source", "-B", work / "build", "-G", "Ninja", "-DLOCKSTEP_RANK=OFF",
            "-DLOCKSTEP_DESKTOP=OFF", "-DCMAKE_CXX_FLAGS_RELEASE=-O0", "-DLOCKSTEP_WERROR=OFF"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", work / "build", "tests_plan", "tests_analysis", "tests_comm"], check=True,
        stdout=subprocess.DEVNULL)


def classes(work, program, folder, chosen):
    text = (work / "source" / "tests" / folder / "CMakeLists.txt").read_text()
    lists = re.findall(rf"lockstep_tests\({program}\s([^)]*)\)", text)
    return chosen or sorted({word for each in lists for word in each.split() if word.startswith("test_")})


def run_test(work, program, name, fault, limit):
    """None if it passes, else what noticed the fault."""
    environment = dict(os.environ, LOCKSTEP_FAULT=str(fault), QT_QPA_PLATFORM="offscreen")
    try:
        done = subprocess.run([work / "build" / "tests" / "bin" / program, name], env=environment, capture_output=True, text=True,
            timeout=limit, errors="replace")
    except subprocess.TimeoutExpired:
        return f"{name}: does not end"
    if done.returncode in (0, 77):
        return None
    failed = re.search(r"FAIL!  : \w+::(\w+)", done.stdout)
    return f"{name}: {failed.group(1) if failed else 'crashes'}"


def tests_of(work, file):
    room = next(folder for folder in TESTS if file.startswith(folder))
    return [(program, name) for program, folder, chosen in TESTS[room] for name in classes(work, program, folder, chosen)]


def measure(work, times):
    """How long each class takes without a fault; None if it fails then."""
    for program, name in {test for file, _, _ in FAULTS for test in tests_of(work, file)}:
        if name not in times:
            begin = time.monotonic()
            found = run_test(work, program, name, 0, 300)
            times[name] = time.monotonic() - begin if not found else None
            if found:
                print(f"{found}, without any fault: left out", flush=True)


def numbers(text):
    if not text:
        return range(1, len(FAULTS) + 1)
    parts = [part.split("-") for part in text.split(",")]
    return [number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)]


def report(path, caught):
    lines = ["# Mutations", "", "Written by tests/mutations/run.py --report: each fault of faults.py and the first test that noticed it.", "",
        "| | fault | instead of | noticed by |", "| --- | --- | --- | --- |"]
    code = lambda text: "`" + " ".join(text.split()).replace("|", "\\|") + "`"
    for number, fault in enumerate(FAULTS, 1):
        old = parts_of(fault[1])[1]
        found = caught.get(key_of(fault), "not run") or "**nothing**"
        lines.append(f"| {number} | {fault[0]}: {code(fault[2])} | {code(old)} | {found} |")
    Path(path).write_text("\n".join(lines) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--work", type=Path, default=ROOT / "build" / "mutations")
    options.add_argument("--seconds", type=float, default=1e9)
    options.add_argument("--faults", default="")
    options.add_argument("--again", action="store_true")
    options.add_argument("--report")
    options.add_argument("--check", action="store_true")
    options = options.parse_args()
    if options.check:
        lines = outdated()
        print("\n".join(lines + [f"{len(FAULTS)} faults, {len(lines)} out of date"]))
        return 1 if lines else 0
    results = options.work / "results.json"
    copy_sources(options.work / "source")
    build(options.work)
    known = json.loads(results.read_text()) if results.exists() else {"times": {}, "caught": {}}
    times, caught = known["times"], known["caught"]
    end = time.monotonic() + options.seconds
    measure(options.work, times)
    for number in numbers(options.faults):
        fault = FAULTS[number - 1]
        if time.monotonic() > end:
            break
        if not options.faults and key_of(fault) in caught and (caught[key_of(fault)] or not options.again):
            continue
        found = None
        tests = [test for test in tests_of(options.work, fault[0]) if times[test[1]] is not None]
        for program, name in sorted(tests, key=lambda test: times[test[1]]):
            found = found or run_test(options.work, program, name, number, 20 + 5 * times[name])
        caught[key_of(fault)] = found
        print(f"{number}: {fault[0]}: {fault[2]}: {found or 'NOTHING NOTICED IT'}", flush=True)
        results.write_text(json.dumps(known, indent=1))
    results.write_text(json.dumps(known, indent=1))
    left = [fault for fault in FAULTS if key_of(fault) not in caught]
    survivors = [fault for fault in FAULTS if key_of(fault) in caught and not caught[key_of(fault)]]
    print(f"{len(FAULTS)} faults: {len(FAULTS) - len(left) - len(survivors)} noticed, {len(survivors)} not, {len(left)} not run yet")
    if options.report:
        report(options.report, caught)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
