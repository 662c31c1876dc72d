#include "ui/shell/views/header_bar.h"

#include "ui/models/number_text.h"
#include "ui/models/shown_text.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/theme/glyphs.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/focus.h"
#include "ui/widgets/plain_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

using analysis::RunStatus;

HeaderBar::HeaderBar(QWidget* parent)
    : Translated(parent)
    , m_experiment(new QToolButton(this))
    , m_run(new QPushButton(this))
    , m_pause(makeButton(static_cast<int>(Glyph::Pause)))
    , m_stop(makeButton(static_cast<int>(Glyph::Stop)))
    , m_bar(new QProgressBar(this))
    , m_text(plainLabel(this))
    , m_report(new QPushButton(this))
    , m_search(makeButton(static_cast<int>(Glyph::Search)))
    , m_settings(makeButton(static_cast<int>(Glyph::Settings)))
{
    m_experiment->setPopupMode(QToolButton::InstantPopup);
    m_experiment->setAutoRaise(true);
    QFont title = font();
    title.setPointSizeF(title.pointSizeF() * 1.15);
    title.setWeight(QFont::DemiBold);
    m_experiment->setFont(title);
    m_run->setIcon(glyphIcon(Glyph::Run));
    m_run->setAutoDefault(true);
    m_run->setObjectName(QStringLiteral("run"));
    m_run->setMinimumWidth(92);
    m_pause->setObjectName(QStringLiteral("pause"));
    m_stop->setObjectName(QStringLiteral("stop"));
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_bar->setFixedHeight(8);
    m_bar->setMaximumWidth(220);
    m_bar->setMinimumWidth(80);
    m_text->setObjectName(QStringLiteral("progress"));
    m_text->setMinimumWidth(1);
    m_report->setObjectName(QStringLiteral("report"));
    m_report->setEnabled(false);
    m_settings->setPopupMode(QToolButton::InstantPopup);
    auto* layout = new QHBoxLayout(this);
    addAll(*layout, {8, 7, 8, 7}, 6, {m_experiment});
    layout->addSpacing(6);
    addAll(*layout, {m_run, m_pause, m_stop});
    layout->addSpacing(10);
    layout->addWidget(m_bar, 1);
    layout->addSpacing(4);
    addAll(*layout, {{m_text, 3}, m_report, m_search, m_settings});
    connect(m_run, &QPushButton::clicked, this, &HeaderBar::runRequested);
    connect(m_pause, &QToolButton::clicked, this, &HeaderBar::pauseRequested);
    connect(m_stop, &QToolButton::clicked, this, &HeaderBar::stopRequested);
    connect(m_report, &QPushButton::clicked, this, &HeaderBar::reportRequested);
    connect(m_search, &QToolButton::clicked, this, &HeaderBar::paletteRequested);
    m_bar->hide();
    retranslate();
}

QToolButton* HeaderBar::makeButton(int glyph)
{
    auto* button = new QToolButton(this);
    button->setIcon(glyphIcon(static_cast<Glyph>(glyph)));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setIconSize(QSize(16, 16));
    button->setFixedSize(30, 30);
    return button;
}

void HeaderBar::setExperiment(const QString& title)
{
    m_title = title;
    m_experiment->setText(menuText(title) + QStringLiteral("  "));
    retranslate();
    Q_EMIT experimentChanged(title);
}

void HeaderBar::setProblem(const QString& problem)
{
    m_problem = problem;
    m_isWrong = !problem.isEmpty();
    showState();
}

void HeaderBar::setNothingToRun(const QString& why)
{
    m_problem = why;
    m_isWrong = false;
    showState();
}

void HeaderBar::showIdle()
{
    setState(State::Idle);
    m_running.clear();
    describeStop();
    if (!m_isWrong) {
        setProgress({}, -1.0);
    }
}

void HeaderBar::showBatch(const BatchProgress& progress)
{
    setState(stateOf(progress.status));
    showProgress(progress);
}

void HeaderBar::showProgress(const BatchProgress& progress)
{
    if (m_running != progress.experiment) {
        m_running = progress.experiment;
        describeStop();
    }
    const QString text = progressText(progress);
    setProgress(progress.experiment == m_title ? text : tr("%1: %2").arg(progress.experiment, text), progress.done);
}

HeaderBar::State HeaderBar::stateOf(RunStatus status)
{
    switch (status) {
    case RunStatus::Queued:
    case RunStatus::Starting:
        return State::Starting;
    case RunStatus::Running:
        return State::Running;
    case RunStatus::Paused:
        return State::Paused;
    case RunStatus::Stopping:
        return State::Stopping;
    case RunStatus::Finished:
    case RunStatus::Failed:
    case RunStatus::Stopped:
    case RunStatus::Interrupted:
        break;
    }
    return State::Idle;
}

QString HeaderBar::progressText(const BatchProgress& progress)
{
    const QString place = tr("%1 of %2").arg(progress.number).arg(progress.count);
    if (progress.status == RunStatus::Queued || progress.status == RunStatus::Starting) {
        return tr("%1 · %2 · starting").arg(place, progress.name);
    }
    if (progress.epochs == 0) {
        return tr("%1 · %2 · %3 %").arg(place, progress.name).arg(std::lround(progress.part * 100.0));
    }
    const auto epoch = std::min<std::int64_t>(progress.epochs, static_cast<std::int64_t>(progress.epoch) + 1);
    QString text = tr("%1 · %2 · epoch %3/%4").arg(place, progress.name).arg(epoch).arg(progress.epochs);
    if (progress.status == RunStatus::Paused) {
        return tr("%1 · paused").arg(text);
    }
    if (progress.status == RunStatus::Stopping) {
        return tr("%1 · stopping").arg(text);
    }
    if (std::isnan(progress.secondsLeft)) {
        return text;
    }
    const QString left = clockText(progress.secondsLeft);
    return progress.count > 1 ? tr("%1 · %2 left in all").arg(text, left) : tr("%1 · %2 left").arg(text, left);
}

void HeaderBar::setState(State state)
{
    // The same key again must not queue the same experiment.
    if (m_state == State::Idle && state != State::Idle && m_run->hasFocus() && m_focusFallback != nullptr) {
        m_focusFallback->setFocus(Qt::OtherFocusReason);
    }
    m_state = state;
    showState();
}

void HeaderBar::setProgress(const QString& text, double done)
{
    m_text->setText(text);
    m_text->setToolTip(tipText(text));
    m_bar->setVisible(done >= 0.0);
    m_bar->setValue(static_cast<int>(done * 1000.0));
}

void HeaderBar::focusRun()
{
    m_run->setFocus(Qt::OtherFocusReason);
}

void HeaderBar::setReportable(bool isReportable)
{
    setEnabledKeepingFocus(*m_report, isReportable, m_focusFallback);
}

void HeaderBar::setMenus(QMenu* experiments, QMenu* settings)
{
    m_experiment->setMenu(experiments);
    m_settings->setMenu(settings);
}

void HeaderBar::showState()
{
    const bool isIdle = m_state == State::Idle;
    setEnabledKeepingFocus(*m_run, m_problem.isEmpty(), m_focusFallback);
    m_run->setText(isIdle ? tr("Run") : tr("Add to queue"));
    setEnabledKeepingFocus(*m_pause, m_state == State::Running || m_state == State::Paused, m_focusFallback);
    m_pause->setIcon(glyphIcon(m_state == State::Paused ? Glyph::Run : Glyph::Pause));
    setEnabledKeepingFocus(*m_stop, !isIdle && m_state != State::Stopping, m_focusFallback);
    const bool isPaused = m_state == State::Paused;
    describe(*m_pause, isPaused ? tr("Resume") : tr("Pause"),
        isPaused ? tr("Resumes the run (F9).") : tr("Pauses the run at the next step (F9)."));
    QString why = tr("Trains every ticked variant (Ctrl+Return).");
    if (!m_problem.isEmpty()) {
        why = m_problem;
    } else if (!isIdle) {
        why = tr("Adds the ticked variants to the queue; they start when the experiments before them have ended "
                 "(Ctrl+Return).");
    }
    describe(*m_run, m_run->text(), why);
    if (isIdle && m_isWrong) {
        setProgress(m_problem, -1.0);
        QPalette wrong = palette();
        wrong.setColor(QPalette::WindowText, toneColor(Tone::Error, palette()));
        m_text->setPalette(wrong);
        m_text->setProperty("wrong", true);
    } else if (m_text->property("wrong").toBool()) {
        m_text->setProperty("wrong", false);
        m_text->setPalette({});
        m_text->clear();
    }
}

/// Names what it stops, which need not be the experiment in the form.
void HeaderBar::describeStop()
{
    describe(*m_stop, m_running.isEmpty() ? tr("Stop") : tr("Stop “%1”").arg(m_running),
        m_running.isEmpty() ? tr("Stops this experiment, or all (Ctrl+.).")
                            : tr("Stops “%1”, or all (Ctrl+.).").arg(m_running));
}

void HeaderBar::retranslate()
{
    describe(*m_experiment, tr("Experiment"), tr("Choose another experiment (Ctrl+1 to Ctrl+7)."));
    describeStop();
    m_report->setText(tr("Report"));
    describe(*m_report, tr("Report"), tr("Writes a report of the shown runs: Word, PDF, web page, LaTeX (Alt+5)."));
    describe(*m_search, tr("Commands"), tr("Search all commands (Ctrl+Shift+P or Ctrl+K)."));
    describe(*m_settings, tr("Settings"), tr("Language, appearance and panels."));
    describe(*m_bar, tr("Progress"), tr("Progress of all runs."));
    showState();
}

} // namespace lockstep::ui
