#include "ui/export/report/report_document.h"

#include "analysis/plain_text.h"
#include "exchange/report/table_layout.h"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QPainter>
#include <QRegularExpression>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {

namespace {

/// Lengths are those of the page.
struct BlockSpacing {
    double before = 0.0;
    double after = 8.0;
};

/// Writes the blocks into the document.
class PageWriter {
public:
    PageWriter(QTextDocument& document, ChartDrawing& drawing, const report::Report& report, const ReportCharts& charts)
        : m_cursor(&document)
        , m_drawing(drawing)
        , m_report(report)
        , m_charts(charts)
    { }

    void write()
    {
        paragraph(m_report.title, pageFont(20, true), {60, 30}, Qt::AlignHCenter);
        titleLines();
        for (std::size_t i = 0; i < m_report.blocks.size(); ++i) {
            const report::Block& block = m_report.blocks[i];
            m_kept = report::isKeptWithNext(m_report.blocks, i) ? KeptWithNext : 0;
            const int before = m_cursor.document()->blockCount();
            std::visit([&](const auto& content) { add(content, block); }, block.content);
            if (m_cursor.document()->blockCount() > before) {
                m_places[block.key] = m_cursor.document()->findBlockByNumber(before).position();
            }
        }
    }
    /// Positions in the document, by the block's key.
    [[nodiscard]] const std::map<std::string, int>& places() const { return m_places; }

private:
    static QString text(const std::string& text)
    {
        // What a document would take for the place of an object.
        return QString::fromStdString(analysis::cleanLine(text))
            .replace(QChar(QChar::ObjectReplacementCharacter), QChar(QChar::ReplacementCharacter));
    }

    void begin(const BlockSpacing& spacing, Qt::Alignment alignment = Qt::AlignLeft, int kept = 0)
    {
        constexpr double BelowTable = 15.0; // the empty block behind a table has no height
        QTextBlockFormat format;
        format.setTopMargin(std::max(spacing.before, std::exchange(m_isBelowTable, false) ? BelowTable : 0.0));
        format.setBottomMargin(spacing.after);
        format.setAlignment(alignment);
        format.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
        if (kept != 0) {
            format.setProperty(KeptProperty, kept);
        }
        if (m_isFirst) {
            m_cursor.setBlockFormat(format);
            m_isFirst = false;
        } else {
            m_cursor.insertBlock(format);
        }
    }

    void paragraph(const std::string& content, const QFont& font, const BlockSpacing& spacing,
        Qt::Alignment alignment = Qt::AlignLeft, const QColor& color = Qt::black, int kept = 0)
    {
        begin(spacing, alignment, kept);
        QTextCharFormat format;
        format.setFont(font);
        format.setForeground(color);
        insert(m_cursor, text(content), format);
    }

    /// Letters with an accent that no character has, such as m̂, as objects: a PDF has the accent at a wrong place.
    void insert(QTextCursor& cursor, const QString& content, const QTextCharFormat& format)
    {
        static const QRegularExpression Accented(QStringLiteral("(\\S)([\u0302\u0303\u0304])"));
        const QString composed = content.normalized(QString::NormalizationForm_C);
        qsizetype at = 0;
        for (auto found = Accented.globalMatch(composed); found.hasNext();) {
            const auto match = found.next();
            cursor.insertText(composed.mid(at, match.capturedStart() - at), format);
            QTextCharFormat object = format;
            object.setObjectType(AccentDrawing::Object);
            object.setProperty(AccentDrawing::Letter, match.captured());
            cursor.insertText(QString(QChar::ObjectReplacementCharacter), object);
            at = match.capturedEnd();
        }
        cursor.insertText(composed.mid(at), format);
    }

    QTextTable* table(int rows, int columns, const QVector<QTextLength>& widths, int headerRows)
    {
        QTextTableFormat format;
        format.setBorder(0);
        format.setCellPadding(4);
        format.setCellSpacing(0);
        format.setColumnWidthConstraints(widths);
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        format.setHeaderRowCount(headerRows);
        return m_cursor.insertTable(rows, columns, format);
    }

    void fill(QTextTable& table, int row, int column, const std::string& content, const QFont& font, bool isRight,
        report::Intervals intervals = report::Intervals::Whole)
    {
        QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
        QTextBlockFormat block;
        block.setAlignment(isRight ? Qt::AlignRight : Qt::AlignLeft);
        cursor.setBlockFormat(block);
        QTextCharFormat format;
        format.setFont(font);
        insert(cursor, text(report::unbroken(content, intervals)), format);
    }

    void afterTable()
    {
        m_cursor.movePosition(QTextCursor::End);
        m_isBelowTable = true;
    }

    void titleLines()
    {
        const int rows = static_cast<int>(m_report.titleLines.size());
        QTextTable* made = table(rows, 2,
            {QTextLength(QTextLength::PercentageLength, 30), QTextLength(QTextLength::PercentageLength, 70)}, 0);
        for (int row = 0; row < rows; ++row) {
            const report::TitleLine& line = m_report.titleLines[static_cast<std::size_t>(row)];
            fill(*made, row, 0, line.label, pageFont(11), true);
            fill(*made, row, 1, line.text.empty() ? std::string(32, '_') : line.text, pageFont(11), false);
        }
        afterTable();
    }

    void add(const report::Heading& heading, const report::Block&)
    {
        const double size = heading.level == 1 ? 15 : heading.level == 2 ? 13 : 12;
        paragraph(heading.text, pageFont(size, true), {22, 8}, Qt::AlignLeft, Qt::black, KeptWithNext);
    }

    void add(const report::Paragraph& content, const report::Block&)
    {
        for (const std::vector<report::Piece>& line : report::linesOf(content)) {
            begin({0, 8}, report::isFormula(line) ? Qt::AlignHCenter : Qt::AlignLeft, m_kept);
            for (const report::Piece& piece : line) {
                insert(piece);
            }
        }
    }

    void insert(const report::Piece& piece)
    {
        QTextCharFormat format;
        format.setForeground(Qt::black);
        format.setFont(piece.style == report::TextStyle::Code
                ? codeFont(9.5)
                : pageFont(10.5, piece.style == report::TextStyle::Strong));
        format.setFontItalic(piece.style == report::TextStyle::Emphasis);
        if (piece.style != report::TextStyle::Formula) {
            insert(m_cursor, text(piece.text), format);
            return;
        }
        // Quantities are single letters, in italics; the names of functions are words.
        static const QRegularExpression Quantity(QStringLiteral(
            "(?<![A-Za-z])[A-Za-z](?![A-Za-z])[\u0302\u0303\u0304]?|[\u03B1-\u03C9][\u0302\u0303\u0304]?"));
        const QString formula = text(piece.text);
        qsizetype at = 0;
        for (auto found = Quantity.globalMatch(formula); found.hasNext();) {
            const auto match = found.next();
            format.setFontItalic(false);
            insert(m_cursor, formula.mid(at, match.capturedStart() - at), format);
            format.setFontItalic(true);
            insert(m_cursor, match.captured(), format);
            at = match.capturedEnd();
        }
        format.setFontItalic(false);
        insert(m_cursor, formula.mid(at), format);
    }

    void add(const report::Sentences& sentences, const report::Block&)
    {
        const std::string bullet = "•  ";
        const double indent = QFontMetricsF(pageFont(10.5)).horizontalAdvance(text(bullet));
        double before = 6.0;
        for (const report::Sentence& each : sentences.list) {
            paragraph(bullet + report::unbroken(each.text), pageFont(10.5), {std::exchange(before, 0.0), 5});
            QTextBlockFormat format = m_cursor.blockFormat();
            format.setLeftMargin(4 + indent);
            format.setTextIndent(-indent);
            m_cursor.setBlockFormat(format);
        }
    }

    static QString captionText(const std::string& word, int number, const std::string& content)
    {
        return text(word + " " + std::to_string(number) + "  " + content);
    }

    static QTextCharFormat captionFormat()
    {
        QTextCharFormat format;
        format.setFont(pageFont(9));
        format.setForeground(QColor(0x33, 0x33, 0x33));
        return format;
    }

    void add(const report::Chart& chart, const report::Block& block)
    {
        const auto found = m_charts.find(block.key);
        if (found == m_charts.end()) {
            return;
        }
        begin({10, 4}, Qt::AlignLeft, KeptWithNext);
        QTextBlockFormat format = m_cursor.blockFormat();
        format.setLineHeight(100, QTextBlockFormat::ProportionalHeight);
        m_cursor.setBlockFormat(format);
        QTextCharFormat object;
        object.setObjectType(ChartDrawing::Object);
        object.setProperty(ChartDrawing::Number, m_drawing.add(found->second));
        m_cursor.insertText(QString(QChar::ObjectReplacementCharacter), object);
        begin({0, 12});
        m_cursor.insertText(
            captionText(m_report.words.figure, m_numbering.next(chart), chart.caption), captionFormat());
    }

    void add(const report::Table& content, const report::Block&)
    {
        begin({8, 3}, Qt::AlignLeft, report::isKeptTogether(content) ? KeptWithWholeTable : KeptWithNext);
        m_cursor.insertText(
            captionText(m_report.words.table, m_numbering.next(content), content.caption), captionFormat());
        const int columns = static_cast<int>(content.header.size());
        QVector<QTextLength> widths;
        for (const double share : report::columnShares(content)) {
            widths += QTextLength(QTextLength::PercentageLength, share * 100.0);
        }
        QTextTable* made = table(static_cast<int>(content.rows.size()) + 1, columns, widths, 1);
        const double size = columns > 8 ? 7.0 : columns > 7 ? 7.5 : 8.5;
        const QFont font = pageFont(size);
        const QFont bold = pageFont(size, true);
        const report::Intervals intervals = report::intervalsOf(content);
        for (int column = 0; column < columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            fill(*made, 0, column, content.header[at], bold, content.isNumber[at]);
            for (std::size_t row = 0; row < content.rows.size(); ++row) {
                fill(*made, static_cast<int>(row) + 1, column, content.rows[row][at], font, content.isNumber[at],
                    intervals);
            }
        }
        afterTable();
    }

    void add(const report::Question& question, const report::Block&)
    {
        paragraph(question.text, pageFont(10.5, true), {10, 4}, Qt::AlignLeft, Qt::black, KeptWithNext);
        if (question.answer.empty()) {
            paragraph(m_report.words.answer, pageFont(10.5), {0, 60}, Qt::AlignLeft, QColor(0x77, 0x77, 0x77));
        } else {
            add(report::Paragraph{question.answer, {}}, report::Block());
        }
    }

    void add(const report::Listing& listing, const report::Block&)
    {
        const QFont font = codeFont(8);
        // A line that is too long for the page continues indented, so that it does not look like two.
        const double hanging = QFontMetricsF(font).horizontalAdvance(QString(8, u' '));
        const QStringList lines = QString::fromStdString(listing.text).split(u'\n');
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const bool isKept
                = report::isListingLineKept(static_cast<std::size_t>(i), static_cast<std::size_t>(lines.size()));
            paragraph(lines[i].toStdString(), font, {0, 0}, Qt::AlignLeft, Qt::black, isKept ? KeptWithNext : 0);
            QTextBlockFormat format = m_cursor.blockFormat();
            format.setBackground(QColor(0xF5, 0xF5, 0xF5));
            format.setLeftMargin(hanging);
            format.setTextIndent(-hanging);
            format.setLineHeight(110, QTextBlockFormat::ProportionalHeight);
            m_cursor.setBlockFormat(format);
        }
        QTextBlockFormat last = m_cursor.blockFormat();
        last.setBottomMargin(12);
        m_cursor.setBlockFormat(last);
    }

    QTextCursor m_cursor;
    ChartDrawing& m_drawing;
    const report::Report& m_report;
    const ReportCharts& m_charts;
    report::Numbering m_numbering;
    std::map<std::string, int> m_places;
    int m_kept = 0; ///< of the block that is written
    bool m_isFirst = true;
    bool m_isBelowTable = false;
};

} // namespace

QSizeF AccentDrawing::intrinsicSize(QTextDocument*, int, const QTextFormat& format)
{
    const QFontMetricsF metrics(format.toCharFormat().font());
    return {metrics.horizontalAdvance(format.stringProperty(Letter).front()), metrics.ascent()};
}

void AccentDrawing::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format)
{
    const QString letter = format.stringProperty(Letter);
    const QChar accent = letter.back() == QChar(0x0302) ? QChar(0x02C6)
        : letter.back() == QChar(0x0303)                ? QChar(0x02DC)
                                                        : QChar(0x00AF);
    const QFont font = format.toCharFormat().font();
    const QFontMetricsF metrics(font);
    painter->setFont(font);
    painter->setPen(format.toCharFormat().foreground().color());
    painter->drawText(place.bottomLeft(), letter.front());
    const QRectF ofLetter = metrics.boundingRect(letter.front());
    const QRectF ofAccent = metrics.boundingRect(accent);
    const double gap = metrics.ascent() / 16.0;
    painter->drawText(QPointF(place.left() + ofLetter.center().x() - ofAccent.center().x(),
                          place.bottom() + ofLetter.top() - gap - ofAccent.bottom()),
        accent);
}

int ChartDrawing::add(const ReportChart& chart)
{
    m_charts.push_back(chart);
    return static_cast<int>(m_charts.size()) - 1;
}

QSizeF ChartDrawing::intrinsicSize(QTextDocument*, int, const QTextFormat&)
{
    return {ReportFigureWidthMm * UnitsPerMm, ReportFigureHeightMm * UnitsPerMm};
}

void ChartDrawing::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format)
{
    const ReportChart& chart = m_charts[static_cast<std::size_t>(format.intProperty(Number))];
    if (m_vectors == nullptr) {
        const QSize pixels
            = painter->combinedTransform().mapRect(place).size().toSize() * painter->device()->devicePixelRatio();
        painter->drawImage(place, chart.image().scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
        return;
    }
    m_vectors->save();
    m_vectors->translate(place.topLeft());
    m_vectors->scale(ReportPages::UnitsPerInch / VectorDpi, ReportPages::UnitsPerInch / VectorDpi);
    sheetOf(chart.picture()).page(reportPaper(), VectorDpi)->draw(*m_vectors);
    m_vectors->restore();
}

QFont pageFont(double size, bool isBold)
{
    QFont font = QGuiApplication::font();
    QStringList families;
    for (const char* family : {"Noto Sans", "Arial", "Liberation Sans", "DejaVu Sans"}) {
        if (QFontDatabase::hasFamily(QLatin1String(family))) {
            families += QLatin1String(family);
            break;
        }
    }
    font.setFamilies(families + QStringList{font.family(), QStringLiteral("Noto Sans CJK SC")});
    font.setPixelSize(static_cast<int>(std::lround(size * ReportPages::UnitsPerInch / PointsPerInch)));
    font.setBold(isBold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QFont codeFont(double size)
{
    QFont font = pageFont(size);
    font.setFamilies(QStringList{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono CJK SC")});
    font.setFixedPitch(true);
    return font;
}

std::map<std::string, int> writeReport(
    QTextDocument& document, ChartDrawing& drawing, const report::Report& report, const ReportCharts& charts)
{
    PageWriter writer(document, drawing, report, charts);
    // Laid out once, at the end: after each cell of its tables that takes seconds.
    QTextCursor whole(&document);
    whole.beginEditBlock();
    writer.write();
    whole.endEditBlock();
    return writer.places();
}

} // namespace lockstep::ui
