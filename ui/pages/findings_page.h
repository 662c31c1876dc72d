// What the numbers of the shown runs say: sentences, the summary table, and the spec that made them. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <QColor>
#include <QTextBrowser>

#include <vector>

namespace lockstep::ui {

struct ShownRun {
    analysis::RunRecord record; ///< with its curves
    QColor color;
};

class FindingsPage : public QTextBrowser {
    Q_OBJECT

public:
    explicit FindingsPage(QWidget* parent = nullptr);

    void setRuns(std::vector<ShownRun> runs);

protected:
    void changeEvent(QEvent* event) override;

private:
    void render();
    [[nodiscard]] QString findingsHtml() const;
    [[nodiscard]] QString summaryHtml() const;
    [[nodiscard]] QString specHtml() const;

    std::vector<ShownRun> m_runs;
};

} // namespace lockstep::ui
