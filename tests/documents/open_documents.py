#!/usr/bin/env python3
"""Runs every preset for a moment, writes its report in both languages and five formats, and opens each with the program
that people use: LaTeX is compiled, docx goes to PDF through LibreOffice, HTML is drawn by Chromium without a window.
The pages stay in the output folder as pictures, to be looked at.

    open_documents.py LOCKSTEP OUTPUT_FOLDER

Without LOCKSTEP_DOCUMENTS=1, or without one of the programs, it ends with 77 (skipped) and says so.
"""
import os
import pathlib
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


def run(words, folder=None, seconds=240):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=seconds, errors="replace")
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, words))} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def pages(pdf, pictures):
    """The number of pages, which stay as pictures."""
    run(["pdftoppm", "-r", "60", "-png", pdf, pictures])
    count = len(list(pictures.parent.glob(pictures.name + "-*.png")))
    assert count >= 3, f"{pdf} has {count} pages"
    return count


def open_latex(folder, out):
    for _ in range(2):
        run(["xelatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "report.tex"], folder)
    log = (folder / "report.log").read_text(errors="replace")
    missing = [line for line in log.splitlines() if line.startswith("Missing character")]
    assert not missing, f"{folder}: {missing[:3]}"
    shutil.move(folder / "report.pdf", folder / "report-tex.pdf")
    return pages(folder / "report-tex.pdf", out / "tex")


def open_docx(folder, out):
    with tempfile.TemporaryDirectory() as profile:
        run(["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", "pdf", "--outdir", out,
             folder / "report.docx"])
    (out / "report.pdf").rename(out / "report-docx.pdf")
    return pages(out / "report-docx.pdf", out / "docx")


def open_html(folder, out):
    run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=900,3000",
         f"--screenshot={out / 'html.png'}", (folder / "report.html").as_uri()])
    assert (out / "html.png").stat().st_size > 10000


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
    if absent:
        print(f"skipped in part: {', '.join(absent)} not installed")
        sys.exit(77)


main()
