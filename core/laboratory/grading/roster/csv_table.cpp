#include "base/translate.h"
#include "exchange/bundle/zip_reader.h"
#include "laboratory/grading/roster/cell_table.h"

#include <QFile>

#include <algorithm>
#include <optional>
#include <vector>

namespace lockstep::laboratory::grading {

namespace {

constexpr qint64 LargestRoster = 64 << 20;

/// Where a cell lies in the file, with its quotation marks.
struct CsvCell {
    qsizetype begin = 0;
    qsizetype end = 0;
    std::string text;
    bool isQuoted = false;
    std::optional<std::size_t> change{}; ///< its place in the list of changes, once it was set
};

class CsvTable : public CellTable {
public:
    explicit CsvTable(QByteArray bytes)
        : m_bytes(std::move(bytes))
        , m_separator(separatorIn(m_bytes))
    { }

    [[nodiscard]] std::size_t rows() const override { return m_rows.size(); }
    [[nodiscard]] std::size_t columns(std::size_t row) const override { return m_rows[row].size(); }
    [[nodiscard]] std::string cell(std::size_t row, std::size_t column) const override
    {
        return row < m_rows.size() && column < m_rows[row].size() ? m_rows[row][column].text : std::string();
    }
    void setNumber(std::size_t row, std::size_t column, const std::string& number) override
    {
        std::vector<CsvCell>& cells = m_rows[row];
        while (cells.size() <= column) { // a short row becomes as long as needed
            const qsizetype end = cells.empty() ? 0 : cells.back().end;
            cells.push_back({end, end, {}, false, {}});
            m_changes.push_back({end, end, QByteArray(1, m_separator)});
        }
        CsvCell& cell = cells[column];
        const bool needsQuotes = cell.isQuoted || number.find(m_separator) != std::string::npos;
        const QByteArray text = QByteArray::fromStdString(number);
        if (!cell.change) {
            cell.change = m_changes.size();
            m_changes.push_back({cell.begin, cell.end, {}});
        }
        m_changes[*cell.change].text = needsQuotes ? '"' + text + '"' : text;
        cell.text = number;
    }
    [[nodiscard]] Result<QByteArray> bytes() const override
    {
        std::vector<Change> changes = m_changes;
        std::ranges::stable_sort(changes, {}, &Change::begin);
        QByteArray made;
        qsizetype at = 0;
        for (const Change& change : changes) {
            made += m_bytes.mid(at, change.begin - at) + change.text;
            at = change.end;
        }
        return made + m_bytes.mid(at);
    }

    Result<void> parse()
    {
        if (m_bytes.contains('\0')) {
            return failure(LS_TR("Messages", "it is not in UTF-8; export it as CSV in UTF-8"));
        }
        qsizetype at = m_bytes.startsWith("\xef\xbb\xbf") ? 3 : 0;
        while (at < m_bytes.size()) {
            std::vector<CsvCell> row;
            do {
                LOCKSTEP_TRY_ASSIGN(row.emplace_back(), cellAt(at));
                at = row.back().end;
            } while (at < m_bytes.size() && m_bytes[at] == m_separator && ++at <= m_bytes.size());
            if (at < m_bytes.size() && m_bytes[at] == '\r') {
                ++at;
            }
            if (at < m_bytes.size() && m_bytes[at] == '\n') {
                ++at;
            }
            m_rows.push_back(std::move(row));
        }
        return {};
    }

private:
    struct Change {
        qsizetype begin = 0;
        qsizetype end = 0;
        QByteArray text;
    };

    static char separatorIn(const QByteArray& bytes)
    {
        const QByteArray first = bytes.left(bytes.indexOf('\n'));
        char best = ',';
        for (const char each : {';', '\t'}) {
            best = first.count(each) > first.count(best) ? each : best;
        }
        return best;
    }
    [[nodiscard]] Result<CsvCell> cellAt(qsizetype begin) const
    {
        CsvCell cell{begin, begin, {}, begin < m_bytes.size() && m_bytes[begin] == '"', {}};
        if (!cell.isQuoted) {
            while (cell.end < m_bytes.size() && m_bytes[cell.end] != m_separator && m_bytes[cell.end] != '\n'
                && m_bytes[cell.end] != '\r') {
                ++cell.end;
            }
            cell.text = m_bytes.mid(begin, cell.end - begin).toStdString();
            return cell;
        }
        for (++cell.end;; ++cell.end) {
            if (cell.end >= m_bytes.size()) {
                return failure(LS_TR("Messages", "it has a quotation mark without its end"));
            }
            if (m_bytes[cell.end] != '"') {
                cell.text += m_bytes[cell.end];
            } else if (cell.end + 1 < m_bytes.size() && m_bytes[cell.end + 1] == '"') {
                cell.text += '"';
                ++cell.end;
            } else {
                break;
            }
        }
        ++cell.end;
        const char next = cell.end < m_bytes.size() ? m_bytes[cell.end] : '\n';
        return next == m_separator || next == '\n' || next == '\r'
            ? Result<CsvCell>(std::move(cell))
            : failure(LS_TR("Messages", "it has text behind a quotation mark"));
    }

    QByteArray m_bytes;
    char m_separator;
    std::vector<std::vector<CsvCell>> m_rows;
    std::vector<Change> m_changes;
};

} // namespace

Result<std::unique_ptr<CellTable>> csvTable(QByteArray bytes)
{
    auto table = std::make_unique<CsvTable>(std::move(bytes));
    LOCKSTEP_TRY(table->parse());
    return std::unique_ptr<CellTable>(std::move(table));
}

Result<std::unique_ptr<CellTable>> CellTable::read(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return failure(LS_TR("Messages", "%1 cannot be read: %2"),
            {verbatim(path.toStdString()), verbatim(file.errorString().toStdString())});
    }
    if (file.size() > LargestRoster) {
        return failure(
            LS_TR("Messages", "%1 is larger than 64 MiB, the most for a roster"), {verbatim(path.toStdString())});
    }
    auto table = exchange::isZip(path) ? workbookTable(path) : csvTable(file.readAll());
    return table ? std::move(table) : during(verbatim(path.toStdString()), table.error());
}

Result<std::vector<std::size_t>> placesOf(const CellTable& table, const std::vector<std::string_view>& columns)
{
    std::vector<std::size_t> places;
    for (const std::string_view each : columns) {
        std::size_t column = 0;
        while (table.rows() > 0 && column < table.columns(0) && table.cell(0, column) != each) {
            ++column;
        }
        if (table.rows() == 0 || column == table.columns(0)) {
            return failure(
                LS_TR("Messages", "its first line does not name the columns %1"), {verbatim(listed(columns))});
        }
        places.push_back(column);
    }
    return places;
}

std::string asTyped(const std::string& cell)
{
    return cell.size() > 1 && cell.front() == '\'' && std::string_view("=+-@\t").find(cell[1]) != std::string_view::npos
        ? cell.substr(1)
        : cell;
}

} // namespace lockstep::laboratory::grading
