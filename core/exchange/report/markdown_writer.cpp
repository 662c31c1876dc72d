// Markdown (CommonMark with GitHub's tables) and its charts as SVG files beside it. No HTML in it.
#include "analysis/plain_text.h"
#include "exchange/report/escape.h"
#include "exchange/report/format_writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lockstep::report {

namespace {

/// A path as the target of a link: what would end the target, or mean something in it, by its code.
std::string linkTarget(std::string_view path)
{
    constexpr std::string_view Plain = "-._~/";
    std::string target;
    for (const char each : analysis::cleanText(path)) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(each)) != 0 || static_cast<signed char>(each) < 0
            || Plain.find(each) != std::string_view::npos;
        target += isPlain ? std::string(1, each) : fmt::format("%{:02X}", static_cast<unsigned char>(each));
    }
    return target;
}

/// A part of a path: letters, digits and `-` of ASCII.
std::string pathPart(std::string_view text)
{
    std::string part;
    for (const char each : text) {
        const bool isPlain
            = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9');
        part += isPlain ? each : '-';
    }
    return part;
}

class MarkdownPage {
public:
    MarkdownPage(const Report& report, const Pictures& pictures, std::string folder)
        : m_report(report)
        , m_pictures(pictures)
        , m_folder(std::move(folder))
    { }

    std::vector<File> files(const std::string& path)
    {
        m_text = "# " + markdownEscaped(m_report.title) + "\n\n";
        for (const TitleLine& line : m_report.titleLines) {
            m_text += "- " + markdownEscaped(line.label) + (m_report.language == Language::Chinese ? "：" : ": ")
                + (line.text.empty() ? "\\_\\_\\_\\_\\_\\_\\_\\_" : markdownEscaped(line.text)) + "\n";
        }
        m_text += "\n";
        for (const Block& block : m_report.blocks) {
            std::visit([&](const auto& content) { add(content, block); }, block.content);
        }
        m_files.insert(m_files.begin(), File{path, m_text});
        return std::move(m_files);
    }

private:
    void add(const Heading& heading, const Block&)
    {
        m_text += std::string(static_cast<std::size_t>(heading.level) + 1, '#') + " " + markdownEscaped(heading.text)
            + "\n\n";
    }

    void add(const Paragraph& paragraph, const Block&)
    {
        for (const std::string& each : paragraphsOf(paragraph.text)) {
            m_text += markdownEscaped(each) + "\n\n";
        }
    }

    void add(const Sentences& sentences, const Block&)
    {
        for (const Sentence& each : sentences.list) {
            m_text += "- " + markdownEscaped(each.text) + "\n";
        }
        m_text += "\n";
    }

    void add(const Chart& chart, const Block& block)
    {
        const Picture* picture = pictureOf(m_pictures, block);
        if (picture == nullptr) {
            return;
        }
        const int number = m_numbering.next(chart);
        const std::string path = m_folder + "/figure-" + std::to_string(number) + "-" + pathPart(chart.kind) + ".svg";
        m_files.push_back({path, picture->svg});
        m_text += "![" + markdownEscaped(chart.description) + "](" + linkTarget(path) + ")\n\n"
            + markdownEscaped(numbered(m_report.words.figure, number) + "  " + chart.caption) + "\n\n";
    }

    void addRow(const std::vector<std::string>& cells)
    {
        m_text += "|";
        for (const std::string& cell : cells) {
            m_text += " " + markdownEscaped(cell) + " |";
        }
        m_text += "\n";
    }

    void add(const Table& table, const Block&)
    {
        m_text
            += markdownEscaped(numbered(m_report.words.table, m_numbering.next(table)) + "  " + table.caption) + "\n\n";
        addRow(table.header);
        m_text += "|";
        for (const bool isNumber : table.isNumber) {
            m_text += isNumber ? " ---: |" : " --- |";
        }
        m_text += "\n";
        std::ranges::for_each(table.rows, [&](const auto& row) { addRow(row); });
        m_text += "\n";
    }

    void add(const Question& question, const Block& block)
    {
        m_text += "**" + markdownEscaped(question.text) + "**\n\n";
        add(Paragraph{question.answer.empty() ? "(" + m_report.words.answer + ")" : question.answer, {}}, block);
    }

    /// Fenced by more backticks than it has in a row, so that no line of it ends it.
    void add(const Listing& listing, const Block&)
    {
        std::size_t most = 2;
        std::size_t inRow = 0;
        for (const char each : listing.text) {
            inRow = each == '`' ? inRow + 1 : 0;
            most = std::max(most, inRow);
        }
        const std::string fence(most + 1, '`');
        m_text += fence + "\n" + analysis::cleanText(listing.text) + "\n" + fence + "\n\n";
    }

    const Report& m_report;
    const Pictures& m_pictures;
    std::string m_folder;
    Numbering m_numbering;
    std::string m_text;
    std::vector<File> m_files;
};

} // namespace

Result<std::vector<File>> writeMarkdown(const Report& report, const Pictures& pictures, const std::string& name)
{
    return MarkdownPage(report, pictures, filesFolder(name)).files(name + ".md");
}

} // namespace lockstep::report
