// The table of runs with its filter, and the strip that offers undo after a deletion. GUI thread only.
#pragma once

#include "base/ids.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace lockstep::ui {

class MessageStrip;
class RunsTableModel;

class RunsPage : public QWidget {
    Q_OBJECT

public:
    /// The model outlives the page.
    explicit RunsPage(RunsTableModel& model, QWidget* parent = nullptr);

    void focusFilter();
    void offerUndo(const RunId& id, const QString& name);
    [[nodiscard]] QByteArray headerState() const;
    void restoreHeaderState(const QByteArray& state);

Q_SIGNALS:
    void resumeRequested(const lockstep::RunId& id);
    void deleteRequested(const lockstep::RunId& id);
    void restoreRequested(const lockstep::RunId& id);

protected:
    void changeEvent(QEvent* event) override;

private:
    void deleteSelected();
    void resumeCurrent();
    void styleTable();
    void styleHeader();
    void retranslate();

    RunsTableModel& m_model;
    QSortFilterProxyModel* m_proxy;
    QLabel* m_heading;
    QLineEdit* m_filter;
    QTableView* m_table;
    MessageStrip* m_strip;
    QAction* m_delete;
    QAction* m_rename;
    QAction* m_resume;
    std::vector<RunId> m_deleted; ///< what Undo brings back
};

} // namespace lockstep::ui
