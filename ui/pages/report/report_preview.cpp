#include "ui/pages/report/report_preview.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int PageGap = 12; ///< around the pages, in pixels
constexpr int MostPageWidth = 900;

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
        m_width = std::clamp(width - 2 * PageGap, 200, MostPageWidth);
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
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setWidget(m_sheet);
    setBackgroundRole(QPalette::Dark);
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

void ReportPreview::retranslate()
{
    setAccessibleName(tr("Preview of the report"));
    setAccessibleDescription(tr("Pages: %1").arg(pageCount()));
}

void ReportPreview::fit()
{
    m_sheet->setPages(m_pages.get(), viewport()->width());
}

void ReportPreview::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

} // namespace lockstep::ui
