// Findings about the shown runs: sentences, the summary table, and their spec. GUI thread only.
#pragma once

#include "analysis/finding.h"

#include <QColor>
#include <QTextBrowser>

#include <vector>

namespace lockstep::ui {

class RunFeed;

class FindingsPage : public QTextBrowser {
    Q_OBJECT

public:
    explicit FindingsPage(QWidget* parent = nullptr);

    /// In the order of the columns. `canStart`: whether a run can be started now.
    void setFeeds(const std::vector<RunFeed*>& feeds, bool canStart);
    void setInterfered(analysis::Interfered which);

Q_SIGNALS:
    /// To compare this run with a single process again, in float64.
    void float64Requested(const lockstep::RunId& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Run {
        analysis::RunRecord record; ///< with its curves
        QColor color;
    };

    void render();
    [[nodiscard]] QString findingsHtml() const;
    [[nodiscard]] QString float64Link(const analysis::Finding& finding) const;
    [[nodiscard]] QString summaryHtml() const;
    [[nodiscard]] QString specHtml() const;

    std::vector<Run> m_runs;
    bool m_canStart = false;
    analysis::Interfered m_interfered = analysis::Interfered::LeaveOut;
};

} // namespace lockstep::ui
