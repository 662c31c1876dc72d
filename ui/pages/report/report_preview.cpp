#include "ui/pages/report/report_preview.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int PageGap = 12; ///< around the pages, in pixels

} // namespace

/// Paints those pages that are seen.
class ReportPreview::Sheet : public QWidget {
public:
    explicit Sheet(QWidget* parent)
        : QWidget(parent)
    { }

    void setPages(const ReportPages* pages, int width)
    {
        m_pages = pages;
        m_width = std::max(width - 2 * PageGap, 200);
        const int count = pages == nullptr ? 0 : pages->count();
        setFixedSize(std::max(width, m_width + 2 * PageGap), count * (pageHeight() + PageGap) + PageGap);
        update();
    }

    /// In pixels of this widget.
    [[nodiscard]] int heightAt(const ReportPages::Place& place) const
    {
        const double scale = m_width / ReportPages::pageSize().width();
        return PageGap + place.page * (pageHeight() + PageGap) + static_cast<int>(place.top * scale);
    }

    /// The page a third below this height, or half a page where that is less.
    [[nodiscard]] int pageBelow(int y, int viewport) const
    {
        const int within = std::min(viewport / 3, pageHeight() / 2);
        return (y + within - PageGap) / (pageHeight() + PageGap);
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QPainter painter(this);
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        for (int page = 0; m_pages != nullptr && page < m_pages->count(); ++page) {
            const QRect place(
                (width() - m_width) / 2, PageGap + page * (pageHeight() + PageGap), m_width, pageHeight());
            if (!place.intersects(event->rect())) {
                continue;
            }
            painter.fillRect(place, Qt::white);
            painter.setPen(palette().color(QPalette::Mid));
            painter.drawRect(place.adjusted(0, 0, -1, -1));
            painter.save();
            painter.translate(place.topLeft());
            const double scale = m_width / ReportPages::pageSize().width();
            painter.scale(scale, scale);
            m_pages->paint(painter, page);
            painter.restore();
        }
    }

private:
    [[nodiscard]] int pageHeight() const
    {
        const QSizeF page = ReportPages::pageSize();
        return static_cast<int>(m_width * page.height() / page.width());
    }

    const ReportPages* m_pages = nullptr;
    int m_width = 200;
};

ReportPreview::ReportPreview(QWidget* parent)
    : Translated(parent)
    , m_sheet(new Sheet(this))
{
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setWidget(m_sheet);
    setBackgroundRole(QPalette::Dark);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { Q_EMIT pageChanged(page()); });
    retranslate();
}

void ReportPreview::setReport(const report::Report& report, const ReportCharts& charts)
{
    // The new pages first: the sheet must not paint those that are gone.
    auto pages = std::make_unique<ReportPages>(report, charts);
    std::swap(m_pages, pages);
    fit();
    retranslate();
}

void ReportPreview::clear()
{
    const auto pages = std::move(m_pages);
    fit();
    retranslate();
}

void ReportPreview::showBlock(const std::string& key)
{
    if (m_pages == nullptr) {
        return;
    }
    if (const auto place = m_pages->placeOf(key)) {
        ensureVisible(viewport()->width() / 2, m_sheet->heightAt(*place), 0, viewport()->height() / 4);
    }
}

int ReportPreview::pageCount() const
{
    return m_pages == nullptr ? 0 : m_pages->count();
}

int ReportPreview::page() const
{
    return std::clamp(
        m_sheet->pageBelow(verticalScrollBar()->value(), viewport()->height()), 0, std::max(0, pageCount() - 1));
}

void ReportPreview::turnPage(int by)
{
    const int target = std::clamp(page() + by, 0, std::max(0, pageCount() - 1));
    verticalScrollBar()->setValue(m_sheet->heightAt({target, 0.0}) - PageGap);
}

void ReportPreview::zoom(int steps)
{
    constexpr double Factor = 1.25;
    constexpr double Most = 4.0;
    const double before = m_zoom;
    m_zoom = std::clamp(m_zoom * std::pow(Factor, steps), 1.0, Most);
    const double place = verticalScrollBar()->value() * m_zoom / before;
    fit();
    verticalScrollBar()->setValue(static_cast<int>(place));
}

void ReportPreview::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier) && event->angleDelta().y() != 0) {
        zoom(event->angleDelta().y() > 0 ? 1 : -1);
        event->accept();
        return;
    }
    QScrollArea::wheelEvent(event);
}

void ReportPreview::retranslate()
{
    setAccessibleName(tr("Preview of the report"));
    setAccessibleDescription(tr("Pages: %1").arg(pageCount()));
}

void ReportPreview::fit()
{
    m_sheet->setPages(m_pages.get(), static_cast<int>(viewport()->width() * m_zoom));
}

void ReportPreview::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

} // namespace lockstep::ui
