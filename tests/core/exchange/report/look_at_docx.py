"""Prints what a docx holds: `zip` its structure, `document` and `first` what python3-docx reads in it."""
import sys
import xml.dom.minidom
import zipfile


def look_at_zip():
    archive = zipfile.ZipFile("report.docx")
    assert archive.testzip() is None
    names = archive.namelist()
    for name in names:
        if name.endswith((".xml", ".rels", ".svg")):
            xml.dom.minidom.parseString(archive.read(name))
    document = archive.read("word/document.xml").decode()
    assert document.count(" SEQ Figure ") == 2 and document.count(" SEQ Table ") == 1
    assert document.count("asvg:svgBlip") == 2 and document.count("<w:tblHeader/>") == 1
    assert 'w:eastAsia="SimSun"' in archive.read("word/styles.xml").decode()
    print(len([name for name in names if name.startswith("word/media/")]))


def look_at_document():
    import docx
    document = docx.Document("report.docx")
    headings = [each.text for each in document.paragraphs if each.style.name.startswith("Heading")]
    print(headings, document.tables[1].cell(1, 1).text, len(document.inline_shapes),
          round(document.inline_shapes[0].width.mm), document.core_properties.title)


def look_at_first():
    import docx
    print(docx.Document("report.docx").paragraphs[0].text)


{"zip": look_at_zip, "document": look_at_document, "first": look_at_first}[sys.argv[1]]()
