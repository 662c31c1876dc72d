#!/usr/bin/env python3
"""Runs every preset for a moment, writes its report in both languages and five formats, and opens each with the program
that people use: LaTeX is compiled, docx goes to PDF through LibreOffice, HTML is drawn by Chromium without a window.
The pages stay in the output folder as pictures, to be looked at. Then one whose names would do something in a format.

    open_documents.py LOCKSTEP OUTPUT_FOLDER

Without LOCKSTEP_DOCUMENTS=1, or without one of the programs, it ends with 77 (skipped) and says so.
"""
import base64
import hashlib
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PRESETS = {
    "optimizers": [],
    "aggregation": ["train.steps=60", "world_size=2"],
    "partitioning": ["train.epochs=1", "world_size=2"],
    "model-parallel": ["train.epochs=1"],
    "collectives": ["world_size=2", "sweep.max_bytes=65536"],
    "scaling": ["train.epochs=1", "sweep.max_bytes=65536"],
    "sharding": ["train.epochs=1", "world_size=2"],
}
ONLY = {"scaling": "single,2,2-weak,link", "aggregation": "all_reduce,ring,parameter_server,median"}
SAMPLES = "dataset.train_samples=1024"
HOSTILE = ("\\input{/etc/passwd} \\immediate\\write18{touch ran} <script>document.title='ran'</script> ]]> =cmd|x "
           "](javascript:ran) <img src=x onerror=\"document.title='ran'\"> ^^5cinput{/etc/passwd} %x $_{y}$ &amp; ~")


def run(words, folder=None, seconds=240):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds, errors="replace")
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def pages(pdf, pictures):
    """The number of pages, which stay as pictures."""
    run(["pdftoppm", "-r", "80", "-png", pdf, pictures])
    count = len(list(pictures.parent.glob(pictures.name + "-*.png")))
    assert count >= 3, f"{pdf} has {count} pages"
    return count


def open_latex(folder, out):
    for _ in range(2):
        run(["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report-latex.tex"], folder)
    log = (folder / "report-latex.log").read_text(errors="replace")
    missing = [line for line in log.splitlines() if line.startswith("Missing character")]
    assert not missing, f"{folder}: {missing[:3]}"
    return pages(folder / "report-latex.pdf", out / "tex")


def open_docx(folder, out):
    with tempfile.TemporaryDirectory() as profile:
        run(["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", "pdf", "--outdir", out,
             folder / "report.docx"])
    (out / "report.pdf").rename(out / "report-docx.pdf")
    return pages(out / "report-docx.pdf", out / "docx")


# A reader's hand on the first live chart: points, zooms, goes back, hides the first curve, drags the replay to its middle.
READER = """
const box = document.querySelector(".live"), canvas = box.querySelector("canvas[tabindex]"), said = {};
const place = canvas.getBoundingClientRect(), first = box.querySelector(".legend button");
const mouse = (kind, x, y) => canvas.dispatchEvent(
    new MouseEvent(kind, { clientX: place.left + x, clientY: place.top + y, bubbles: true }));
const readOut = () => [...box.querySelectorAll(".readout span")].map((each) => each.textContent);
setTimeout(() => {
    said.charts = document.querySelectorAll("figure.alive").length;
    said.all = box.dataset.shown;
    mouse("mousemove", 90, 100);
    said.pointed = readOut();
    mouse("mousedown", 200, 50);
    mouse("mousemove", 400, 200);
    window.dispatchEvent(new MouseEvent("mouseup"));
    said.zoomed = box.dataset.shown;
    canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
    said.back = box.dataset.shown;
    said.name = first.dataset.name;
    first.click();
    said.pressed = first.getAttribute("aria-pressed");
    mouse("mousemove", 90, 100);
    said.without = readOut();
    const slider = box.querySelector("input");
    if (slider) {
        slider.value = 500;
        slider.dispatchEvent(new Event("input"));
    }
    document.title = JSON.stringify(said);
}, 200);
"""


def browser(*words):
    return run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", *words])


def open_html(folder, out):
    browser("--hide-scrollbars", "--window-size=900,3000", f"--screenshot={out / 'html.png'}", (folder / "report.html").as_uri())
    assert (out / "html.png").stat().st_size > 10000
    page = (folder / "report.html").read_text()
    assert len(page.encode()) < 10e6, folder
    if 'type="application/json"' not in page:
        return
    # The page's policy runs no other script: the reader's is allowed in a copy.
    allowed = base64.b64encode(hashlib.sha256(READER.encode()).digest()).decode()
    copy = out / "read.html"
    copy.write_text(page.replace("script-src ", f"script-src 'sha256-{allowed}' ").replace("</body>", f"<script>{READER}</script></body>"))
    title = re.search(r"<title>(.*?)</title>", browser("--dump-dom", copy.as_uri()), re.S).group(1)
    said = json.loads(html.unescape(title))
    assert said["charts"] == page.count('type="application/json"'), said
    values = {when: [text for text in said[when] if re.match(re.escape(said["name"]) + r" [-\d.]", text)] for when in ("pointed", "without")}
    assert values["pointed"] and not values["without"] and said["without"] and said["pressed"] == "false", said
    assert said["back"] == said["all"] != said["zoomed"], said


def text_of(pdf):
    return "".join(run(["pdftotext", pdf, "-"]).split())


def open_hostile(lockstep, output, absent):
    """Names of an experiment's variants, a template and an author that each format has to take as text."""
    folder = output / "hostile"
    folder.mkdir()
    optimizers = [{"optimizer.name": "sgd", "optimizer.lr": 0.1}, {"optimizer.name": "adam", "optimizer.lr": 0.001}]
    spec = {"version": 1, "experiment": "optimizers", "base": {"train.epochs": 2, "dataset.train_samples": 1024},
            "variants": [{"name": f"{HOSTILE} {number}", **each} for number, each in enumerate(optimizers)], "repeats": 1}
    (folder / "spec.json").write_text(json.dumps(spec))
    template = json.loads(run([lockstep, "report", "--print-template", "optimizers"]))
    template["title"] = HOSTILE
    for section in template["sections"]:
        section["heading"] = HOSTILE
        for item in section["content"]:
            for key in ("text", "question", "caption"):
                if key in item:
                    item[key] = HOSTILE
    (folder / "template.json").write_text(json.dumps(template))
    run([lockstep, "run", "spec.json", "--store", folder / "store"], folder)
    run([lockstep, "report", "last", "--store", folder / "store", "--lang", "en", "--format", "docx,pdf,html,md,tex", "--out", folder,
         "--template", folder / "template.json", "--name", HOSTILE, "--number", HOSTILE])
    printed = [folder / "report.pdf"]
    if "xelatex" not in absent:
        run(["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-shell-escape", "report-latex.tex"], folder)
        printed.append(folder / "report-latex.pdf")
    if "soffice" not in absent:
        opened = folder / "opened"
        opened.mkdir()
        open_docx(folder, opened)
        printed.append(opened / "report-docx.pdf")
    for pdf in printed:
        text = text_of(pdf)
        assert "\\input{/etc/passwd}" in text and "<script>" in text, pdf
        assert "root:x:" not in text, pdf
    if "chromium" not in absent:
        page = run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", (folder / "report.html").as_uri()])
        assert "<title>ran" not in page and "&lt;script&gt;" in page
        data = re.findall(r'<script type="application/json">(.*?)</script>', page, re.S)
        assert data and page.count("<script") == len(data) + 1, "only our script and its data"
        shown = [curve["name"] for text in data for curve in json.loads(text)["series"]]
        assert any("<script>" in name for name in shown), shown
    assert not (folder / "ran").exists()
    print("hostile names: text everywhere", flush=True)


def main():
    lockstep, output = map(pathlib.Path, sys.argv[1:3])
    if os.environ.get("LOCKSTEP_DOCUMENTS") != "1":
        print("skipped: ./test --label documents opens the reports with LibreOffice, XeLaTeX and Chromium")
        sys.exit(77)
    openers = {"xelatex": open_latex, "soffice": open_docx, "chromium": open_html}
    absent = [name for name in openers if shutil.which(name) is None]
    shutil.rmtree(output, ignore_errors=True)
    store = output / "store"
    for preset, settings in PRESETS.items():
        samples = [] if preset == "collectives" else [SAMPLES]
        words = [lockstep, "run", preset, "--store", store, "--set", "repeats=1"]
        for setting in settings + samples:
            words += ["--set", setting]
        if preset in ONLY:
            words += ["--only", ONLY[preset]]
        run(words)
        for language in ("en", "zh"):
            folder = output / f"{preset}-{language}"
            opened = folder / "opened"
            run([lockstep, "report", "last", "--store", store, "--lang", language, "--format", "docx,pdf,html,md,tex",
                 "--out", folder])
            opened.mkdir()
            pages(folder / "report.pdf", opened / "pdf")
            for name, opener in openers.items():
                if name not in absent:
                    opener(folder, opened)
            print(f"{preset} {language}: opened", flush=True)
    open_hostile(lockstep, output, absent)
    if absent:
        print(f"skipped in part: {', '.join(absent)} not installed")
        sys.exit(77)


main()
