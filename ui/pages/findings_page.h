// Findings about the shown runs: sentences, the summary table, and their spec. GUI thread only.
#pragma once

#include "analysis/run_record.h"

#include <QColor>
#include <QTextBrowser>

#include <vector>

namespace lockstep::ui {

class RunFeed;

class FindingsPage : public QTextBrowser {
    Q_OBJECT

public:
    explicit FindingsPage(QWidget* parent = nullptr);

    /// In the order of the columns.
    void setFeeds(const std::vector<RunFeed*>& feeds);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Run {
        analysis::RunRecord record; ///< with its curves
        QColor color;
    };

    void render();
    [[nodiscard]] QString findingsHtml() const;
    [[nodiscard]] QString summaryHtml() const;
    [[nodiscard]] QString specHtml() const;

    std::vector<Run> m_runs;
};

} // namespace lockstep::ui
