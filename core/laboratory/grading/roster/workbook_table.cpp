// A workbook is a zip archive of XML: cells refer to a list of shared texts. Only the sheet's part is rewritten,
// with other text in the elements of the cells that were set.
#include "archive/zip_writer.h"
#include "base/draft_folder.h"
#include "base/translate.h"
#include "exchange/bundle/zip_reader.h"
#include "laboratory/grading/roster/cell_table.h"

#include <QFile>
#include <QXmlStreamReader>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace lockstep::laboratory::grading {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t LargestPart = std::uint64_t{64} << 20;
constexpr std::size_t MostColumns = 16'384; ///< of a sheet, by the standard

struct SheetCell {
    qsizetype begin = 0; ///< of `<c`, in the sheet's characters
    qsizetype end = 0; ///< behind `</c>`
    QString style; ///< its attribute s; empty: none
    std::string text;
};

struct SheetRow {
    QString number; ///< its attribute r
    qsizetype end = 0; ///< of its `</row>`
    std::map<std::size_t, SheetCell> cells; ///< by column
};

/// `BC12` is column 54.
std::optional<std::size_t> columnOf(QStringView reference)
{
    std::size_t column = 0;
    for (const QChar letter : reference) {
        if (letter < u'A' || letter > u'Z') {
            break;
        }
        column = column * 26 + static_cast<std::size_t>(letter.unicode() - u'A' + 1);
        if (column > MostColumns) {
            return std::nullopt;
        }
    }
    return column == 0 ? std::nullopt : std::optional(column - 1);
}

QString columnName(std::size_t column)
{
    QString name;
    for (std::size_t rest = column + 1; rest > 0; rest = (rest - 1) / 26) {
        name.prepend(QChar(static_cast<char16_t>(u'A' + (rest - 1) % 26)));
    }
    return name;
}

/// The text of an element with runs of rich text, without phonetic hints; the reader stands at its beginning.
QString richTextIn(QXmlStreamReader& xml)
{
    QString text;
    for (int depth = 1; depth > 0 && !xml.atEnd();) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == u"rPh") {
            xml.skipCurrentElement();
        } else if (xml.isStartElement() && xml.name() == u"t") {
            text += xml.readElementText();
        } else {
            depth += xml.isStartElement() ? 1 : xml.isEndElement() ? -1 : 0;
        }
    }
    return text;
}

std::vector<std::string> sharedTexts(const QByteArray& part)
{
    std::vector<std::string> texts;
    QXmlStreamReader xml(part);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"si") {
            texts.push_back(richTextIn(xml).toStdString());
        }
    }
    return texts;
}

class WorkbookTable : public CellTable {
public:
    Result<void> open(const QString& path)
    {
        LOCKSTEP_TRY_ASSIGN(const auto archive, exchange::ZipReader::open(path));
        std::vector<std::string> shared;
        for (const exchange::ZipMember& member : archive.members()) {
            LOCKSTEP_TRY_ASSIGN(const QByteArray content, archive.read(member.name, LargestPart));
            if (member.name == u"xl/sharedStrings.xml") {
                shared = sharedTexts(content);
            }
            if (isSheet(member.name) && (m_sheetName.isEmpty() || member.name < m_sheetName)) {
                m_sheetName = member.name;
                m_sheet = QString::fromUtf8(content);
            }
            m_parts.push_back({member.name.toStdString(), content.toStdString()});
        }
        if (m_sheetName.isEmpty()) {
            return failure(LS_TR("Messages", "it is no workbook of spreadsheets"));
        }
        return parse(shared);
    }

    [[nodiscard]] std::size_t rows() const override { return m_rows.size(); }
    [[nodiscard]] std::size_t columns(std::size_t row) const override
    {
        return m_rows[row].cells.empty() ? 0 : m_rows[row].cells.rbegin()->first + 1;
    }
    [[nodiscard]] std::string cell(std::size_t row, std::size_t column) const override
    {
        if (row >= m_rows.size()) {
            return {};
        }
        const auto found = m_rows[row].cells.find(column);
        return found == m_rows[row].cells.end() ? std::string() : found->second.text;
    }
    void setNumber(std::size_t row, std::size_t column, const std::string& number) override
    {
        SheetRow& to = m_rows[row];
        const auto after = to.cells.upper_bound(column);
        const qsizetype before = after == to.cells.end() ? to.end : after->second.begin;
        auto [cell, isNew] = to.cells.try_emplace(column, SheetCell{before, before, {}, {}});
        const QString style = cell->second.style.isEmpty() ? QString() : u" s=\"%1\""_s.arg(cell->second.style);
        m_changes[cell->second.begin] = {cell->second.end,
            u"<%1c r=\"%2%3\"%4><%1v>%5</%1v></%1c>"_s.arg(
                m_prefix, columnName(column), to.number, style, QString::fromStdString(number).replace(u',', u'.'))};
        cell->second.text = number;
    }
    [[nodiscard]] Result<QByteArray> bytes() const override
    {
        QString sheet;
        qsizetype at = 0;
        for (const auto& [begin, change] : m_changes) {
            sheet += m_sheet.mid(at, begin - at) + change.text;
            at = change.end;
        }
        sheet += m_sheet.mid(at);
        std::vector<archive::ZipInput> parts = m_parts;
        std::ranges::find(parts, m_sheetName.toStdString(), &archive::ZipInput::name)->content = sheet.toStdString();
        LOCKSTEP_TRY_ASSIGN(const std::string zipped, archive::zipped(parts));
        return QByteArray::fromStdString(zipped);
    }

private:
    struct Change {
        qsizetype end = 0;
        QString text;
    };

    static bool isSheet(const QString& name) { return name.startsWith(u"xl/worksheets/sheet"_s); }
    Result<void> parse(const std::vector<std::string>& shared)
    {
        QXmlStreamReader xml(m_sheet);
        while (!xml.atEnd()) {
            const qsizetype before = xml.characterOffset();
            xml.readNext();
            if (xml.isStartElement() && xml.name() == u"row") {
                m_prefix = xml.prefix().isEmpty() ? QString() : xml.prefix().toString() + u':';
                m_rows.push_back({xml.attributes().value(u"r"_s).toString(), 0, {}});
            } else if (xml.isEndElement() && xml.name() == u"row") {
                m_rows.back().end = before;
            } else if (xml.isStartElement() && xml.name() == u"c" && !m_rows.empty()) {
                LOCKSTEP_TRY(addCell(xml, m_sheet.lastIndexOf(u'<', xml.characterOffset() - 1), shared));
            }
        }
        return xml.hasError()
            ? failure(LS_TR("Messages", "its sheet is damaged: %1"), {verbatim(xml.errorString().toStdString())})
            : Result<void>();
    }
    Result<void> addCell(QXmlStreamReader& xml, qsizetype begin, const std::vector<std::string>& shared)
    {
        const QXmlStreamAttributes attributes = xml.attributes();
        const auto column = columnOf(attributes.value(u"r"_s));
        const QString kind = attributes.value(u"t"_s).toString();
        SheetCell cell{begin, 0, attributes.value(u"s"_s).toString(), {}};
        QString value;
        while (!xml.atEnd() && !(xml.isEndElement() && xml.name() == u"c")) {
            xml.readNext();
            if (xml.isStartElement() && xml.name() == u"is") {
                cell.text = richTextIn(xml).toStdString();
            } else if (xml.isStartElement() && xml.name() == u"v") {
                value = xml.readElementText();
            }
        }
        cell.end = xml.characterOffset();
        if (!column || m_rows.back().number.isEmpty()) {
            return failure(LS_TR("Messages", "its sheet has a cell without a place"));
        }
        if (kind == u"s") {
            const std::size_t number = value.toULongLong();
            cell.text = number < shared.size() ? shared[number] : std::string();
        } else if (kind != u"inlineStr") {
            cell.text = value.toStdString();
        }
        m_rows.back().cells[*column] = std::move(cell);
        return {};
    }

    std::vector<archive::ZipInput> m_parts;
    QString m_sheetName;
    QString m_sheet;
    QString m_prefix; ///< of its elements, with the colon; empty: none
    std::vector<SheetRow> m_rows;
    std::map<qsizetype, Change> m_changes; ///< by where they begin
};

} // namespace

Result<std::unique_ptr<CellTable>> workbookTable(const QString& path)
{
    auto table = std::make_unique<WorkbookTable>();
    LOCKSTEP_TRY(table->open(path));
    return std::unique_ptr<CellTable>(std::move(table));
}

} // namespace lockstep::laboratory::grading
