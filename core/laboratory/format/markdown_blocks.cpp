#include "laboratory/format/markdown_blocks.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <utility>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

/// A line without Markdown's signs. What stands between backticks keeps its own.
QString plainLine(const QString& line)
{
    static const QRegularExpression Picture(u"!\\[[^\\]]*\\]\\([^)]*\\)"_s);
    static const QRegularExpression Strong(u"\\*\\*|__"_s);
    static const QRegularExpression Emphasis(u"\\*([^*\\s][^*]*)\\*"_s);
    static const QRegularExpression Link(u"\\[([^\\]]*)\\]\\([^)]*\\)"_s);
    constexpr QChar CombiningCircumflex(0x0302);
    constexpr QChar Circumflex(0x02C6);
    QStringList parts = line.split(u'`');
    for (qsizetype i = 0; i < parts.size(); i += 2) { // every other one is code
        parts[i].remove(Picture).remove(Strong).replace(Emphasis, u"\\1"_s).replace(Link, u"\\1"_s).remove(u'$');
    }
    // Fonts of documents set a combining sign anywhere.
    return parts.join(QString()).replace(CombiningCircumflex, Circumflex).simplified();
}

std::vector<std::string> cellsOf(const QString& line)
{
    QString row = line.trimmed();
    row.remove(0, row.startsWith(u'|') ? 1 : 0);
    row.chop(row.endsWith(u'|') ? 1 : 0);
    std::vector<std::string> cells;
    for (const QString& cell : row.split(u'|')) {
        cells.push_back(plainLine(cell).toStdString());
    }
    return cells;
}

/// Reads line by line; what is not ended yet is kept until a line that ends it.
class BlockReader {
public:
    std::vector<MarkdownBlock> blocks(const QString& markdown)
    {
        for (const QString& line : QString(markdown).remove(u'\r').split(u'\n')) {
            take(line);
        }
        end();
        return std::move(m_blocks);
    }

private:
    void take(const QString& line)
    {
        static const QRegularExpression Fence(u"^ {0,3}(```|~~~)"_s);
        static const QRegularExpression Heading(u"^#{1,6} +(.*)"_s);
        static const QRegularExpression Entry(u"^ {0,3}([-*+]|\\d+[.)]) +(.*)"_s);
        if (line.contains(Fence)) {
            end();
            m_isFenced = !m_isFenced;
        } else if (m_isFenced || (m_paragraph.isEmpty() && line.startsWith("    "_L1) && !line.trimmed().isEmpty())) {
            m_code += m_isFenced ? line : line.mid(4);
        } else if (line.trimmed().isEmpty()) {
            end();
        } else if (line.startsWith(u'|')) {
            takeRow(line);
        } else if (const auto heading = Heading.match(line); heading.hasMatch()) {
            end();
            m_blocks.emplace_back(report::Heading{2, plainLine(heading.captured(1)).toStdString()});
        } else if (const auto entry = Entry.match(line); entry.hasMatch()) {
            end();
            const QString sign = entry.captured(1);
            m_paragraph = (sign.at(0).isDigit() ? sign : u"•"_s) + u' ' + entry.captured(2);
        } else {
            endCode();
            m_paragraph += u' ' + QString(line).remove(0, line.startsWith(u"> "_s) ? 2 : 0);
        }
    }
    void takeRow(const QString& line)
    {
        static const QRegularExpression Rule(u"^[|:\\s-]+$"_s);
        if (m_table.header.empty()) {
            end();
            m_table.header = cellsOf(line);
            m_table.isNumber.assign(m_table.header.size(), false);
        } else if (!line.contains(Rule)) {
            m_table.rows.push_back(cellsOf(line));
            m_table.rows.back().resize(m_table.header.size());
        }
    }
    void endCode()
    {
        if (!m_code.isEmpty()) {
            m_blocks.emplace_back(report::Listing{std::exchange(m_code, {}).join(u'\n').toStdString()});
        }
    }
    void end()
    {
        endCode();
        if (const QString text = plainLine(std::exchange(m_paragraph, {})); !text.isEmpty()) {
            m_blocks.emplace_back(report::Paragraph{text.toStdString()});
        }
        if (!m_table.header.empty()) {
            m_blocks.emplace_back(std::exchange(m_table, {}));
        }
    }

    std::vector<MarkdownBlock> m_blocks;
    QString m_paragraph;
    QStringList m_code;
    report::Table m_table;
    bool m_isFenced = false;
};

} // namespace

std::vector<MarkdownBlock> markdownBlocks(std::string_view markdown)
{
    return BlockReader().blocks(QString::fromUtf8(markdown.data(), static_cast<qsizetype>(markdown.size())));
}

std::vector<std::string> plainParagraphs(std::string_view markdown)
{
    std::vector<std::string> paragraphs;
    for (MarkdownBlock& block : markdownBlocks(markdown)) {
        if (auto* paragraph = std::get_if<report::Paragraph>(&block)) {
            paragraphs.push_back(std::move(paragraph->text));
        } else if (auto* heading = std::get_if<report::Heading>(&block)) {
            paragraphs.push_back(std::move(heading->text));
        } else if (auto* code = std::get_if<report::Listing>(&block)) {
            paragraphs.push_back(std::move(code->text));
        }
    }
    return paragraphs;
}

} // namespace lockstep::laboratory
