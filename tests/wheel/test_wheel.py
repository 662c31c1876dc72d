"""The Python package: what its entry point checks and passes on, its metadata and bytes, and `lockstep desktop`."""

import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOCKSTEP = os.path.abspath(sys.argv.pop())
sys.path.insert(0, str(ROOT / "packaging/wheel"))
sys.dont_write_bytecode = True
import assemble
from lockstep_workbench import start


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path


class EntryPoint(Folder):
    def test_missing_libraries_are_found(self):
        source = self.write("gone.cpp", "extern \"C\" int gone() { return 0; }\n")
        main = self.write("main.cpp", "extern \"C\" int gone();\nint main() { return gone(); }\n")
        library, program = self.folder / "libgone.so", self.folder / "main"
        subprocess.check_call(["c++", "-shared", "-fPIC", source, "-o", library])
        subprocess.check_call(["c++", main, f"-L{self.folder}", "-lgone", f"-Wl,-rpath,{self.folder}", "-o", program])
        self.assertEqual(start.missing_libraries(program), [])
        library.unlink()
        self.assertEqual(start.missing_libraries(program), ["libgone.so"])

    def test_advice_names_packages(self):
        self.assertEqual(start.advice(["libEGL.so.1"]),
                         "missing system libraries: libEGL.so.1; run: sudo apt-get install libegl1")
        self.assertEqual(start.advice(["libEGL.so.1", "libbrotlidec.so.1", "libxcb-cursor.so.0"]),
                         "missing system libraries: libEGL.so.1 and 1 more; run: sudo apt-get install libegl1 libxcb-cursor0")
        self.assertEqual(start.advice(["libunknown.so.1"]), "missing system libraries: libunknown.so.1")
        self.assertIn("PySide6_Essentials", start.advice(["libEGL.so.1", "libQt6Core.so.6"]))

    def test_x11_is_needed_for_windows_only(self):
        x11 = {"DISPLAY": ":0"}
        for words in ([], ["--lang", "zh"], ["--store", "runs"], ["a.lockstep"], ["./folder"]):
            self.assertTrue(start.opens_x11_window(words, x11), words)
        for words in (["doctor"], ["--lang", "zh", "runs"], ["--help"], ["--version"]):
            self.assertFalse(start.opens_x11_window(words, x11), words)
        for environment in ({}, {"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, {"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}):
            self.assertFalse(start.opens_x11_window([], environment), environment)

    def start(self, program):
        code = ("import pathlib, sys\nfrom lockstep_workbench import start\n"
                f"start.PROGRAM = pathlib.Path({str(program)!r})\nsys.exit(start.main())")
        environment = {"PYTHONPATH": str(ROOT / "packaging/wheel"), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"]}
        return environment, subprocess.run([sys.executable, "-c", code, "a b", "c"], env=environment, capture_output=True, text=True)

    def test_the_program_has_the_callers_environment(self):
        program = self.write("lockstep", "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$1\" \"$2\"\nexec env\n", 0o755)
        environment, ended = self.start(program)
        count, first, second, *variables = ended.stdout.splitlines()
        self.assertEqual((count, first, second), ("2", "a b", "c"))
        names = {each.split("=", 1)[0] for each in variables} - {"PWD", "_", "SHLVL", "OLDPWD", "LC_CTYPE"} # by the shell, Python
        self.assertEqual(names, set(environment))

    def test_a_program_that_does_not_start_is_reported(self):
        _, ended = self.start(self.folder / "gone")
        self.assertEqual(ended.returncode, 2)
        self.assertEqual(ended.stderr, f"lockstep: {self.folder}/gone does not start: No such file or directory\n")


class Package(Folder):
    project = {"name": "lockstep-workbench", "description": "d", "license": "GPL-3.0-or-later", "keywords": ["k"],
               "classifiers": [], "requires-python": ">=3.10", "dependencies": ["PySide6_Essentials>=6.4"],
               "readme": "pyproject.toml"}

    def test_the_extra_names_releases_with_ranks(self):
        text = assemble.metadata(self.project, ["2.11", "2.13", "2.14"])
        self.assertIn("\nRequires-Dist: torch>=2.11,<2.15,!=2.12.*; extra == 'torch'\n", text)
        self.assertIn("\nRequires-Dist: torch>=2.11,<2.12; extra == 'torch'\n", assemble.metadata(self.project, ["2.11"]))
        self.assertNotIn("torch", assemble.metadata(dict(self.project, readme="lockstep_workbench/__init__.py"), []))

    def test_releases_are_in_the_order_of_numbers(self):
        for name in ("2.9", "2.11", "2.10"):
            self.write(f"{name}/lockstep-rank", "")
        self.assertEqual(assemble.minors(self.folder), ["2.9", "2.10", "2.11"])

    def test_libraries_are_found_from_the_program(self):
        given = "/x/venv/lib/python3.11/site-packages/torch/lib:/usr/lib/openmpi:/x/lib/python3/site-packages/nvidia/cu13/lib"
        self.assertEqual(assemble.relative(given, "lockstep_workbench/ranks/2.11"),
                         "$ORIGIN/../../../torch/lib:$ORIGIN/../../../nvidia/cu13/lib")

    def test_equal_files_give_equal_bytes(self):
        files = [("lockstep.py", b"text"), ("lockstep_workbench/bin/lockstep", b"\x7fELF program")]
        for name in ("a.whl", "b.whl"):
            assemble.write(self.folder / name, iter(files))
        self.assertEqual((self.folder / "a.whl").read_bytes(), (self.folder / "b.whl").read_bytes())
        with zipfile.ZipFile(self.folder / "a.whl") as archive:
            modes = {each.filename: each.external_attr >> 16 for each in archive.infolist()}
            record = archive.read(archive.namelist()[-1]).decode().splitlines()
        self.assertEqual(modes["lockstep_workbench/bin/lockstep"] & 0o777, 0o755)
        self.assertEqual(modes["lockstep.py"] & 0o777, 0o644)
        self.assertEqual(len(record), 3)
        self.assertTrue(record[0].startswith("lockstep.py,sha256=") and record[0].endswith(",4"), record)
        self.assertNotIn(hashlib.sha256(b"text").hexdigest(), record[0], "RECORD has base64")


class Desktop(Folder):
    def lockstep(self, *words, program=LOCKSTEP):
        environment = dict(os.environ, XDG_DATA_HOME=str(self.folder / "data"), HOME=str(self.folder))
        return subprocess.run([program, "desktop", *words], env=environment, capture_output=True, text=True)

    def files(self):
        data = self.folder / "data"
        return {str(each.relative_to(data)) for each in data.rglob("org.lockstep*") if each.is_file()}

    def test_the_menu_entry_comes_and_goes(self):
        link = self.write("with space/$link", "")
        link.unlink()
        link.symlink_to(LOCKSTEP)
        installed = self.lockstep("--install", program=link)
        self.assertEqual(installed.returncode, 0, installed.stderr)
        wanted = {"applications/org.lockstep.Lockstep.desktop", "mime/packages/org.lockstep.Lockstep.xml",
                  "icons/hicolor/scalable/apps/org.lockstep.Lockstep.svg"}
        self.assertEqual(self.files(), wanted)
        self.assertEqual({str(self.folder / "data" / each) for each in wanted}, set(installed.stdout.split("\n")) - {""})
        entry = (self.folder / "data/applications/org.lockstep.Lockstep.desktop").read_text()
        self.assertIn(f'\nExec="{self.folder}/with space/\\\\$link" %F\n', entry)
        source = (ROOT / "packaging/linux/org.lockstep.Lockstep.desktop").read_text()
        self.assertEqual([line for line in entry.splitlines() if not line.startswith("Exec=")],
                         [line for line in source.splitlines() if not line.startswith("Exec=")])
        self.assertEqual(self.lockstep("--install").returncode, 0, "replaces what is there")
        removed = self.lockstep("--remove")
        self.assertEqual((removed.returncode, self.files()), (0, set()))
        self.assertEqual(self.lockstep("--remove").stdout, "")

    def test_what_cannot_be_done_is_refused(self):
        for words in ((), ("--install", "--remove")):
            refused = self.lockstep(*words)
            self.assertEqual((refused.returncode, refused.stderr),
                             (2, "lockstep: desktop: needs either --install or --remove\n"))
        self.write("data/applications", "no folder")
        refused = self.lockstep("--install")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("applications/org.lockstep.Lockstep.desktop: cannot be written", refused.stderr)


class Window(Folder):
    def lockstep(self, *words, **display):
        hidden = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")
        environment = {name: value for name, value in os.environ.items() if name not in hidden} | display
        return subprocess.run([LOCKSTEP, "--lang", "en", *words], env=environment, cwd=self.folder, capture_output=True, text=True)

    def test_without_a_display_it_says_so(self):
        ended = self.lockstep()
        self.assertEqual(ended.returncode, 2)
        self.assertTrue(ended.stderr.startswith("lockstep: there is no display for a window"), ended.stderr)

    def test_a_display_that_cannot_be_reached_is_named(self):
        ended = self.lockstep(DISPLAY=":4321")
        self.assertEqual((ended.returncode, ended.stderr), (2, "lockstep: Qt cannot open a window: could not connect to display "
                                                               ":4321; lockstep --help lists what works without one\n"))

    def test_a_verb_comes_before_a_folder_of_its_name(self):
        made = self.lockstep("lab", "new", "optimizers", "--out", "lab")
        self.assertEqual(made.returncode, 0, made.stderr)
        asked = self.lockstep("lab", "list")
        self.assertEqual((asked.returncode, asked.stderr), (0, ""))
        opened = self.lockstep("./lab")
        self.assertTrue(opened.stderr.startswith("lockstep: there is no display for a window"), opened.stderr)


if __name__ == "__main__":
    unittest.main()
