"""Prints, as JSON, the parameters that a script declares with lockstep.parameter(...). Reads the script, never runs it:
started as `python3 -I -c TEXT SCRIPT` by the workbench."""

import ast
import json
import os
import stat
import sys

MOST_BYTES = 1 << 20
KEYWORDS = ("name", "default", "help", "minimum", "maximum", "choices")


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def read(path):
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            fail("it is not a file")
        text = file.read(MOST_BYTES + 1)
    if len(text) > MOST_BYTES:
        fail("it is larger than 1 MiB")
    return text


def imported(tree):
    """The names by which the script knows the module, and those by which it knows the function."""
    modules = set()
    functions = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules.update(each.asname or each.name for each in node.names if each.name == "lockstep")
        elif isinstance(node, ast.ImportFrom) and node.module == "lockstep" and node.level == 0:
            functions.update(each.asname or each.name for each in node.names if each.name == "parameter")
    return modules, functions


def calls(tree):
    modules, functions = imported(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        is_function = isinstance(called, ast.Name) and called.id in functions
        is_method = (isinstance(called, ast.Attribute) and called.attr == "parameter"
                     and isinstance(called.value, ast.Name) and called.value.id in modules)
        if is_function or is_method:
            yield node


def declared(call):
    given = dict(zip(KEYWORDS, call.args))
    given.update((each.arg, each.value) for each in call.keywords)
    values = {}
    for keyword, node in given.items():
        try:
            values[keyword] = ast.literal_eval(node)
        except (ValueError, TypeError):
            fail(f"line {call.lineno}: parameter(): {keyword or '**'} must be written as a literal, because the script "
                 f"is read without running it")
    name = values.get("name")
    default = values.get("default")
    if not isinstance(name, str) or not name.isidentifier() or not name.isascii() or len(name) > 64:
        fail(f"line {call.lineno}: parameter(): {name!r} is not a name of letters, digits and _")
    if type(default) not in (bool, int, float, str):
        fail(f"line {call.lineno}: parameter(): the default of {name} must be a boolean, a number or a string")
    choices = values.get("choices")
    return {"name": name, "default": default, "type": type(default).__name__, "help": str(values.get("help", "")),
            "minimum": values.get("minimum"), "maximum": values.get("maximum"),
            "choices": list(choices) if isinstance(choices, (list, tuple)) else None}


def main(path):
    try:
        tree = ast.parse(read(path), path)
        found = {}
        for call in sorted(calls(tree), key=lambda each: each.lineno):
            entry = declared(call)
            if found.setdefault(entry["name"], entry) != entry:
                fail(f"line {call.lineno}: parameter(): {entry['name']} is declared twice, in different ways")
        print(json.dumps(list(found.values())))
    except SyntaxError as error:
        fail(f"line {error.lineno}: {error.msg}")
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        fail(str(getattr(error, "strerror", None) or error))


main(sys.argv[1])
