// The queue of experiments in a drawer: what runs, what waits, how long each takes and all. Entries are dragged into
// another order, or moved by keys. It shows state and requests changes. GUI thread only.
#pragma once

#include "launch/queue/queue_state.h"
#include "ui/widgets/translated.h"

#include <QWidget>

#include <vector>

class QAction;
class QLabel;
class QMenu;
class QToolButton;
class QTreeWidgetItem;

namespace lockstep::ui {

class ElidedLabel;
class QueueTree;

class QueuePanel : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit QueuePanel(QWidget* parent = nullptr);

    /// `seconds`: of each entry, and `all` of them, NaN where it is not known. `otherOwner`: the process that carries
    /// the queue out; 0: this one.
    void setQueue(const launch::QueueState& queue, const std::vector<double>& seconds, double all, qint64 otherOwner);

Q_SIGNALS:
    /// queue_request.h: `do`, an entry or 0 for the whole queue, and the place for `move`.
    void requested(const QString& what, qint64 id, qint64 place);

private:
    QAction* addAction(const QKeySequence& keys);
    void connectActions();
    void fill();
    void fillRow(QTreeWidgetItem& row, const launch::QueueEntry& entry, double seconds) const;
    [[nodiscard]] QString stateText(const launch::QueueEntry& entry) const;
    [[nodiscard]] QString summaryText() const;
    /// The chosen entry; null if there is none.
    [[nodiscard]] const launch::QueueEntry* chosen() const;
    /// Places are counted without the active entry.
    [[nodiscard]] int placeOf(const launch::QueueEntry& entry) const;
    void moveBy(int places);
    void showActions();
    void retranslate() final;

    launch::QueueState m_queue;
    std::vector<double> m_seconds;
    double m_all = 0.0;
    qint64 m_otherOwner = 0;
    QLabel* m_heading;
    ElidedLabel* m_summary;
    QToolButton* m_entryButton;
    QToolButton* m_queueButton;
    QueueTree* m_tree;
    QMenu* m_menu;
    QAction* m_next;
    QAction* m_up;
    QAction* m_down;
    QAction* m_pause;
    QAction* m_remove;
    QAction* m_clear;
};

} // namespace lockstep::ui
