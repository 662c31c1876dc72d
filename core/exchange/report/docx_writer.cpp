// docx (ECMA-376): headings and captions as Word knows them, tables as tables, each chart as SVG with a PNG for
// programs that do not draw SVG.
#include "archive/zip_writer.h"
#include "exchange/report/docx_parts.h"
#include "exchange/report/escape.h"
#include "exchange/report/format_writers.h"
#include "exchange/report/table_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::report {

namespace {

constexpr std::string_view Begin = R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main"><w:body>
)";
/// A4 with 25 mm around.
constexpr std::string_view End
    = R"(<w:sectPr><w:footerReference w:type="default" r:id="rId3"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>
)";
constexpr int TextWidth = 9072; ///< in twentieths of a point
constexpr double EmuPerMm = 36000.0;
/// A table with more columns is set smaller.
constexpr std::size_t MostDocxColumns = 7;

std::string runOf(const std::string& text, std::string_view properties = {})
{
    return fmt::format(R"(<w:r>{}<w:t xml:space="preserve">{}</w:t></w:r>)",
        properties.empty() ? std::string() : fmt::format("<w:rPr>{}</w:rPr>", properties), xmlEscaped(text));
}

std::string runOf(const Piece& piece)
{
    switch (piece.style) {
    case TextStyle::Plain:
        break;
    case TextStyle::Strong:
        return runOf(piece.text, "<w:b/>");
    case TextStyle::Emphasis:
        return runOf(piece.text, "<w:i/>");
    case TextStyle::Code:
        return runOf(piece.text, R"(<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>)");
    case TextStyle::Formula: // an equation, as it is written in one line
        return fmt::format(
            R"(<m:oMath><m:r><w:rPr><w:rFonts w:ascii="Cambria Math" w:hAnsi="Cambria Math"/></w:rPr><m:t xml:space="preserve">{}</m:t></m:r></m:oMath>)",
            xmlEscaped(piece.text));
    }
    return runOf(piece.text);
}

std::string runsOf(const std::vector<Piece>& line)
{
    std::string runs;
    for (const Piece& piece : line) {
        runs += runOf(piece);
    }
    return runs;
}

std::string paragraph(std::string_view style, const std::string& content, std::string_view more = {})
{
    return fmt::format(R"(<w:p><w:pPr><w:pStyle w:val="{}"/>{}</w:pPr>{}</w:p>
)",
        style, more, content);
}

/// The word and a number that Word counts again when it updates fields.
std::string captionOf(const std::string& word, int number, const std::string& text)
{
    return runOf(word + " ")
        + fmt::format(R"(<w:fldSimple w:instr=" SEQ {} \* ARABIC "><w:r><w:t>{}</w:t></w:r></w:fldSimple>)",
            xmlEscaped(word), number)
        + runOf("  " + text);
}

std::string drawingOf(const DocxPicture& each, const std::string& description)
{
    const auto width = std::llround(each.picture->widthMm * EmuPerMm);
    const auto height = std::llround(each.picture->heightMm * EmuPerMm);
    return fmt::format(
        R"(<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="{0}" cy="{1}"/><wp:docPr id="{2}" name="Picture {2}" descr="{3}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="{2}" name="image{2}" descr="{3}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="{4}"><a:extLst><a:ext uri="{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}"><asvg:svgBlip r:embed="{5}"/></a:ext></a:extLst></a:blip><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="{0}" cy="{1}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>)",
        width, height, each.number, xmlEscaped(description), each.pngId(), each.svgId());
}

class Document {
public:
    Document(const Report& report, const Pictures& pictures)
        : m_report(report)
        , m_pictures(pictures)
    { }

    std::vector<File> parts()
    {
        m_text = Begin;
        m_text += paragraph("Title", runOf(m_report.title));
        addTitleLines();
        for (std::size_t i = 0; i < m_report.blocks.size(); ++i) {
            const Block& block = m_report.blocks[i];
            m_isKept = isKeptWithNext(m_report.blocks, i);
            std::visit([&](const auto& content) { add(content, block); }, block.content);
        }
        m_text += End;
        return docxParts(m_report, m_text, m_shown);
    }

private:
    static std::string cell(int width, const std::string& content, std::string_view borders = {})
    {
        return fmt::format(
            R"(<w:tc><w:tcPr><w:tcW w:w="{}" w:type="dxa"/>{}</w:tcPr>{}</w:tc>)", width, borders, content);
    }

    /// A table without lines but those to write on.
    void addTitleLines()
    {
        constexpr int Label = 2400;
        constexpr int Line = 4400;
        m_text += fmt::format(
            R"(<w:tbl><w:tblPr><w:tblW w:w="{0}" w:type="dxa"/><w:jc w:val="center"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="{1}"/><w:gridCol w:w="{2}"/></w:tblGrid>)",
            Label + Line, Label, Line);
        for (const TitleLine& line : m_report.titleLines) {
            m_text += "<w:tr>" + cell(Label, paragraph("Normal", runOf(line.label)))
                + cell(Line, paragraph("Normal", runOf(line.text)),
                    R"(<w:tcBorders><w:bottom w:val="single" w:sz="4" w:color="777777"/></w:tcBorders>)")
                + "</w:tr>";
        }
        m_text += "</w:tbl>\n";
    }

    void add(const Heading& heading, const Block&)
    {
        m_text += paragraph("Heading" + std::to_string(heading.level), runOf(heading.text));
    }

    void add(const Paragraph& text, const Block&)
    {
        for (const std::vector<Piece>& line : linesOf(text)) {
            m_text += paragraph("Normal", runsOf(line),
                std::string(m_isKept ? "<w:keepNext/>" : "") + (isFormula(line) ? R"(<w:jc w:val="center"/>)" : ""));
        }
    }

    void add(const Sentences& sentences, const Block&)
    {
        for (const Sentence& each : sentences.list) {
            m_text += paragraph("ListBullet", runOf(unbroken(each.text)));
        }
    }

    void add(const Chart& chart, const Block& block)
    {
        const Picture* picture = pictureOf(m_pictures, block);
        if (picture == nullptr) {
            return;
        }
        const int number = m_numbering.next(chart);
        m_shown.push_back({number, picture});
        m_text += paragraph("Picture", drawingOf(m_shown.back(), chart.description));
        m_text += paragraph("Caption", captionOf(m_report.words.figure, number, chart.caption));
    }

    static std::vector<int> widthsOf(const Table& table)
    {
        std::vector<int> widths;
        for (const double share : columnShares(table)) {
            widths.push_back(static_cast<int>(share * TextWidth));
        }
        return widths;
    }

    static bool isWide(const Table& table) { return table.header.size() > MostDocxColumns; }

    void addRow(const Table& table, const std::vector<int>& widths, const std::vector<std::string>& cells,
        bool isHeader, bool isKeptWithNext)
    {
        m_text += isHeader ? "<w:tr><w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>"
                           : "<w:tr><w:trPr><w:cantSplit/></w:trPr>";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            m_text += cell(widths[i],
                paragraph(isWide(table) ? "TableTextSmall" : "TableText",
                    runOf(unbroken(cells[i], intervalsOf(table)), isHeader ? "<w:b/>" : ""),
                    std::string(isKeptWithNext ? "<w:keepNext/>" : "")
                        + (table.isNumber[i] ? R"(<w:jc w:val="right"/>)" : "")));
        }
        m_text += "</w:tr>\n";
    }

    void add(const Table& table, const Block&)
    {
        const int number = m_numbering.next(table);
        const std::vector<int> widths = widthsOf(table);
        m_text += paragraph("Caption", captionOf(m_report.words.table, number, table.caption), "<w:keepNext/>");
        m_text += fmt::format(
            R"(<w:tbl><w:tblPr><w:tblStyle w:val="ReportTable"/><w:tblW w:w="{}" w:type="dxa"/><w:tblLayout w:type="fixed"/>{}</w:tblPr><w:tblGrid>)",
            TextWidth,
            isWide(table)
                ? R"(<w:tblCellMar><w:left w:w="40" w:type="dxa"/><w:right w:w="40" w:type="dxa"/></w:tblCellMar>)"
                : "");
        for (const int width : widths) {
            m_text += fmt::format(R"(<w:gridCol w:w="{}"/>)", width);
        }
        m_text += "</w:tblGrid>\n";
        addRow(table, widths, table.header, true, true);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const bool isKeptWithNext = isKeptTogether(table) && row + 1 < table.rows.size();
            addRow(table, widths, table.rows[row], false, isKeptWithNext);
        }
        // Two tables without a paragraph between them would be one.
        m_text += "</w:tbl>\n" + paragraph("Normal", "");
    }

    void add(const Question& question, const Block& block)
    {
        m_text += paragraph("Question", runOf(question.text));
        if (question.answer.empty()) {
            m_text += paragraph("Answer", runOf(m_report.words.answer));
        } else {
            add(Paragraph{question.answer, {}}, block);
        }
    }

    void add(const Listing& listing, const Block&)
    {
        const std::string& rest = listing.text;
        const auto lines = static_cast<std::size_t>(std::ranges::count(rest, '\n')) + 1;
        std::size_t line = 0;
        std::size_t begin = 0;
        while (begin <= rest.size()) {
            const std::size_t end = std::min(rest.find('\n', begin), rest.size());
            m_text += paragraph("Listing", runOf(rest.substr(begin, end - begin)),
                isListingLineKept(line++, lines) ? "<w:keepNext/>" : "");
            begin = end + 1;
        }
        m_text += paragraph("Normal", "");
    }

    const Report& m_report;
    const Pictures& m_pictures;
    Numbering m_numbering;
    std::vector<DocxPicture> m_shown;
    bool m_isKept = false; ///< the block that is written, with the next
    std::string m_text;
};

} // namespace

Result<std::vector<File>> writeDocx(const Report& report, const Pictures& pictures, const std::string& name)
{
    std::vector<archive::ZipInput> members;
    for (File& part : Document(report, pictures).parts()) {
        members.push_back({std::move(part.path), std::move(part.bytes)});
    }
    LOCKSTEP_TRY_ASSIGN(auto bytes, archive::zipped(members));
    return std::vector<File>{{name + ".docx", std::move(bytes)}};
}

} // namespace lockstep::report
