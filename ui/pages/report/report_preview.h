// The pages of a report, one below the other, as they are printed. GUI thread only.
#pragma once

#include "ui/export/report/report_pages.h"
#include "ui/widgets/translated.h"

#include <QScrollArea>

#include <memory>

namespace lockstep::ui {

class ReportPreview : public Translated<QScrollArea> {
    Q_OBJECT

public:
    explicit ReportPreview(QWidget* parent = nullptr);

    void setReport(const report::Report& report, const ReportCharts& charts);
    /// No pages.
    void clear();
    /// Scrolls to a part of the report, unless it is in sight.
    void showBlock(const std::string& key);
    [[nodiscard]] int pageCount() const;
    /// The page at the top, from 0.
    [[nodiscard]] int page() const;
    void turnPage(int by);
    /// Larger or smaller by steps; pages are never narrower than the preview.
    void zoom(int steps);

Q_SIGNALS:
    void pageChanged(int page);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    class Sheet;
    void fit();
    void retranslate() final;

    std::unique_ptr<ReportPages> m_pages;
    Sheet* m_sheet;
    double m_zoom = 1.0;
};

} // namespace lockstep::ui
