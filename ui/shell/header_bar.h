// The bar on top: experiment, Run, Pause, Stop, progress in words and as a bar, search and settings. It shows and asks.
// GUI thread only.
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace lockstep::ui {

class HeaderBar : public QWidget {
    Q_OBJECT

public:
    explicit HeaderBar(QWidget* parent = nullptr);

    void setExperiment(const QString& title);
    /// A problem switches Run off and says why.
    void setProblem(const QString& problem);
    enum class State { Idle, Starting, Running, Paused, Stopping };
    void setState(State state);
    /// `done` 0 .. 1; negative: no bar.
    void setProgress(const QString& text, double done);
    void focusRun();
    [[nodiscard]] QPushButton* runButton() const { return m_run; }
    void setMenus(QMenu* experiments, QMenu* settings);

Q_SIGNALS:
    void runRequested();
    void pauseRequested();
    void stopRequested();
    void paletteRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* makeButton(int glyph);
    void retranslate();
    void showState();

    State m_state = State::Idle;
    QString m_problem;
    QToolButton* m_experiment;
    QPushButton* m_run;
    QToolButton* m_pause;
    QToolButton* m_stop;
    QProgressBar* m_bar;
    QLabel* m_text;
    QToolButton* m_search;
    QToolButton* m_settings;
};

} // namespace lockstep::ui
