// Findings about the shown runs: sentences, the summary table, and their spec. GUI thread only.
#pragma once

#include "analysis/finding.h"
#include "analysis/table/grouping.h"
#include "ui/export/render.h"

#include <QColor>
#include <QTextBrowser>

#include <initializer_list>
#include <optional>
#include <vector>

namespace lockstep::ui {

class RunFeed;

class FindingsPage : public QTextBrowser {
    Q_OBJECT

public:
    explicit FindingsPage(QWidget* parent = nullptr);

    /// In the order of the rows. `canStart`: whether a run can be started now.
    void setFeeds(const std::vector<RunFeed*>& feeds, bool canStart);
    void setInterfered(analysis::Interfered which);
    /// That it is about.
    [[nodiscard]] std::vector<RunId> runs() const;
    /// The page on paper, its sentences with their figures as CSV; nothing while no run is shown.
    [[nodiscard]] std::optional<Drawing> drawing() const;

Q_SIGNALS:
    /// To compare this run with a single process again, in float64.
    void float64Requested(const lockstep::RunId& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        QString name;
        analysis::RowGroup group; ///< borrows from m_records
    };
    enum class Links { No, Yes };

    void nameRuns(); ///< in the window's language
    void render();
    [[nodiscard]] std::vector<analysis::Finding> found() const;
    [[nodiscard]] QString tablesHtml() const;
    [[nodiscard]] QString findingsHtml(Links links) const;
    [[nodiscard]] QString questionHtml() const;
    [[nodiscard]] QString notesHtml(const std::vector<analysis::Finding>& findings) const;
    [[nodiscard]] QString float64Link(const analysis::Finding& finding) const;
    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] QColor colorOf(const analysis::RunRecord& record) const; ///< one of m_records
    [[nodiscard]] QString summaryHtml(const std::vector<Row>& rows) const;
    /// Columns of the table of runs, by name.
    [[nodiscard]] QString summaryTable(const std::vector<Row>& rows, std::initializer_list<const char*> names) const;
    [[nodiscard]] QString specHtml(const std::vector<Row>& rows) const;

    std::vector<analysis::RunRecord> m_records; ///< with their curves
    std::vector<QColor> m_colors; ///< theirs, in the same order
    bool m_canStart = false;
    analysis::Interfered m_interfered = analysis::Interfered::LeaveOut;
};

} // namespace lockstep::ui
