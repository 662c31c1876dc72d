// A report laid out on pages of A4: the PDF prints them, the preview paints them. GUI thread only.
#pragma once

#include "analysis/report/report.h"
#include "analysis/report/writers.h"

#include <QImage>
#include <QSizeF>

#include <memory>

class QPainter;

namespace lockstep::ui {

class ReportPages {
public:
    /// Charts without a picture in SVG are left out.
    ReportPages(const report::Report& report, const report::Pictures& pictures);
    ~ReportPages();
    ReportPages(const ReportPages&) = delete;
    ReportPages& operator=(const ReportPages&) = delete;

    /// In units of 1/96 inch, in which everything is laid out.
    [[nodiscard]] static QSizeF pageSize();
    [[nodiscard]] int count() const;
    /// The page, from 0, with its number below; the painter's units are those of pageSize().
    void paint(QPainter& painter, int page) const;
    [[nodiscard]] QImage image(int page, double pixelsPerInch) const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
