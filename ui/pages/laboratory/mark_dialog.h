// Mark…: the hand-ins of a class, by the function that `lockstep grade` calls, in a thread of its own. GUI thread only.
#pragma once

#include "laboratory/grading/mark_class.h"
#include "launch/machine/sandbox.h"

#include <QByteArray>
#include <QDialog>
#include <QString>

#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>

class QCheckBox;
class QComboBox;
class QDateTimeEdit;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QThread;

namespace lockstep::ui {

class MarkDialog : public QDialog {
    Q_OBJECT

public:
    using Result = lockstep::Result<laboratory::grading::MarkedClass>;
    /// Blocks; in the dialog's thread for marking. Tests give another one.
    using Marker
        = std::function<Result(const laboratory::grading::MarkTask& task, const laboratory::grading::MarkTools& tools)>;

    explicit MarkDialog(QWidget* parent);
    /// Cancels, and waits until the thread and students' programs have ended.
    ~MarkDialog() override;

    void setMarker(Marker marker) { m_marker = std::move(marker); }
    /// Whether students' code can be run here; it is found out in another thread when the dialog opens.
    void setSandbox(const launch::SandboxState& state);
    [[nodiscard]] bool isMarking() const { return m_thread != nullptr; }

    /// While it marks, it cancels first.
    void reject() override;

private:
    void layOut();
    void addPath(QGridLayout& grid, QLineEdit& field, const QString& name, const QString& description,
        std::initializer_list<QPushButton*> buttons);
    QPushButton* chooser(QLineEdit& field, const QString& filter);
    QLayout* againRow();
    void completeKey();
    void trySandbox();
    [[nodiscard]] laboratory::grading::MarkTask task() const;
    [[nodiscard]] bool hasAll() const;
    void start();
    void cancel();
    [[nodiscard]] lockstep::Result<QByteArray> drawInWindow(const report::Report& report) const;
    void finish();
    void showResult(const laboratory::grading::MarkedClass& made);
    void showState();

    QLineEdit* m_submissions;
    QLineEdit* m_laboratory;
    QLineEdit* m_key;
    QLineEdit* m_roster;
    QCheckBox* m_hasDeadline;
    QDateTimeEdit* m_deadline;
    QLineEdit* m_out;
    QComboBox* m_feedback;
    QComboBox* m_again;
    QSpinBox* m_sample;
    QLineEdit* m_chosen;
    QCheckBox* m_runCode;
    QLabel* m_sandbox;
    QProgressBar* m_progress;
    QLabel* m_state;
    QPlainTextEdit* m_lines;
    QPushButton* m_mark;
    QPushButton* m_page;
    QPushButton* m_answers;
    QPushButton* m_folder;
    Marker m_marker;
    QString m_written; ///< the folder of the last results; empty: none yet
    std::atomic_bool m_isCancelled = false;
    bool m_canRunCode = false;
    bool m_isClosing = false; ///< once the thread has ended
    std::optional<Result> m_result; ///< the thread's until it has finished
    std::unique_ptr<QThread> m_thread;
};

} // namespace lockstep::ui
