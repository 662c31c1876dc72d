"""Prints, as JSON, the parameters that a script declares: with lockstep.parameter(...), and the arguments of its
command line (argparse, click, the dataclasses of tyro and HfArgumentParser), which have a flag. Reads the script, never
runs it: started as `python3 -I -c TEXT SCRIPT` by the workbench.

`flag`: "--lr", or null for lockstep.parameter; `switch`: how a boolean is given: "value" (`--amp True`), "on" (the flag
alone, if true), "off" (the flag alone, if false), "pair" (the flag, or `negative`)."""

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
            "choices": list(choices) if isinstance(choices, (list, tuple)) else None, "flag": None, "switch": "value",
            "negative": ""}


# ---- arguments of the command line -----------------------------------------------------------------------------------
#
# What cannot be read without running the script (no default, a default that is computed) is left out.

TYPES = {"int": int, "float": float, "str": str, "bool": bool}


class Unknown(Exception):
    """Of an argument that cannot be a setting."""


def literal(node, otherwise=None):
    if node is None:
        return otherwise
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return otherwise


def word(node):
    """The last name of `click.Choice` or `int`; empty for anything else."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def keywords(call):
    return {each.arg: each.value for each in call.keywords if each.arg}


def argument(flag, default, kind, help="", choices=None, minimum=None, maximum=None, switch="value", negative="",
             name=""):
    """`kind`: the name of the type where it is written; the default is given as that type."""
    name = name or flag.lstrip("-").replace("-", "_")
    try:
        if kind in TYPES and default is not None and not (kind == "bool" and not isinstance(default, bool)):
            default = TYPES[kind](default)
    except (TypeError, ValueError):
        raise Unknown from None
    if type(default) not in (bool, int, float, str) or not name.isidentifier() or not name.isascii() or len(name) > 64:
        raise Unknown
    kind = type(default)
    if isinstance(choices, (list, tuple)) and all(isinstance(each, (int, float, str)) for each in choices):
        choices = [float(each) if kind is float else each for each in choices if kind is float or type(each) is kind]
        choices = choices if default in choices else None
    else:
        choices = None
    return {"name": name, "default": default, "type": kind.__name__, "help": help if isinstance(help, str) else "",
            "minimum": minimum, "maximum": maximum, "choices": choices, "flag": flag, "switch": switch,
            "negative": negative}


def long_option(texts):
    options = [each for each in texts if isinstance(each, str) and each.startswith("-")]
    if not options:
        raise Unknown  # a place on the command line, not a flag
    return next((each for each in options if each.startswith("--")), options[0])


def of_argparse(call, defaults):
    given = keywords(call)
    flag = long_option([literal(each) for each in call.args])
    name = literal(given.get("dest"), "") or flag.lstrip("-").replace("-", "_")
    action = literal(given.get("action"), "") or word(given.get("action"))
    help = literal(given.get("help"), "")
    if action in ("store_true", "store_false"):
        default = literal(given.get("default"), action == "store_false")
        return argument(flag, defaults.get(name, default), "", help, name=name,
                        switch="on" if action == "store_true" else "off")
    default = defaults.get(name, literal(given.get("default")))
    if action == "BooleanOptionalAction":
        return argument(flag, default, "bool", help, name=name, switch="pair", negative="--no-" + flag.lstrip("-"))
    if action not in ("", "store") or "nargs" in given:
        raise Unknown
    return argument(flag, default, word(given.get("type")), help, literal(given.get("choices")), name=name)


def of_click(call):
    given = keywords(call)
    texts = [literal(each) for each in call.args]
    flag, _, negative = long_option(texts).partition("/")
    name = next((each for each in texts if isinstance(each, str) and each.isidentifier()), "")
    default = literal(given.get("default"))
    help = literal(given.get("help"), "")
    if negative:
        return argument(flag.strip(), default or False, "", help, name=name, switch="pair", negative=negative.strip())
    if literal(given.get("is_flag"), False):
        default = bool(default)
        return argument(flag, default, "", help, name=name, switch="off" if default else "on")
    if any(literal(given.get(each), False) not in (False, 1) for each in ("multiple", "nargs", "count")):
        raise Unknown
    kind = given.get("type")
    limits = {"choices": None, "minimum": None, "maximum": None}
    if isinstance(kind, ast.Call):
        inner = keywords(kind)
        if word(kind.func) == "Choice":
            limits["choices"] = literal(kind.args[0]) if kind.args else None
        elif word(kind.func) in ("IntRange", "FloatRange"):
            for place, (limit, key) in enumerate((("minimum", "min"), ("maximum", "max"))):
                limits[limit] = literal(kind.args[place] if len(kind.args) > place else inner.get(key))
        kind = {"IntRange": "int", "FloatRange": "float"}.get(word(kind.func), "")
    else:
        kind = word(kind).lower().replace("string", "str")
    return argument(flag, default, kind, help, name=name, **limits)


def of_field(name, annotation, default, is_tyro):
    """A field of a dataclass, or a parameter of a function that tyro calls."""
    help = ""
    if isinstance(default, ast.Call) and word(default.func) == "field":
        given = keywords(default)
        metadata = literal(given.get("metadata"), {})
        help = metadata.get("help", "") if isinstance(metadata, dict) else ""
        default = given.get("default")
    kind, choices = word(annotation), None
    if isinstance(annotation, ast.Subscript) and word(annotation.value) == "Literal":
        choices = literal(annotation.slice)
        choices = choices if isinstance(choices, tuple) else (choices,)
    value = literal(default)
    if value is None or (choices is None and kind not in TYPES):
        raise Unknown
    is_pair = is_tyro and kind == "bool"
    return argument("--" + name, value, kind, help, choices, switch="pair" if is_pair else "value",
                    negative="--no-" + name if is_pair else "")


def of_dataclasses(tree):
    """The classes (for tyro functions too) whose names are handed to tyro.cli or HfArgumentParser."""
    named = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and word(node.func) in ("cli", "HfArgumentParser") and node.args:
            is_tyro = word(node.func) == "cli"
            if is_tyro and not (isinstance(node.func, ast.Attribute) and word(node.func.value) == "tyro"):
                continue
            first = node.args[0]
            for each in first.elts if isinstance(first, (ast.Tuple, ast.List)) else [first]:
                named[word(each)] = is_tyro
    for node in ast.walk(tree):
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name not in named:
            continue
        if isinstance(node, ast.ClassDef):
            fields = [(each.lineno, each.target.id, each.annotation, each.value) for each in node.body
                      if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
        else:
            places = node.args.args
            fields = [(each.lineno, each.arg, each.annotation, value) for each, value in
                      [*zip(places[len(places) - len(node.args.defaults):], node.args.defaults),
                       *zip(node.args.kwonlyargs, node.args.kw_defaults)]]
        for line, name, annotation, default in fields:
            yield line, lambda name=name, annotation=annotation, default=default, is_tyro=named[node.name]: of_field(
                name, annotation, default, is_tyro)


def arguments(tree):
    """Arguments of the command line, in the order of the script."""
    has_click = any(isinstance(node, (ast.Import, ast.ImportFrom)) and any(
        "click" in (each.name, getattr(node, "module", "")) for each in node.names) for node in ast.walk(tree))
    defaults = {}
    found = list(of_dataclasses(tree))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Attribute) and node.func.attr == "set_defaults":
            defaults.update((name, literal(value)) for name, value in keywords(node).items())
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            found.append((node.lineno, lambda node=node: of_argparse(node, defaults)))
        elif has_click and word(node.func) == "option":
            found.append((node.lineno, lambda node=node: of_click(node)))
    for _, read_one in sorted(found, key=lambda each: each[0]):
        try:
            yield read_one()
        except Unknown:
            pass


def main(path):
    try:
        tree = ast.parse(read(path), path)
        found = {}
        for call in sorted(calls(tree), key=lambda each: each.lineno):
            entry = declared(call)
            if found.setdefault(entry["name"], entry) != entry:
                fail(f"line {call.lineno}: parameter(): {entry['name']} is declared twice, in different ways")
        for entry in arguments(tree):
            found.setdefault(entry["name"], entry)
        print(json.dumps(list(found.values())))
    except SyntaxError as error:
        fail(f"line {error.lineno}: {error.msg}")
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        fail(str(getattr(error, "strerror", None) or error))


main(sys.argv[1])
