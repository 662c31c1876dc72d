#include "ui/export/report_pages.h"

#include "analysis/report/writers.h"

#include <QAbstractTextDocumentLayout>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextObjectInterface>
#include <QTextTable>

#include <cmath>
#include <utility>
#include <vector>

namespace lockstep::ui {

namespace {

constexpr double DotsPerMm = 96.0 / 25.4;
constexpr double PageWidthMm = 210.0;
constexpr double PageHeightMm = 297.0;
constexpr double MarginMm = 25.0;
constexpr int PictureObject = QTextFormat::UserObject + 1;
constexpr int PictureNumber = QTextFormat::UserProperty + 1;
constexpr int KeptWithNext = QTextFormat::UserProperty + 2; ///< a heading's level, or:
constexpr int KeptWithTable = 9;

double points(double size)
{
    return size * 96.0 / 72.0;
}

/// In the units of the page, whatever device it is painted on.
QFont pageFont(double size, bool isBold = false)
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
    font.setPixelSize(static_cast<int>(std::lround(points(size))));
    font.setBold(isBold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// Qt's reader of SVG knows no patterns: hatched areas become light ones. And it draws Chinese in whatever font it
/// finds beside the first, which may be a bold one.
QByteArray forQtSvg(const std::string& svg)
{
    static const QRegularExpression Pattern(
        QStringLiteral("url\\(#fillpattern\\d+_([0-9a-f]{6})\\)\" fill-opacity=\"1\""));
    static const QRegularExpression Chinese(QStringLiteral(
        "(<text\\b[^>]*font-family=\")[^\"]*(\"[^>]*>[^<]*[\\x{3000}-\\x{9fff}\\x{ff00}-\\x{ffef}][^<]*</text>)"));
    QString text = QString::fromStdString(svg);
    text.replace(Pattern, QStringLiteral("#\\1\" fill-opacity=\"0.45\""));
    text.replace(Chinese, QStringLiteral("\\1Noto Sans CJK SC\\2"));
    text.replace(QLatin1String("font-weight=\"400\""), QLatin1String("font-weight=\"normal\""));
    return text.toUtf8();
}

/// Draws the charts: vectors on paper, which no resource of a document can be.
class PictureDrawing : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    int add(const report::Picture& picture)
    {
        auto renderer = std::make_unique<QSvgRenderer>(forQtSvg(picture.svg));
        m_pictures.push_back({std::move(renderer), QSizeF(picture.widthMm * DotsPerMm, picture.heightMm * DotsPerMm)});
        return static_cast<int>(m_pictures.size()) - 1;
    }

    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override { return of(format).size; }

    void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) override
    {
        of(format).renderer->render(painter, place);
    }

private:
    struct Drawn {
        std::unique_ptr<QSvgRenderer> renderer;
        QSizeF size;
    };
    [[nodiscard]] const Drawn& of(const QTextFormat& format) const
    {
        return m_pictures[static_cast<std::size_t>(format.intProperty(PictureNumber))];
    }

    std::vector<Drawn> m_pictures;
};

/// Lengths are those of the page.
struct BlockSpacing {
    double before = 0.0;
    double after = 8.0;
};

/// Writes the blocks into the document.
class PageWriter {
public:
    PageWriter(QTextDocument& document, PictureDrawing& drawing, const report::Report& report,
        const report::Pictures& pictures)
        : m_cursor(&document)
        , m_drawing(drawing)
        , m_report(report)
        , m_pictures(pictures)
    { }

    void write()
    {
        paragraph(m_report.title, pageFont(20, true), {60, 30}, Qt::AlignHCenter);
        titleLines();
        for (const report::Block& block : m_report.blocks) {
            std::visit([&](const auto& content) { add(content, block); }, block.content);
        }
    }

private:
    static QString text(const std::string& text)
    {
        QString result = QString::fromStdString(text);
        // What a document takes for the place of an object, or the end of a block.
        for (QChar& each : result) {
            const bool isControl = each.category() == QChar::Other_Control && each != u'\t';
            each = each == QChar::ObjectReplacementCharacter || isControl ? QChar(QChar::ReplacementCharacter) : each;
        }
        return result;
    }

    void begin(const BlockSpacing& spacing, Qt::Alignment alignment = Qt::AlignLeft, int headingLevel = 0)
    {
        QTextBlockFormat format;
        format.setTopMargin(spacing.before);
        format.setBottomMargin(spacing.after);
        format.setAlignment(alignment);
        format.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
        if (headingLevel > 0) {
            format.setProperty(KeptWithNext, headingLevel);
        }
        if (m_isFirst) {
            m_cursor.setBlockFormat(format);
            m_isFirst = false;
        } else {
            m_cursor.insertBlock(format);
        }
    }

    void paragraph(const std::string& content, const QFont& font, const BlockSpacing& spacing,
        Qt::Alignment alignment = Qt::AlignLeft, const QColor& color = Qt::black, int headingLevel = 0)
    {
        begin(spacing, alignment, headingLevel);
        QTextCharFormat format;
        format.setFont(font);
        format.setForeground(color);
        m_cursor.insertText(text(content), format);
    }

    QTextTable* table(int rows, int columns, const QVector<QTextLength>& widths, double border)
    {
        QTextTableFormat format;
        format.setBorder(border);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderBrush(QColor(0xCC, 0xCC, 0xCC));
        format.setBorderCollapse(true);
        format.setCellPadding(4);
        format.setCellSpacing(0);
        format.setColumnWidthConstraints(widths);
        format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
        format.setHeaderRowCount(border > 0 ? 1 : 0);
        return m_cursor.insertTable(rows, columns, format);
    }

    static void fill(
        QTextTable& table, int row, int column, const std::string& content, const QFont& font, bool isRight)
    {
        QTextCursor cursor = table.cellAt(row, column).firstCursorPosition();
        QTextBlockFormat block;
        block.setAlignment(isRight ? Qt::AlignRight : Qt::AlignLeft);
        cursor.setBlockFormat(block);
        QTextCharFormat format;
        format.setFont(font);
        cursor.insertText(text(content), format);
    }

    void afterTable()
    {
        m_cursor.movePosition(QTextCursor::End);
        QTextBlockFormat format;
        format.setLineHeight(6, QTextBlockFormat::FixedHeight);
        m_cursor.setBlockFormat(format);
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
        paragraph(heading.text, pageFont(size, true), {22, 8}, Qt::AlignLeft, Qt::black, heading.level);
    }

    void add(const report::Paragraph& content, const report::Block&) { lines(content.text, pageFont(10.5), Qt::black); }

    void lines(const std::string& content, const QFont& font, const QColor& color)
    {
        for (const QString& line : QString::fromStdString(content).split(u'\n', Qt::SkipEmptyParts)) {
            paragraph(line.toStdString(), font, {0, 8}, Qt::AlignLeft, color);
        }
    }

    void add(const report::Sentences& sentences, const report::Block&)
    {
        double before = 6.0;
        for (const report::Sentence& each : sentences.list) {
            paragraph("•  " + each.text, pageFont(10.5), {std::exchange(before, 0.0), 5});
            QTextBlockFormat format = m_cursor.blockFormat();
            format.setLeftMargin(18);
            format.setTextIndent(-14);
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
        const auto picture = m_pictures.find(block.key);
        if (picture == m_pictures.end() || picture->second.svg.empty()) {
            return;
        }
        // With its caption one block, which no page divides.
        begin({10, 12});
        QTextBlockFormat format = m_cursor.blockFormat();
        format.setLineHeight(100, QTextBlockFormat::ProportionalHeight);
        format.setNonBreakableLines(true);
        m_cursor.setBlockFormat(format);
        QTextCharFormat object;
        object.setObjectType(PictureObject);
        object.setProperty(PictureNumber, m_drawing.add(picture->second));
        m_cursor.insertText(QString(QChar::ObjectReplacementCharacter), object);
        m_cursor.insertText(
            QString(QChar::LineSeparator) + captionText(m_report.words.figure, m_numbering.next(chart), chart.caption),
            captionFormat());
    }

    void add(const report::Table& content, const report::Block&)
    {
        begin({8, 3}, Qt::AlignLeft, KeptWithTable);
        m_cursor.insertText(
            captionText(m_report.words.table, m_numbering.next(content), content.caption), captionFormat());
        const int columns = static_cast<int>(content.header.size());
        QVector<QTextLength> widths;
        double parts = 0;
        for (const bool isNumber : content.isNumber) {
            parts += isNumber ? 1.0 : 1.6;
        }
        for (const bool isNumber : content.isNumber) {
            widths += QTextLength(QTextLength::PercentageLength, (isNumber ? 1.0 : 1.6) / parts * 100.0);
        }
        QTextTable* made = table(static_cast<int>(content.rows.size()) + 1, columns, widths, 0.5);
        const double size = columns > 7 ? 7.5 : 8.5;
        const QFont font = pageFont(size);
        const QFont bold = pageFont(size, true);
        for (int column = 0; column < columns; ++column) {
            const auto at = static_cast<std::size_t>(column);
            fill(*made, 0, column, content.header[at], bold, content.isNumber[at]);
            for (std::size_t row = 0; row < content.rows.size(); ++row) {
                fill(*made, static_cast<int>(row) + 1, column, content.rows[row][at], font, content.isNumber[at]);
            }
        }
        afterTable();
    }

    void add(const report::Question& question, const report::Block&)
    {
        paragraph(question.text, pageFont(10.5, true), {10, 4});
        if (question.answer.empty()) {
            paragraph(m_report.words.answer, pageFont(10.5), {0, 60}, Qt::AlignLeft, QColor(0x77, 0x77, 0x77));
        } else {
            lines(question.answer, pageFont(10.5), Qt::black);
        }
    }

    void add(const report::Listing& listing, const report::Block&)
    {
        QFont font = pageFont(8);
        font.setFamilies(QStringList{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Noto Sans Mono CJK SC")});
        font.setFixedPitch(true);
        for (const QString& line : QString::fromStdString(listing.text).split(u'\n')) {
            paragraph(line.toStdString(), font, {0, 0});
            QTextBlockFormat format = m_cursor.blockFormat();
            format.setBackground(QColor(0xF5, 0xF5, 0xF5));
            format.setLineHeight(110, QTextBlockFormat::ProportionalHeight);
            m_cursor.setBlockFormat(format);
        }
        QTextBlockFormat last = m_cursor.blockFormat();
        last.setBottomMargin(12);
        m_cursor.setBlockFormat(last);
    }

    QTextCursor m_cursor;
    PictureDrawing& m_drawing;
    const report::Report& m_report;
    const report::Pictures& m_pictures;
    report::Numbering m_numbering;
    bool m_isFirst = true;
};

QSizeF innerSize()
{
    return {(PageWidthMm - 2 * MarginMm) * DotsPerMm, (PageHeightMm - 2 * MarginMm) * DotsPerMm};
}

} // namespace

class ReportPages::Private {
public:
    Private(const report::Report& report, const report::Pictures& pictures)
    {
        document.setUndoRedoEnabled(false);
        document.setDocumentMargin(0);
        document.setDefaultFont(pageFont(10.5));
        document.documentLayout()->registerHandler(PictureObject, &drawing);
        PageWriter(document, drawing, report, pictures).write();
        document.setPageSize(innerSize());
        keepWithNext();
    }

    QTextDocument document;
    PictureDrawing drawing;

private:
    /// Of the block's first line: a block that no page divides begins on the page before it.
    [[nodiscard]] int pageOf(const QTextBlock& block) const
    {
        const double top = document.documentLayout()->blockBoundingRect(block).top();
        const QTextLayout* lines = block.layout();
        const double line = lines->lineCount() > 0 ? lines->lineAt(0).y() : 0.0;
        return static_cast<int>((top + line + 1.0) / innerSize().height());
    }

    /// A heading, or a table's caption, that is the last of its page.
    [[nodiscard]] QTextBlock lonelyBlock() const
    {
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            const QTextBlock next = block.next();
            const QTextBlockFormat format = block.blockFormat();
            if (format.hasProperty(KeptWithNext) && format.pageBreakPolicy() == QTextFormat::PageBreak_Auto
                && next.isValid() && pageOf(next) > pageOf(block)) {
                return block;
            }
        }
        return {};
    }

    /// Moves each such block to the next page.
    void keepWithNext()
    {
        for (QTextBlock block = lonelyBlock(); block.isValid(); block = lonelyBlock()) {
            QTextCursor cursor(block);
            QTextBlockFormat format = block.blockFormat();
            format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
            cursor.setBlockFormat(format);
            // Lays the whole text out again: Qt 6.4 loses blocks when it lays out a part.
            document.setPageSize(innerSize());
        }
    }
};

ReportPages::ReportPages(const report::Report& report, const report::Pictures& pictures)
    : m_private(std::make_unique<Private>(report, pictures))
{ }

ReportPages::~ReportPages() = default;

QSizeF ReportPages::pageSize()
{
    return {PageWidthMm * DotsPerMm, PageHeightMm * DotsPerMm};
}

int ReportPages::count() const
{
    return m_private->document.pageCount();
}

void ReportPages::paint(QPainter& painter, int page) const
{
    const QSizeF inner = innerSize();
    const double margin = MarginMm * DotsPerMm;
    painter.save();
    painter.translate(margin, margin - page * inner.height());
    const QRectF place(0, page * inner.height(), inner.width(), inner.height());
    painter.setClipRect(place);
    QAbstractTextDocumentLayout::PaintContext context;
    context.clip = place;
    context.palette.setColor(QPalette::Text, Qt::black);
    m_private->document.documentLayout()->draw(&painter, context);
    painter.restore();
    painter.setFont(pageFont(9));
    painter.setPen(QColor(0x55, 0x55, 0x55));
    painter.drawText(
        QRectF(margin, margin + inner.height() + 10, inner.width(), 30), Qt::AlignHCenter, QString::number(page + 1));
}

QImage ReportPages::image(int page, double pixelsPerInch) const
{
    const double scale = pixelsPerInch / 96.0;
    QImage image((pageSize() * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    paint(painter, page);
    return image;
}

} // namespace lockstep::ui

#include "report_pages.moc"
