// What the window shows of the run in progress: progress, cards, charts, findings, the estimate, failures.
#include "analysis/estimate.h"
#include "experiment/choices.h"
#include "ui/forms/experiment_form.h"
#include "ui/models/run_groups.h"
#include "ui/models/numbers.h"
#include "ui/pages/chart_panel.h"
#include "ui/net/net_panel.h"
#include "ui/pages/bottleneck_strip.h"
#include "ui/pages/findings_page.h"
#include "ui/pages/gallery.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/ring/ring_panel.h"
#include "ui/shell/header_bar.h"
#include "ui/shell/main_window_actions.h"
#include "ui/timeline/timeline_panel.h"

#include <QDesktopServices>
#include <QDir>
#include <QStackedWidget>
#include <QTabWidget>
#include <QUrl>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

using analysis::RunStatus;

namespace {

constexpr int SavedMessageMs = 8000;

HeaderBar::State headerState(RunStatus status)
{
    switch (status) {
    case RunStatus::Queued:
    case RunStatus::Starting:
        return HeaderBar::State::Starting;
    case RunStatus::Running:
        return HeaderBar::State::Running;
    case RunStatus::Paused:
        return HeaderBar::State::Paused;
    case RunStatus::Stopping:
        return HeaderBar::State::Stopping;
    case RunStatus::Finished:
    case RunStatus::Failed:
    case RunStatus::Stopped:
    case RunStatus::Interrupted:
        break;
    }
    return HeaderBar::State::Idle;
}

/// A record as analysis wants it, with its curves.
analysis::RunRecord withCurves(const RunFeed& feed)
{
    analysis::RunRecord record = feed.record();
    record.loss = feed.loss();
    record.accuracy = feed.accuracy();
    record.ranks = feed.rankSummaries();
    return record;
}

bool isSweep(const RunFeed& feed)
{
    return is(feed.record().spec, experiment::Strategy::Collectives);
}

} // namespace

void MainWindow::showInvitation()
{
    const std::string& experiment = m_form.experiment();
    m_emptyText->setText(experiment.empty() || experiment == "optimizers"
            ? tr("Press Run to train with each optimizer and watch the loss fall step by step.")
            : experimentQuestion(experiment) + u'\n' + tr("Press Run to see the result."));
    showCentre();
}

void MainWindow::chooseExperiment(const QString& preset)
{
    const auto spec = experiment::preset(preset.toStdString());
    if (!spec) {
        m_strip->showMessage(Tone::Error, QString::fromStdString(spec.error().message));
        return;
    }
    m_form.setSpec(*spec);
    m_header->setExperiment(experimentTitle(m_form.experiment()));
    showInvitation();
    std::vector<QColor> colors;
    const auto& all = variantColors(settings::palette.read());
    for (std::size_t i = 0; i < m_form.variants().size(); ++i) {
        colors.push_back(all[i % all.size()]);
    }
    m_formPanel->setColors(colors);
}

void MainWindow::run()
{
    if (m_controller.isBusy() || !m_form.problem().isEmpty()) {
        return;
    }
    m_strip->hide();
    m_answer = nullptr;
    if (m_tabs->currentWidget() == m_net) {
        m_tabs->setCurrentIndex(0);
    }
    m_controller.start(m_form.runs());
}

QString MainWindow::progressText(const BatchProgress& progress) const
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
    return std::isnan(progress.secondsLeft) ? text : tr("%1 · %2 left").arg(text, clockText(progress.secondsLeft));
}

void MainWindow::showState()
{
    const bool isBusy = m_controller.isBusy();
    if (isBusy) {
        const BatchProgress progress = m_controller.progress();
        m_header->setState(headerState(progress.status));
        m_header->setProgress(progressText(progress), progress.done);
    } else {
        m_header->setState(HeaderBar::State::Idle);
        if (m_form.problem().isEmpty()) {
            m_header->setProgress({}, -1.0);
        }
        if (m_isClosing) {
            close();
        }
    }
    m_actions->run->setEnabled(!isBusy);
    m_actions->pause->setEnabled(isBusy);
    m_actions->stop->setEnabled(isBusy);
    m_actions->checkpoint->setEnabled(isBusy);
    showRunPages();
    showTick();
}

void MainWindow::showTick()
{
    if (m_controller.isBusy()) {
        const BatchProgress progress = m_controller.progress();
        m_header->setProgress(progressText(progress), progress.done);
    }
    const RunFeed* feed = m_controller.currentFeed();
    if (feed == nullptr && !m_controller.feeds().empty()) {
        feed = m_controller.feeds().back();
    }
    m_bottleneck->setRun(m_controller.isBusy() ? m_controller.currentFeed() : nullptr);
    m_ranks->setCards(feed == nullptr ? std::vector<RankCard>() : feed->ranks());
    if (m_tabs->isTabVisible(static_cast<int>(ChartModel::Kind::Machine)) != hasMachine()) {
        showRunPages(); // the first look at a machine comes after its run has begun
    }
    if (!m_controller.isBusy()) {
        showFindings();
    }
}

void MainWindow::showFeeds()
{
    const std::vector<RunFeed*> feeds = m_controller.feeds();
    for (const auto& model : m_models) {
        model->setFeeds(feeds);
    }
    showRunPages();
    showCentre();
    showTick();
    showFindings();
}

/// Before the first run that divides a net it can already be looked at, and cut.
void MainWindow::showCentre()
{
    const bool hasFeeds = !m_controller.feeds().empty();
    const bool isNet = !hasFeeds && !m_form.rows().empty() && m_net->formHasDividedNet();
    m_net->setInvitation(isNet ? m_emptyText->text() : QString());
    if (isNet && m_centre->currentIndex() == 0) {
        m_tabs->setCurrentWidget(m_net);
    }
    m_centre->setCurrentIndex(hasFeeds || isNet ? 1 : 0);
}

void MainWindow::showTab(int number)
{
    if (m_tabs->isTabVisible(number)) {
        m_tabs->setCurrentIndex(number);
    }
}

bool MainWindow::hasMachine() const
{
    const auto feeds = m_controller.feeds();
    return std::any_of(feeds.begin(), feeds.end(), [](const RunFeed* feed) { return !feed->machineSamples().empty(); });
}

void MainWindow::showRunPages()
{
    const std::vector<RunFeed*> feeds = m_controller.feeds();
    m_timeline->setFeeds(feeds);
    m_net->setFeeds(feeds);
    const auto any = [&feeds](const auto& holds) { return std::any_of(feeds.begin(), feeds.end(), holds); };
    const bool hasSweep = any([](const RunFeed* feed) { return isSweep(*feed); });
    const bool hasTraining = feeds.empty() || any([](const RunFeed* feed) { return !isSweep(*feed); });
    const bool hasRanks = any([](const RunFeed* feed) { return !isSweep(*feed) && ranksOf(*feed) > 1; });
    const bool isScaling = any(isOfScaling);
    // Of runs by the number of ranks, charts run by run would show nothing that those by ranks do not.
    const bool onlyScales = isScaling && std::all_of(feeds.begin(), feeds.end(), isOfScaling);
    const auto show = [this](QWidget* page, bool isShown) {
        const int tab = m_tabs->indexOf(page);
        if (m_tabs->isTabVisible(tab) != isShown) {
            m_tabs->setTabVisible(tab, isShown);
            m_actions->tabs[static_cast<std::size_t>(tab)]->setEnabled(isShown);
        }
    };
    const auto panel = [this](ChartModel::Kind kind) { return m_panels[static_cast<std::size_t>(kind)]; };
    show(m_ring, m_ring->setFeeds(feeds) && hasTraining);
    // What comes first is shown first: the tab at hand must not be hidden before another can be seen.
    show(panel(ChartModel::Kind::Sweep), hasSweep && !(onlyScales && hasTraining));
    show(panel(ChartModel::Kind::Bandwidth), hasSweep && !(onlyScales && hasTraining));
    show(panel(ChartModel::Kind::Loss), hasTraining);
    show(panel(ChartModel::Kind::Accuracy), hasTraining);
    show(panel(ChartModel::Kind::Time), hasTraining && !onlyScales);
    const bool isDealt = any([](const RunFeed* feed) { return isDealtInShares(*feed); });
    for (const auto kind : {ChartModel::Kind::Labels, ChartModel::Kind::Shares, ChartModel::Kind::Skew}) {
        show(panel(kind), isDealt);
    }
    const bool isDivided = any([](const RunFeed* feed) { return isModelParallel(*feed); });
    for (const auto kind : {ChartModel::Kind::SpeedUp, ChartModel::Kind::Efficiency, ChartModel::Kind::Throughput,
             ChartModel::Kind::Split, ChartModel::Kind::Target}) {
        show(panel(kind), isScaling || (kind == ChartModel::Kind::Throughput && isDivided));
    }
    show(panel(ChartModel::Kind::Communication), hasRanks && !onlyScales);
    show(panel(ChartModel::Kind::Ranks), hasRanks && !onlyScales);
    show(panel(ChartModel::Kind::Memory), isDivided);
    show(panel(ChartModel::Kind::Traffic), isDivided);
    show(panel(ChartModel::Kind::Machine), hasMachine());
    const bool hasNet = hasTraining && m_net->hasDividedNet();
    if (!hasNet && m_tabs->currentWidget() == m_net) {
        m_tabs->setCurrentWidget(panel(ChartModel::Kind::Loss)); // a page that goes would leave its neighbour
    }
    show(m_net, hasNet);
    show(m_timeline, hasTraining);
    if (!m_tabs->isTabVisible(m_tabs->currentIndex())) {
        m_tabs->setCurrentWidget(hasTraining ? panel(ChartModel::Kind::Loss) : panel(ChartModel::Kind::Sweep));
    }
}

void MainWindow::showFindings()
{
    if (m_tabs->currentWidget() != m_findings) {
        return;
    }
    std::vector<ShownRun> runs;
    for (const RunFeed* feed : m_controller.feeds()) {
        runs.push_back({withCurves(*feed), feed->color()});
    }
    m_findings->setRuns(std::move(runs));
}

void MainWindow::showEstimate()
{
    if (m_form.runs().empty()) {
        m_formPanel->setEstimate({}, {});
        return;
    }
    std::vector<analysis::RunRecord> history;
    for (const analysis::RunRecord& record : m_controller.table().records()) {
        if (record.status == RunStatus::Finished) {
            history.push_back(record);
        }
    }
    double seconds = 0.0;
    std::int64_t steps = 0;
    std::int64_t weights = 0;
    bool isMeasured = true;
    for (const experiment::RunSpec& run : m_form.runs()) {
        const analysis::Estimate cost = analysis::estimate(session::withAbsolutePaths(run), history);
        seconds += cost.seconds;
        steps += cost.steps;
        weights = std::max(weights, cost.parameters);
        isMeasured = isMeasured && cost.fromMeasurement;
    }
    if (weights == 0) {
        m_formPanel->setEstimate(tr("≈ %1 · %2 measurements").arg(durationText(seconds), countText(steps)), {});
        return;
    }
    m_formPanel->setEstimate(tr("≈ %1 · %2 parameters · %3 steps")
                                 .arg(durationText(seconds), siText(static_cast<double>(weights)), countText(steps)),
        isMeasured ? tr("Estimated from runs measured on this machine.")
                   : tr("A rough estimate until a run has been measured on this machine."));
}

void MainWindow::showFailure(const RunId& id, const QString& name, const QString& message)
{
    // The rank that failed first says why; its last lines often say more.
    std::int32_t rank = 0;
    if (const RunFeed* feed = m_controller.currentFeed()) {
        for (const RankCard& card : feed->ranks()) {
            if (card.state == session::RankState::Failed) {
                rank = card.rank;
                break;
            }
        }
    }
    m_answer = [this](int) { run(); };
    m_strip->showMessage(Tone::Error, tr("%1 failed: %2").arg(name, message),
        m_controller.log().lastLines(id, rank, 3), {tr("Run again")});
}

void MainWindow::showExported(const QString& path)
{
    m_answer = [path](int action) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(action == 0 ? path : QFileInfo(path).absolutePath()));
    };
    m_strip->showMessage(Tone::Information, tr("Saved as %1.").arg(QDir::toNativeSeparators(path)), {},
        {tr("Open"), tr("Open folder")});
    m_strip->hideAfter(SavedMessageMs);
}

} // namespace lockstep::ui
