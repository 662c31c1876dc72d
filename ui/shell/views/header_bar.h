// The bar on top: experiment, Run, Pause, Stop, progress in words and as a bar, search and settings. It shows state and
// requests actions. GUI thread only.
#pragma once

#include "analysis/run_record.h"
#include "ui/widgets/translated.h"

#include <QWidget>

class QAction;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockstep::ui {

struct BatchProgress;

class HeaderBar : public Translated<QWidget> {
    Q_OBJECT

public:
    explicit HeaderBar(QWidget* parent = nullptr);

    void setExperiment(const QString& title);
    /// A problem disables Run and shows why.
    void setProblem(const QString& problem);
    /// Disables Run, whose tooltip says why. Nothing is wrong, so that nothing is shown.
    void setNothingToRun(const QString& why);
    void showIdle();
    /// A status has changed.
    void showBatch(const BatchProgress& progress);
    /// Updates only what changes within a status.
    void showProgress(const BatchProgress& progress);
    void focusRun();
    /// Whether there are runs for a report.
    void setReportable(bool isReportable); // NOLINT: a property, not a mode
    void setMenus(QMenu* experiments, QMenu* settings);
    /// What gets the focus when the button that has it is switched off.
    void setFocusFallback(QWidget* fallback) { m_focusFallback = fallback; }

Q_SIGNALS:
    void runRequested();
    void pauseRequested();
    void stopRequested();
    void reportRequested();
    void paletteRequested();
    void experimentChanged(const QString& title);

private:
    enum class State { Idle, Starting, Running, Paused, Stopping };

    static State stateOf(analysis::RunStatus status);
    void setState(State state);
    /// `done` 0 .. 1; negative: no bar.
    void setProgress(const QString& text, double done);
    [[nodiscard]] static QString progressText(const BatchProgress& progress);
    QToolButton* makeButton(int glyph);
    void retranslate() final;
    void showState();
    void describeStop();

    State m_state = State::Idle;
    QString m_problem; ///< why Run is disabled; empty: it is not
    bool m_isWrong = false; ///< what the problem says, so that it is shown
    QString m_title; ///< of the open experiment
    QString m_running; ///< title of the experiment whose runs are carried out
    QWidget* m_focusFallback = nullptr;
    QToolButton* m_experiment;
    QPushButton* m_run;
    QToolButton* m_pause;
    QToolButton* m_stop;
    QProgressBar* m_bar;
    QLabel* m_text;
    QPushButton* m_report;
    QToolButton* m_search;
    QToolButton* m_settings;
};

} // namespace lockstep::ui
