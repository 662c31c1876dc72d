// A report laid out on pages of A4: the PDF prints them, the preview paints them. GUI thread only.
#pragma once

#include "exchange/report/report.h"
#include "ui/export/report/report_pictures.h"

#include <QImage>
#include <QSizeF>

#include <memory>
#include <optional>
#include <string>

class QCPPainter;
class QPainter;

namespace lockstep::ui {

class ReportPages {
public:
    static constexpr double UnitsPerInch = 96.0;

    /// A block of the report whose chart is not among `charts` is left out.
    ReportPages(const report::Report& report, const ReportCharts& charts);
    ~ReportPages();
    ReportPages(const ReportPages&) = delete;
    ReportPages& operator=(const ReportPages&) = delete;

    /// In the units in which everything is laid out.
    [[nodiscard]] static QSizeF pageSize();
    [[nodiscard]] int count() const;
    /// Where a block of the report begins: its page, from 0, and the distance from that page's top.
    struct Place {
        int page = 0;
        double top = 0.0;
    };
    /// Of the block with this key; none: it is not on these pages.
    [[nodiscard]] std::optional<Place> placeOf(const std::string& key) const;
    /// The page, from 0, with its number below; the painter's units are those of pageSize().
    void paint(QPainter& painter, int page) const;
    /// The same on a PDF, where text and lines of charts stay text and lines.
    void print(QCPPainter& painter, int page) const;
    [[nodiscard]] QImage image(int page, double pixelsPerInch) const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
