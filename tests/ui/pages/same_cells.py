"""Compares the tables and sentences of one report in all formats: report.html, .md, .docx, .tex and .pdf in this folder.

Prints the numbers in them, sorted, after it has found them the same: in each language the same.
"""
import html
import re
import subprocess
import xml.etree.ElementTree
import zipfile

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def plain(text):
    """What all formats write alike: letters, digits and Chinese."""
    return re.sub(r"[^0-9A-Za-z.,%\u4e00-\u9fff]", "", text)


def of_html():
    page = open("report.html", encoding="utf-8").read()
    page = re.sub(r"<svg.*?</svg>|<style.*?</style>", "", page, flags=re.DOTALL)
    find = lambda element: [html.unescape(re.sub(r"<[^>]*>", "", each))
                            for each in re.findall(rf"<(?:{element})[ >](.*?)</(?:{element})>", page, flags=re.DOTALL)]
    cells = [each.split(">", 1)[-1] for each in find("td|th")]
    return cells, find("li")


def of_markdown():
    text = open("report.md", encoding="utf-8").read().split("\n```")[0]
    unescaped = lambda each: html.unescape(re.sub(r"\\(.)", r"\1", each))
    cells, sentences = [], []
    for line in text.split("\n"):
        if line.startswith("|") and not re.fullmatch(r"[|: -]+", line):
            cells += [unescaped(each) for each in re.split(r"(?<!\\)\|", line)[1:-1]]
        elif line.startswith("- "):
            sentences.append(unescaped(line[2:]))
    return cells, sentences[3:]  # after the lines of the title


def of_docx():
    with zipfile.ZipFile("report.docx") as archive:
        body = xml.etree.ElementTree.fromstring(archive.read("word/document.xml"))
    text_of = lambda element: "".join(each.text or "" for each in element.iter(WORD + "t"))
    tables = list(body.iter(WORD + "tbl"))[1:]
    cells = [text_of(cell) for table in tables for cell in table.iter(WORD + "tc")]
    style_of = lambda paragraph: [each.get(WORD + "val") for each in paragraph.iter(WORD + "pStyle")]
    return cells, [text_of(each) for each in body.iter(WORD + "p") if style_of(each) == ["ListBullet"]]


def of_latex():
    text = open("report.tex", encoding="utf-8").read()
    unescaped = lambda each: re.sub(r"\\[a-zA-Z]+(\{\})?", "", re.sub(r"\\ensuremath\{[^{}]*(\{[^{}]*\})?[^{}]*\}", "", each))
    cells = []
    for table in re.findall(r"\\toprule\n(.*?)\\bottomrule", text, flags=re.DOTALL):
        for row in re.findall(r"^(.*?) \\\\(?: \\nopagebreak)?$", table, flags=re.MULTILINE):
            cells += [unescaped(each) for each in re.split(r"(?<!\\) & |^& ", row)]
    return cells, [unescaped(each) for each in re.findall(r"^\\item (.*)$", text, flags=re.MULTILINE)]


def main():
    expected = [[plain(each) for each in part] for part in of_html()]
    assert len(expected[0]) > 10, expected
    for read in (of_markdown, of_docx, of_latex):
        found = [[plain(each) for each in part] for part in read()]
        for name, mine, theirs in zip(("cells", "sentences"), found, expected):
            differing = [pair for pair in zip(mine, theirs) if pair[0] != pair[1]]
            assert not differing and len(mine) == len(theirs), (read.__name__, name, len(mine), len(theirs), differing[:3])
    printed = plain(subprocess.run(["pdftotext", "-layout", "report.pdf", "-"], capture_output=True, text=True).stdout)
    for cell in expected[0]:
        for number in re.findall(r"\d[\d.,]*\d", cell):
            assert number in printed, ("report.pdf", number)
    numbers = [number for part in of_html() for text in part for number in re.findall(r"\d(?:[\d.,]*\d)?", text)]
    print(len(expected[0]), len(expected[1]), *sorted(numbers))


main()
