#include "ui/export/report/report_pages.h"

#include "ui/export/report/report_document.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

#include <map>
#include <optional>

namespace lockstep::ui {

namespace {

constexpr double PageWidthMm = 210.0;
constexpr double PageHeightMm = 297.0;
constexpr double MarginMm = 25.0;

QSizeF innerSize()
{
    return {(PageWidthMm - 2 * MarginMm) * UnitsPerMm, (PageHeightMm - 2 * MarginMm) * UnitsPerMm};
}

} // namespace

class ReportPages::Private {
public:
    Private(const report::Report& report, const ReportCharts& charts)
    {
        document.setUndoRedoEnabled(false);
        document.setDocumentMargin(0);
        document.setDefaultFont(pageFont(10.5));
        document.documentLayout()->registerHandler(ChartDrawing::Object, &drawing);
        document.documentLayout()->registerHandler(AccentDrawing::Object, &accents);
        places = writeReport(document, drawing, report, charts);
        document.setPageSize(innerSize());
        keepWithNext();
        while (const std::optional<int> moved = moveLoneLine()) {
            letFollow(*moved);
            keepWithNext();
        }
    }

    QTextDocument document;
    ChartDrawing drawing;
    AccentDrawing accents;
    std::map<std::string, int> places;

private:
    /// Of the block's first line: a block that no page divides begins on the page before it.
    [[nodiscard]] int pageOf(const QTextBlock& block, int line = 0) const
    {
        const double top = document.documentLayout()->blockBoundingRect(block).top();
        const QTextLayout* lines = block.layout();
        const double place = lines->lineCount() > line ? lines->lineAt(line).y() : 0.0;
        return static_cast<int>((top + place + 1.0) / innerSize().height());
    }

    /// What a page must not divide from the block: the next one.
    [[nodiscard]] static QTextBlock companionOf(const QTextBlock& block)
    {
        return block.isValid() && block.blockFormat().hasProperty(KeptProperty) ? block.next() : QTextBlock();
    }

    /// The page on which what is kept with the block ends: its companion's first line, or the whole table.
    [[nodiscard]] int lastPageOf(const QTextBlock& block) const
    {
        const QTextBlock companion = companionOf(block);
        QTextTable* table = block.blockFormat().intProperty(KeptProperty) == KeptWithWholeTable
            ? QTextCursor(companion).currentTable()
            : nullptr;
        return table == nullptr ? pageOf(companion)
                                : static_cast<int>((document.documentLayout()->frameBoundingRect(table).bottom() - 1.0)
                                    / innerSize().height());
    }

    /// A heading, a figure, a table's caption or a question that a page divides from what follows.
    [[nodiscard]] QTextBlock lonelyBlock() const
    {
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            if (companionOf(block).isValid() && block.blockFormat().pageBreakPolicy() == QTextFormat::PageBreak_Auto
                && lastPageOf(block) > pageOf(block)) {
                return block;
            }
        }
        return {};
    }

    /// Moves each such block to the next page.
    void keepWithNext()
    {
        for (QTextBlock block = lonelyBlock(); block.isValid(); block = lonelyBlock()) {
            if (!moveToNextPage(block)) { // together they are longer than a page
                QTextBlockFormat format = block.blockFormat();
                format.clearProperty(KeptProperty);
                QTextCursor(block).setBlockFormat(format);
            }
        }
    }

    /// With those before it that are kept with it; false: these begin a page already.
    bool moveToNextPage(const QTextBlock& block)
    {
        QTextBlock first = block;
        while (companionOf(first.previous()) == first) {
            first = first.previous();
        }
        QTextBlockFormat format = first.blockFormat();
        if (format.pageBreakPolicy() == QTextFormat::PageBreak_AlwaysBefore) {
            return false;
        }
        format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor(first).setBlockFormat(format);
        // Lays the whole text out again: Qt 6.4 loses blocks when it lays out a part.
        document.setPageSize(innerSize());
        return true;
    }

    /// Breaks behind this block were made for the pages as they were before it moved: they would leave pages half
    /// empty.
    void letFollow(int number)
    {
        for (QTextBlock block = document.findBlockByNumber(number + 1); block.isValid(); block = block.next()) {
            QTextBlockFormat format = block.blockFormat();
            if (format.pageBreakPolicy() != QTextFormat::PageBreak_Auto) {
                format.setPageBreakPolicy(QTextFormat::PageBreak_Auto);
                QTextCursor(block).setBlockFormat(format);
            }
        }
        document.setPageSize(innerSize());
    }

    /// A page begins or ends with no single line of a paragraph: moves the first such line, with the one beside it.
    /// Gives the number of the block that then begins a page; nothing: there is none.
    std::optional<int> moveLoneLine()
    {
        constexpr int FewLines = 3; // of which none can stay behind
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            const int lines = block.layout()->lineCount();
            if (lines < 2 || QTextCursor(block).currentTable() != nullptr) {
                continue;
            }
            const bool isFirstAlone = pageOf(block) < pageOf(block, 1);
            const bool isLastAlone = pageOf(block, lines - 2) < pageOf(block, lines - 1);
            if (isFirstAlone || (isLastAlone && lines <= FewLines)) {
                if (moveToNextPage(block)) {
                    return block.blockNumber();
                }
            } else if (isLastAlone) {
                divide(block, lines - 2);
                return block.blockNumber() + 1;
            }
        }
        return std::nullopt;
    }

    /// The lines from this one on begin a page.
    void divide(const QTextBlock& block, int line)
    {
        const int position = block.position() + block.layout()->lineAt(line).textStart();
        QTextBlockFormat rest = block.blockFormat();
        rest.setTopMargin(0);
        rest.setTextIndent(0);
        rest.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCursor cursor(block);
        cursor.setPosition(position);
        cursor.insertBlock(rest);
        for (auto& [key, place] : places) {
            place += place >= position ? 1 : 0;
        }
        document.setPageSize(innerSize());
    }
};

ReportPages::ReportPages(const report::Report& report, const ReportCharts& charts)
    : m_private(std::make_unique<Private>(report, charts))
{ }

ReportPages::~ReportPages() = default;

QSizeF ReportPages::pageSize()
{
    return {PageWidthMm * UnitsPerMm, PageHeightMm * UnitsPerMm};
}

std::optional<ReportPages::Place> ReportPages::placeOf(const std::string& key) const
{
    const auto found = m_private->places.find(key);
    if (found == m_private->places.end()) {
        return std::nullopt;
    }
    const QTextBlock block = m_private->document.findBlock(found->second);
    const double top = m_private->document.documentLayout()->blockBoundingRect(block).top();
    const int page = static_cast<int>(top / innerSize().height());
    return Place{page, MarginMm * UnitsPerMm + top - page * innerSize().height()};
}

int ReportPages::count() const
{
    return m_private->document.pageCount();
}

void ReportPages::paint(QPainter& painter, int page) const
{
    const QSizeF inner = innerSize();
    const double margin = MarginMm * UnitsPerMm;
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

void ReportPages::print(QCPPainter& painter, int page) const
{
    m_private->drawing.setVectors(&painter);
    paint(painter, page);
    m_private->drawing.setVectors(nullptr);
}

QImage ReportPages::image(int page, double pixelsPerInch) const
{
    const double scale = pixelsPerInch / UnitsPerInch;
    QImage image((pageSize() * scale).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    paint(painter, page);
    return image;
}

} // namespace lockstep::ui
