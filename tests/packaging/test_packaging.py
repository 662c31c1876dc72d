#!/usr/bin/env python3
"""Checks what packages bring beside the programs.

    test_packaging.py LOCKSTEP LOCKSTEP-RANK

Manual pages and completions are compared with what the programs' own --help says: every verb and every option is in them.
Completions are tried in the shells themselves. What needs a program that is not installed (fish, zsh, man, mandoc,
appstreamcli, desktop-file-validate) is skipped (exit code 77).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LOCKSTEP, RANK = sys.argv[1:3]
LINUX = SOURCE / "packaging/linux"
NAME = "org.lockstep.Lockstep"
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen", "SOURCE_DATE_EPOCH": "86400"}


def output(*command, **options):
    done = subprocess.run([str(word) for word in command], env=ENVIRONMENT, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def verbs():
    return re.findall(r"^  lockstep ([a-z]+) ", output(LOCKSTEP, "--help"), re.MULTILINE)


def options_in(help_text):
    return set(re.findall(r"^  (?:-h, )?(--[a-z-]+|-n)\b", help_text, re.MULTILINE)) - {"--help-all"}


def actions_of(verb):
    if verb == "lab":
        return re.findall(r"^lockstep lab ([a-z-]+)", output(LOCKSTEP, "lab", "--help"), re.MULTILINE)
    known = subprocess.run([LOCKSTEP, verb, "unknown-action"], env=ENVIRONMENT, capture_output=True, text=True, check=False).stderr
    return known.split("allowed: ")[1].strip().split(", ")


def calls():
    """Every verb, and each action of those that have actions, with its options."""
    made = {}
    for verb in verbs():
        if verb == "bench":
            made[verb] = options_in(output(LOCKSTEP, "run", "--help"))
        elif verb == "lab":
            for action in actions_of(verb):
                made[f"{verb} {action}"] = options_in(output(LOCKSTEP, verb, action, "--help"))
        elif verb == "queue":
            text = output(LOCKSTEP, "queue", "--help")
            for action in actions_of(verb):
                named = f"Options of {action}:" if action in ("add", "run") else "Options of the other actions:"
                made[f"{verb} {action}"] = options_in(text.split(named)[1].split("Options of")[0])
        else:
            made[verb] = options_in(output(LOCKSTEP, verb, "--help"))
    return made


def rank_options():
    calls_and_options = re.findall(r"^ {2,6}(?:lockstep-rank|--).*$", output(RANK, "--help"), re.MULTILINE)
    return {option for line in calls_and_options for option in re.findall(r"--[a-z-]+", line)}


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        output(LOCKSTEP, "man", "--lang", "en", "--out", cls.folder / "man", "--rank", RANK)

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def page(self, name):
        return (self.folder / "man" / f"{name}.1").read_text()

    def test_every_verb_and_option_has_its_place(self):
        listed = self.page("lockstep")
        for call, options in calls().items():
            verb, _, action = call.partition(" ")
            self.assertIn(f".BR lockstep\\-{verb} (1)", listed)
            page = self.page(f"lockstep-{verb}")
            if action:
                title = ".SH OPTIONS OF " + action.upper().replace("-", "\\-") + "\n"
                self.assertIn(title, page)
                page = page.split(title)[1].split(".SH ")[0]
            for option in options:
                self.assertTrue("\\fB" + option.replace("-", "\\-") + "\\fP" in page, f"{call} {option}")

    def test_the_rank_has_a_page(self):
        page = self.page("lockstep-rank").replace("\\-", "-")
        self.assertGreater(len(rank_options()), 10)
        for option in rank_options():
            self.assertIn(option, page)
        self.assertIn("LOCKSTEP_SECRET_FILE", page)

    def test_the_same_bytes_each_time(self):
        elsewhere = {**ENVIRONMENT, "HOME": str(self.folder)}
        subprocess.run([LOCKSTEP, "man", "--lang", "en", "--out", self.folder / "again", "--rank", RANK], env=elsewhere,
                       stdout=subprocess.DEVNULL, check=True)
        names = sorted(path.name for path in (self.folder / "man").iterdir())
        self.assertEqual(len(names), len(verbs()) + 2)
        for name in names:
            self.assertEqual((self.folder / "man" / name).read_bytes(), (self.folder / "again" / name).read_bytes())
        self.assertIn('"1970-01-02"', self.page("lockstep"))

    @unittest.skipUnless(shutil.which("man") and shutil.which("mandoc"), "man and mandoc are not installed")
    def test_the_formatters_accept_them(self):
        for page in sorted((self.folder / "man").iterdir()):
            with self.subTest(page.name):
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], env=ENVIRONMENT,
                                      capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True, check=False)
                self.assertEqual(done.stdout, "")


class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.kept.name)
        (cls.folder / "data").mkdir()
        (cls.folder / "work.lab").touch()
        for shell in ("bash", "zsh", "fish"):
            (cls.folder / shell).write_text(output(LOCKSTEP, "completion", shell, "--lang", "en"))
            (cls.folder / f"{shell}-rank").write_text(output(LOCKSTEP, "completion", shell, "--lang", "en", "--rank", RANK))

    @classmethod
    def tearDownClass(cls):
        cls.kept.cleanup()

    def bash(self, *lines):
        """What bash offers for the last word of each line, which is a tuple of words."""
        script = f"source {self.folder}/bash; source {self.folder}/bash-rank; compopt() {{ :; }}\n"
        for words in lines:
            quoted = " ".join(f"'{word}'" for word in words)
            function = "_lockstep" if words[0] == "lockstep" else "_lockstep_rank"
            script += f"COMPREPLY=(); COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; {function}; echo \"${{COMPREPLY[*]}}\"\n"
        offered = output("bash", "--norc", "-c", script, cwd=self.folder).splitlines()
        self.assertEqual(len(offered), len(lines))
        return [set(line.split()) for line in offered]

    def test_bash_offers_every_verb_and_option(self):
        known = calls()
        lines = [("lockstep", *call.split(), "-") for call in known]
        for (call, options), offered in zip(known.items(), self.bash(*lines)):
            self.assertEqual(offered, options | {"--lang"}, call)
        top, lab, rank = self.bash(("lockstep", ""), ("lockstep", "lab", ""), ("lockstep-rank", "--"))
        self.assertLessEqual(set(verbs()), top)
        self.assertLessEqual(set(actions_of("lab")), lab)
        self.assertEqual(rank, rank_options())

    def test_bash_offers_values(self):
        offered = self.bash(
            ("lockstep", "run", "opt"), ("lockstep", "run", "--set", "optimizer.l"), ("lockstep", "weights", "--format", ""),
            ("lockstep", "run", "--out", ""), ("lockstep", "lab", "check", "w"), ("lockstep", "--lang", "zh", "la"),
            ("lockstep-rank", "--format", ""), ("lockstep", "run", "-n", ""))
        self.assertEqual(offered[0], {"optimizers"})
        self.assertIn("optimizer.lr=", offered[1])
        self.assertEqual(offered[2:], [{"torch", "safetensors"}, {"data"}, {"work.lab"}, {"lab", "launch"},
                                       {"torch", "safetensors"}, set()])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_every_option(self):
        for call, options in calls().items():
            listed = output("fish", "--no-config", "-c", f"source {self.folder}/fish; complete -C 'lockstep {call} -'")
            offered = {line.split("\t")[0] for line in listed.splitlines()}
            self.assertLessEqual(options, offered, call)
        self.assertEqual(output("fish", "--no-config", "-c", f"source {self.folder}/fish; complete -C 'lockstep run opt'").split()[0], "optimizers")

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_reads_its_scripts(self):
        for name in ("zsh", "zsh-rank"):
            output("zsh", "-f", "-n", self.folder / name)
        script = (self.folder / "zsh").read_text()
        for option in set().union(*calls().values()):
            self.assertTrue(f"{option}[" in script, option)


class Desktop(unittest.TestCase):
    def test_files_and_types_agree(self):
        space = "{http://www.freedesktop.org/standards/shared-mime-info}"
        types = {kind.get("type"): kind.find(f"{space}glob").get("pattern")
                 for kind in xml.etree.ElementTree.parse(LINUX / f"{NAME}.xml").getroot()}
        self.assertEqual(set(types.values()), {"*.lockstep", "*.lab", "*.handin"})
        desktop = (LINUX / f"{NAME}.desktop").read_text()
        opened = re.search(r"^MimeType=(.*);$", desktop, re.MULTILINE).group(1).split(";")
        self.assertEqual(set(opened), set(types))
        metainfo = xml.etree.ElementTree.parse(LINUX / f"{NAME}.metainfo.xml").getroot()
        self.assertEqual({each.text for each in metainfo.iter("mediatype")}, set(types))

    @unittest.skipUnless(shutil.which("appstreamcli"), "appstreamcli is not installed")
    def test_appstream_accepts_it(self):
        output("appstreamcli", "validate", "--no-net", LINUX / f"{NAME}.metainfo.xml")

    @unittest.skipUnless(shutil.which("desktop-file-validate"), "desktop-file-validate is not installed")
    def test_the_desktop_entry_is_valid(self):
        self.assertEqual(output("desktop-file-validate", LINUX / f"{NAME}.desktop"), "")


class Dependencies(unittest.TestCase):
    def test_the_package_brings_what_a_clone_installs(self):
        setup = (SOURCE / "packaging/setup.sh").read_text()
        installed = re.search(r"^packages_run=\((.*)\)$", setup, re.MULTILINE).group(1).split()
        control = (SOURCE / "packaging/debian/control").read_text().split("\nPackage: lockstep\n")[1].split("\n\n")[0]
        brought = set(re.findall(r"[a-z][a-z0-9-]+", control.split("Suggests:")[0]))
        # What the program is linked with comes as ${shlibs:Depends}.
        self.assertEqual({name for name in installed if not name.startswith("libqt6")} - brought, set())


class Version(unittest.TestCase):
    def test_one_number_everywhere(self):
        number = re.search(r"^project\(Lockstep VERSION ([0-9.]+) ", (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE).group(1)
        releases = re.findall(r"^## \[([0-9.]+)\] - \d{4}-\d\d-\d\d$", (SOURCE / "CHANGELOG.md").read_text(), re.MULTILINE)
        self.assertEqual(releases[0], number)
        metainfo = xml.etree.ElementTree.parse(LINUX / f"{NAME}.metainfo.xml").getroot()
        self.assertEqual(metainfo.find("releases/release").get("version"), number)
        commit = r"(commit [0-9a-f]{8}( with changes)?|no commit)"
        self.assertRegex(output(LOCKSTEP, "--version"), rf"^lockstep {re.escape(number)} \({commit}\)\n$")
        self.assertRegex(output(RANK, "--version"), rf"^lockstep-rank {re.escape(number)} \({commit}, LibTorch .*\)\n$")


if __name__ == "__main__":
    ended = unittest.main(argv=sys.argv[:1], exit=False).result
    # As the other tests do: 77 where something was left out and nothing failed.
    sys.exit(1 if not ended.wasSuccessful() else 77 if ended.skipped else 0)
