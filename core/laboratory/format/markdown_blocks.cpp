#include "laboratory/format/markdown_blocks.h"

#include "laboratory/format/formula_text.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockstep::laboratory {

using namespace Qt::StringLiterals;

namespace {

QString withoutSigns(QString text)
{
    static const QRegularExpression Picture(u"!\\[[^\\]]*\\]\\([^)]*\\)"_s);
    static const QRegularExpression Link(u"\\[([^\\]]*)\\]\\([^)]*\\)"_s);
    static const QRegularExpression Strong(u"\\*\\*|(?<![A-Za-z0-9])__|__(?![A-Za-z0-9])"_s);
    static const QRegularExpression Emphasis(
        u"(?<![\\w*])\\*(?=\\S)([^*]+)(?<=\\S)\\*(?![\\w*])|(?<!\\w)_(?=\\S)([^_]+)(?<=\\S)_(?!\\w)"_s);
    static const QRegularExpression Escaped(u"\\\\([!-/:-@\\[-`{-~])"_s);
    return text.remove(Picture)
        .replace(Link, u"\\1"_s)
        .remove(Strong)
        .replace(Emphasis, u"\\1\\2"_s)
        .replace(Escaped, u"\\1"_s);
}

/// Whether code in a line is a formula: it has signs that no code has, or is one letter.
bool isFormulaCode(const QString& code)
{
    static const QRegularExpression Signs(
        u"[\u0370-\u03FF\u00B2\u00B3\u00B9\u1D40\u1D57\u1D63\u2070-\u209F\u2190-\u2193\u2200-\u22FF\u03A3\u0302]"_s);
    return code.contains(Signs) || (code.size() == 1 && code.front().isLetter());
}

/// Runs of blanks are one.
std::string blanksOnce(QString text)
{
    static const QRegularExpression Blanks(u"\\s+"_s);
    return text.replace(Blanks, u" "_s).toStdString();
}

/// One after another line of a paragraph; Chinese is written without blanks.
QString joined(const QString& text, const QString& line)
{
    constexpr char16_t FirstOfCjk = 0x2E80;
    const bool isChinese = !text.isEmpty() && !line.isEmpty()
        && (text.back().unicode() >= FirstOfCjk || line.front().unicode() >= FirstOfCjk);
    return text.isEmpty() || isChinese ? text + line : text + u' ' + line;
}

/// Where code in a line that begins at `at` ends, behind its backticks; `at` where it does not.
qsizetype codeEnd(const QString& text, qsizetype at)
{
    static const QRegularExpression Code(u"\\G(`+)(?!`).*?(?<!`)\\1(?!`)"_s);
    const auto found = Code.match(text, at);
    return found.hasMatch() ? found.capturedEnd() : at;
}

QStringList cellsOf(QString row)
{
    row = row.trimmed();
    row.remove(0, row.startsWith(u'|') ? 1 : 0);
    QStringList cells{QString()};
    for (qsizetype at = 0; at < row.size(); ++at) {
        if (const qsizetype end = row[at] == u'`' ? codeEnd(row, at) : at; end > at) {
            cells.back() += row.mid(at, end - at);
            at = end - 1;
        } else if (row[at] == u'\\' && at + 1 < row.size() && row[at + 1] == u'|') {
            cells.back() += row[++at];
        } else if (row[at] == u'|') {
            cells += QString();
        } else {
            cells.back() += row[at];
        }
    }
    if (cells.size() > 1 && cells.back().trimmed().isEmpty()) {
        cells.removeLast();
    }
    return cells;
}

/// Reads line by line. What it does not know is text.
class StepReader {
public:
    StepReader(std::string_view markdown, std::string caption)
        : m_taken(takeFormulas(QString::fromUtf8(markdown.data(), static_cast<qsizetype>(markdown.size()))))
        , m_lines(m_taken.text.remove(u'\r').split(u'\n'))
        , m_caption(std::move(caption))
    { }

    std::vector<BlockContent> read()
    {
        while (m_at < m_lines.size()) {
            readLine();
        }
        endText();
        return std::move(m_blocks);
    }

private:
    enum class Open { Nothing, Paragraph, Numbers, Bullets };

    void readLine()
    {
        static const QRegularExpression Fence(u"^ {0,3}(```+|~~~+)"_s);
        static const QRegularExpression Heading(u"^ {0,3}(#{1,6}) +(.*?)(?: +#+)? *$"_s);
        static const QRegularExpression Rule(u"^ {0,3}([-*_])( *\\1){2,} *$"_s);
        static const QRegularExpression Delimiters(u"^ *\\|?( *:?-+:? *\\|)* *:?-+:? *\\|? *$"_s);
        const QString line = m_lines[m_at];
        if (const auto fence = Fence.match(line); fence.hasMatch()) {
            endText();
            readCode(fence.captured(1));
            return;
        }
        const bool isTable = line.contains(u'|') && m_open == Open::Nothing && m_at + 1 < m_lines.size()
            && m_lines[m_at + 1].contains(u'|') && Delimiters.match(m_lines[m_at + 1]).hasMatch();
        if (isTable) {
            readTable();
            return;
        }
        if (line.startsWith(u'>')) {
            endText();
            skipHint();
            return;
        }
        ++m_at;
        if (const auto heading = Heading.match(line); heading.hasMatch()) {
            endText();
            const int level = std::clamp(static_cast<int>(heading.capturedLength(1)), 2, 3);
            m_blocks.emplace_back(report::Heading{level, plain(heading.captured(2))});
        } else if (line.trimmed().isEmpty() || Rule.match(line).hasMatch()) {
            endText();
        } else {
            readText(line);
        }
    }

    /// A quotation says what to do in the window: nothing for paper.
    void skipHint()
    {
        while (m_at < m_lines.size() && !m_lines[m_at].trimmed().isEmpty()) {
            ++m_at;
        }
    }

    void readText(const QString& line)
    {
        static const QRegularExpression Number(u"^ *([0-9]{1,9}[.)]) +(.*)$"_s);
        static const QRegularExpression Bullet(u"^ *[-*+] +(.*)$"_s);
        if (const auto number = Number.match(line);
            number.hasMatch() && (m_open != Open::Paragraph || number.captured(1).chopped(1) == u"1"_s)) {
            begin(Open::Numbers, number.captured(1) + u' ' + number.captured(2));
        } else if (const auto bullet = Bullet.match(line); bullet.hasMatch()) {
            begin(Open::Bullets, bullet.captured(1));
        } else if (m_open == Open::Nothing) {
            const QString text = line.trimmed();
            const bool isCode = line.startsWith(u"    "_s) && !text.contains(u'`');
            begin(Open::Paragraph, isCode ? u'`' + text + u'`' : text);
        } else {
            m_items.back() = joined(m_items.back(), line.trimmed());
        }
    }

    void begin(Open what, const QString& item)
    {
        if (m_open != what) {
            endText();
        }
        m_open = what;
        m_items += item;
    }

    void endText()
    {
        if (m_open == Open::Bullets) {
            report::Sentences list;
            for (const QString& item : std::as_const(m_items)) {
                list.list.push_back({"text", plain(item), {}, {}});
            }
            m_blocks.emplace_back(std::move(list));
        } else if (m_open != Open::Nothing) {
            report::Paragraph paragraph;
            for (const QString& item : std::as_const(m_items)) {
                if (!paragraph.text.empty()) {
                    paragraph.pieces.push_back({"\n", report::TextStyle::Plain});
                }
                std::ranges::move(styled(item), std::back_inserter(paragraph.pieces));
                paragraph.text.clear();
                for (const report::Piece& piece : paragraph.pieces) {
                    paragraph.text += piece.text;
                }
            }
            if (!paragraph.text.empty()) { // of a picture alone nothing is left
                m_blocks.emplace_back(std::move(paragraph));
            }
        }
        m_items.clear();
        m_open = Open::Nothing;
    }

    void readCode(const QString& fence)
    {
        QStringList code;
        for (++m_at; m_at < m_lines.size() && !m_lines[m_at].trimmed().startsWith(fence); ++m_at) {
            code += m_lines[m_at];
        }
        ++m_at;
        m_blocks.emplace_back(report::Listing{withFormulas(code.join(u'\n')).toStdString()});
    }

    void readTable()
    {
        report::Table table;
        table.caption = m_caption;
        table.header = row(cellsOf(m_lines[m_at]));
        for (const QString& cell : cellsOf(m_lines[m_at + 1])) {
            table.isNumber.push_back(cell.trimmed().endsWith(u':'));
        }
        table.isNumber.resize(table.header.size());
        for (m_at += 2; m_at < m_lines.size() && m_lines[m_at].contains(u'|'); ++m_at) {
            table.rows.push_back(row(cellsOf(m_lines[m_at])));
            table.rows.back().resize(table.header.size());
        }
        m_blocks.emplace_back(std::move(table));
    }

    [[nodiscard]] std::vector<std::string> row(const QStringList& cells) const
    {
        std::vector<std::string> texts;
        std::ranges::transform(cells, std::back_inserter(texts), [this](const QString& cell) { return plain(cell); });
        return texts;
    }

    [[nodiscard]] std::string plain(const QString& markdown) const
    {
        std::string text;
        for (const report::Piece& piece : styled(markdown)) {
            text += piece.text;
        }
        return text;
    }

    /// In code all signs mean themselves.
    [[nodiscard]] std::vector<report::Piece> styled(const QString& markdown) const
    {
        std::vector<report::Piece> pieces;
        QString rest;
        for (qsizetype at = 0; at < markdown.size();) {
            const qsizetype end = markdown[at] == u'`' ? codeEnd(markdown, at) : at;
            if (end == at) {
                rest += markdown[at++];
                continue;
            }
            qsizetype ticks = at;
            while (markdown[ticks] == u'`') {
                ++ticks;
            }
            appendText(pieces, std::exchange(rest, {}));
            const QString code = markdown.mid(ticks, end - ticks - (ticks - at)).trimmed();
            pieces.push_back({blanksOnce(withFormulas(code)),
                isFormulaCode(code) ? report::TextStyle::Formula : report::TextStyle::Code});
            at = end;
        }
        appendText(pieces, rest);
        std::erase_if(pieces, [](const report::Piece& piece) { return piece.text.empty(); });
        if (!pieces.empty()) { // no blanks at the ends
            pieces.front().text.erase(0, pieces.front().text.starts_with(' ') ? 1 : 0);
            if (pieces.back().text.ends_with(' ')) {
                pieces.back().text.pop_back();
            }
        }
        return pieces;
    }

    /// Without code.
    void appendText(std::vector<report::Piece>& pieces, const QString& text) const
    {
        static const QRegularExpression Marked(
            u"\\*\\*(?=\\S)(.+?)(?<=\\S)\\*\\*|(?<![\\w*\\\\])\\*(?=[^\\s*])([^*]+)(?<=\\S)\\*(?![\\w*])"_s);
        const auto append = [&](const QString& part, report::TextStyle style) {
            pieces.push_back({blanksOnce(withFormulas(withoutSigns(part))), style});
        };
        qsizetype at = 0;
        for (auto marked = Marked.globalMatch(text); marked.hasNext();) {
            const auto found = marked.next();
            append(text.mid(at, found.capturedStart() - at), report::TextStyle::Plain);
            const bool isStrong = found.hasCaptured(1);
            append(
                found.captured(isStrong ? 1 : 2), isStrong ? report::TextStyle::Strong : report::TextStyle::Emphasis);
            at = found.capturedEnd();
        }
        append(text.mid(at), report::TextStyle::Plain);
    }

    [[nodiscard]] QString withFormulas(const QString& text) const
    {
        QString result;
        for (const QChar each : text) {
            const auto place = static_cast<std::size_t>(each.unicode()) - FormulaMark;
            const bool isFormula = each.unicode() >= FormulaMark && place < m_taken.formulas.size();
            result += isFormula ? formulaLine(m_taken.formulas[place]) : QString(each);
        }
        return result;
    }

    TextWithFormulas m_taken;
    QStringList m_lines;
    std::string m_caption;
    qsizetype m_at = 0;
    Open m_open = Open::Nothing;
    QStringList m_items; ///< of the text that is open
    std::vector<BlockContent> m_blocks;
};

} // namespace

std::vector<BlockContent> blocksOf(std::string_view markdown, const std::string& caption)
{
    return StepReader(markdown, caption).read();
}

} // namespace lockstep::laboratory
