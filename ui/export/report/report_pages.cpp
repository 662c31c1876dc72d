#include "ui/export/report/report_pages.h"

#include "ui/export/report/report_document.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextLayout>
#include <QTextTable>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

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

    /// Line by line: a document draws lines of the neighbouring pages, too, clipped but there for who selects or
    /// searches.
    void paint(QPainter& painter, int page) const
    {
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            const QPointF origin = document.documentLayout()->blockBoundingRect(block).topLeft();
            const double moved = toBaseline(block);
            for (int i = 0; i < block.layout()->lineCount(); ++i) {
                const QTextLine line = block.layout()->lineAt(i);
                if (pageOf(origin.y() + line.y()) == page) {
                    paintGround(painter, block, origin.y() + line.y(), line.height());
                    line.draw(&painter, origin + QPointF(0, moved));
                }
            }
        }
        for (const QTextTable* table : tables()) {
            paintTable(painter, *table, page);
        }
    }

    QTextDocument document;
    ChartDrawing drawing;
    AccentDrawing accents;
    std::map<std::string, int> places;

private:
    [[nodiscard]] static int pageOf(double y) { return static_cast<int>((y + 1.0) / innerSize().height()); }

    /// Those with a header.
    [[nodiscard]] std::vector<const QTextTable*> tables() const
    {
        std::vector<const QTextTable*> found;
        for (const QTextFrame* frame : document.rootFrame()->childFrames()) {
            const auto* table = qobject_cast<const QTextTable*>(frame);
            if (table != nullptr && table->format().headerRowCount() > 0) {
                found.push_back(table);
            }
        }
        return found;
    }

    [[nodiscard]] QRectF placeOf(const QTextBlock& block) const
    {
        return document.documentLayout()->blockBoundingRect(block);
    }

    static double ascentOf(const QTextBlock& block)
    {
        return block.layout()->lineCount() > 0 ? block.layout()->lineAt(0).ascent() : 0.0;
    }

    /// Chinese is higher than Latin letters: how far a cell moves down so that its row stands on one line.
    static double toBaseline(const QTextBlock& block)
    {
        QTextTable* table = QTextCursor(block).currentTable();
        if (table == nullptr) {
            return 0.0;
        }
        double highest = 0.0;
        const QTextTableCell cell = table->cellAt(block.position());
        for (int column = 0; column < table->columns(); ++column) {
            highest = std::max(highest, ascentOf(table->cellAt(cell.row(), column).firstCursorPosition().block()));
        }
        return highest - ascentOf(cell.firstCursorPosition().block());
    }

    /// Of code.
    static void paintGround(QPainter& painter, const QTextBlock& block, double top, double height)
    {
        const QTextBlockFormat format = block.blockFormat();
        if (format.hasProperty(QTextFormat::BackgroundBrush)) {
            const double whole = height * format.lineHeight() / 100.0; // proportional: to the next line
            painter.fillRect(QRectF(0, top, innerSize().width(), whole), format.background());
        }
    }

    /// Rules around it and below its header, which is repeated on each page of the table.
    void paintTable(QPainter& painter, const QTextTable& table, int page) const
    {
        const double padding = table.format().cellPadding();
        const QRectF whole = document.documentLayout()->frameBoundingRect(const_cast<QTextTable*>(&table));
        const auto blockAt = [&table](int row) { return table.cellAt(row, 0).firstCursorPosition().block(); };
        const double headerTop = placeOf(blockAt(0)).top() - padding;
        const double headerHeight = placeOf(blockAt(1)).top() - padding - headerTop;
        const int first = pageOf(headerTop);
        const int last = static_cast<int>((whole.bottom() - 1.0) / innerSize().height());
        if (page < first || page > last) {
            return;
        }
        const double top = page == first ? headerTop : page * innerSize().height();
        const auto rule = [&](double y, double width) {
            painter.setPen(QPen(QColor(0x44, 0x44, 0x44), width));
            painter.drawLine(QPointF(whole.left(), y), QPointF(whole.right(), y));
        };
        constexpr double Thick = 1.0;
        constexpr double Thin = 0.5;
        rule(top, Thick);
        rule(top + headerHeight, Thin);
        if (page == last) {
            rule(whole.bottom(), Thick);
        }
        for (int column = 0; page > first && column < table.columns(); ++column) {
            const QTextBlock block = table.cellAt(0, column).firstCursorPosition().block();
            for (int i = 0; i < block.layout()->lineCount(); ++i) {
                block.layout()->lineAt(i).draw(
                    &painter, placeOf(block).topLeft() + QPointF(0, top - headerTop + toBaseline(block)));
            }
        }
    }

    /// Of the block's first line: a block that no page divides begins on the page before it.
    [[nodiscard]] int pageOf(const QTextBlock& block, int line = 0) const
    {
        const QTextLayout* lines = block.layout();
        return pageOf(placeOf(block).top() + (lines->lineCount() > line ? lines->lineAt(line).y() : 0.0));
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
    painter.setClipRect(QRectF(0, page * inner.height(), inner.width(), inner.height()));
    painter.setPen(Qt::black);
    m_private->paint(painter, page);
    painter.restore();
    painter.setFont(pageFont(9));
    painter.setPen(QColor(0x55, 0x55, 0x55));
    painter.drawText(QRectF(margin, margin + inner.height() + 10, inner.width(), 30),
        Qt::AlignHCenter | Qt::TextDontClip, QString::number(page + 1));
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
