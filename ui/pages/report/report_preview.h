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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Sheet;
    void fit();
    void retranslate() final;

    std::unique_ptr<ReportPages> m_pages;
    Sheet* m_sheet;
};

} // namespace lockstep::ui
