#include "ui/shell/main_window.h"

#include "base/exit_code.h"
#include "ui/forms/experiment_form.h"
#include "ui/forms/variants_editor.h"
#include "ui/net/net_panel.h"
#include "ui/pages/drawer_bar.h"
#include "ui/pages/machine/log_page.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/pages/replay_bar.h"
#include "ui/pages/runs/gallery.h"
#include "ui/pages/runs/queue_panel.h"
#include "ui/pages/runs/run_list.h"
#include "ui/pages/runs/runs_actions.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/straggler_strip.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/experiment_menu.h"
#include "ui/shell/help_window.h"
#include "ui/shell/laboratory_actions.h"
#include "ui/shell/last_session.h"
#include "ui/shell/machine_dialogs.h"
#include "ui/shell/notices.h"
#include "ui/shell/runs/confirmation.h"
#include "ui/shell/runs/queue_actions.h"
#include "ui/shell/runs/replay_session.h"
#include "ui/shell/runs/script_race.h"
#include "ui/shell/runs/stored_runs.h"
#include "ui/shell/views/centre_pages.h"
#include "ui/shell/views/header_bar.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/shell/views/view_menu.h"
#include "ui/shell/views/view_modes.h"
#include "ui/shell/views/window_layout.h"
#include "ui/shell/window_actions.h"
#include "ui/theme/theme.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QTabBar>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

/// A run that does not stop when it is asked to is killed before (SessionOptions::stopTimeout).
constexpr int MostEndMs = 4000;

QStringList localFilesOf(const QMimeData& data)
{
    QStringList paths;
    for (const QUrl& url : data.urls()) {
        if (url.isLocalFile()) {
            paths += url.toLocalFile();
        }
    }
    return paths;
}

std::vector<experiment::RunSpec> specsOf(const std::vector<RunFeed*>& feeds)
{
    std::vector<experiment::RunSpec> runs;
    for (const RunFeed* feed : feeds) {
        runs.push_back(feed->record().spec);
    }
    return runs;
}

/// The fields that the form shows, for the list of commands.
std::vector<CommandPalette::Place> placesOf(const FormModel& form, ExperimentForm& panel)
{
    std::vector<CommandPalette::Place> places;
    for (const FormRow& row : form.rows()) {
        if (row.isShown) {
            const std::string name(row.parameter->name);
            places.push_back({translatedLabel(*row.parameter), translatedHelp(*row.parameter),
                [&panel, name] { panel.focusField(name); }});
        }
    }
    return places;
}

void connectRunList(RunList& list, RunController& controller)
{
    QObject::connect(&list, &RunList::onlyRequested, &controller,
        [&controller](const std::vector<RunId>& runs) { showOnly(controller, runs); });
    QObject::connect(&list, &RunList::openRequested, &controller,
        [&controller](const std::vector<RunId>& runs) { showBesideKept(controller, runs); });
    QObject::connect(
        &list, &RunList::shownRequested, &controller, [&controller](const std::vector<RunId>& runs, bool isShown) {
            for (const RunId& id : runs) {
                isShown ? controller.showRun(id) : controller.shown().hide(id);
            }
        });
}

void connectRuns(const RunsActions& actions, RunController& controller, Notices& notices, QWidget& window)
{
    QObject::connect(&actions, &RunsActions::keepRequested, &controller.shown(), &ShownFeeds::keepShown);
    QObject::connect(&actions, &RunsActions::resumeRequested, &controller, &RunController::resume);
    QObject::connect(&actions, &RunsActions::deleteRequested, &controller.store(), &StoreWorker::remove);
    QObject::connect(&actions, &RunsActions::detailsRequested, &window,
        [&](const RunId& id) { showDetails(id, controller, window); });
    QObject::connect(&actions, &RunsActions::bundleRequested, &window,
        [&](const std::vector<RunId>& ids) { saveBundle(ids, controller, notices, window); });
}

/// The active run's, if it is shown.
const RunFeed* feedOfRanks(RunController& controller)
{
    const std::vector<RunFeed*> shown = controller.feeds();
    const RunFeed* feed = controller.shown().isReplaying() ? nullptr : controller.currentFeed();
    if (std::ranges::find(shown, feed) == shown.end()) {
        feed = shown.empty() ? nullptr : shown.back();
    }
    return feed;
}

/// From the form's net, which shows no run, to the first chart.
void leaveNet(RunTabs& tabs)
{
    if (tabs.currentWidget() == &tabs.net()) {
        tabs.setCurrentIndex(0);
    }
}

} // namespace

MainWindow::MainWindow(const QString& storeFolder, QWidget* parent)
    : QMainWindow(parent)
    , m_storeFolder(storeFolder)
    , m_controller(storeFolder)
    , m_header(new HeaderBar(this))
    , m_strip(new MessageStrip(this))
    , m_gallery(new Gallery(this))
    , m_runList(new RunList(this))
    , m_centre(new CentrePages(m_form, m_controller, this))
    , m_stragglers(new StragglerStrip(this))
    , m_replayBar(new ReplayBar(this))
    , m_ranks(new RankStrip(this))
    , m_formPanel(new ExperimentForm(m_form, this))
    , m_runs(new RunsPage(m_controller.table(), this))
    , m_log(new LogPage(m_controller.log(), this))
    , m_queue(new QueuePanel(this))
    , m_drawers(new DrawerBar(m_controller.log(), this))
    , m_palette(new CommandPalette(this))
    , m_notices(new Notices(*m_strip, m_controller, this))
    , m_queueActions(new QueueActions(m_controller, *m_queue, *m_drawers, *m_notices, this))
    , m_listing(new QTimer(this))
    , m_actions(new WindowActions(*this, m_centre->tabs(), m_gallery->count()))
    , m_documents(new DocumentActions(*this, m_form, *m_gallery, *m_strip))
    , m_last(new LastSession(m_form, *m_documents, this))
    , m_layout(new WindowLayout(*this,
          {*m_header, *m_strip, *m_gallery, *m_runList, *m_centre, *m_stragglers, *m_replayBar, *m_ranks, *m_formPanel,
              *m_runs, *m_log, *m_queue, *m_drawers},
          *m_actions))
    , m_modes(new ViewModes(storeFolder, m_controller, *m_centre, *m_replayBar, *m_runList, *m_runs, *m_actions,
          *m_layout, *m_notices, this))
    , m_views(new ViewMenu(*this, *m_actions->settingsMenu(), storeFolder,
          {m_controller, m_centre->tabs(), *m_modes, *m_actions->twoCharts, *m_notices}))
    , m_laboratories(new LaboratoryActions(*this, *m_actions->experimentMenu(),
          {m_form, m_controller, *m_documents, *m_gallery, *m_header, *m_strip, *m_centre, *m_layout}))
{
    setMinimumSize(1024, 640);
    setAcceptDrops(true);
    m_documents->addTo(*m_actions->experimentMenu());
    m_documents->setRuns([this] { return specsOf(m_controller.feeds()); });
    m_listing->setSingleShot(true);
    m_listing->setInterval(50);
    m_strip->setObjectName(QStringLiteral("notices"));
    m_header->setMenus(m_actions->experimentMenu(), m_actions->settingsMenu());
    m_header->setFocusFallback(&tabs().tabBar());
    m_stragglers->setFocusFallback(&tabs().tabBar());
    wireForm();
    wireRuns();
    wireActions();
    retranslate();
    tabs().chooseViews();
    m_layout->restore();
    if (!m_last->restore()) { // the form as it was left; at the first start the first experiment
        m_gallery->choose(0);
    }
    m_header->focusRun();
}

MainWindow::~MainWindow()
{
    // A table that is hidden asks the form for its headers; the form ends before the widgets.
    hide();
}

RunTabs& MainWindow::tabs()
{
    return m_centre->tabs();
}

void MainWindow::open(launch::SessionOptions options)
{
    m_controller.open(std::move(options));
}

void MainWindow::wireForm()
{
    connect(m_documents, &DocumentActions::opened, this, &MainWindow::showOpened);
    connect(m_documents, &DocumentActions::titleChanged, m_header, &HeaderBar::setExperiment);
    connect(m_documents->pytorch, &QAction::triggered, this, [this] {
        showAsPytorch(*this, {m_controller, *m_strip, m_storeFolder}, m_form.runs());
    });
    connect(m_documents, &DocumentActions::closeConfirmed, this, &QWidget::close);
    connect(&m_form, &FormModel::changed, this, [this] {
        m_header->setProblem(m_form.problem());
        showEstimate();
    });
    const auto chooseRuns = [this] { m_runList->setChosen(m_form.key()); };
    connect(&m_form, &FormModel::specReplaced, this, chooseRuns);
    connect(m_documents, &DocumentActions::titleChanged, this, chooseRuns);
    new ExperimentMenu(*this, m_form, *m_documents, *m_gallery, *m_strip);
    connect(&m_formPanel->variants(), &VariantsEditor::varied, this, [this] { m_hasVaried = true; });
    connect(m_gallery, &Gallery::ownProgramRequested, m_documents->ownProgram, &QAction::trigger);
    connect(m_header, &HeaderBar::runRequested, this, &MainWindow::run);
    connect(m_centre, &CentrePages::runRequested, this, &MainWindow::run);
    connect(m_notices, &Notices::runAgainRequested, this, &MainWindow::run);
}

void MainWindow::wireRuns()
{
    connect(m_stragglers, &StragglerStrip::changed, &m_controller, &RunController::send);
    connect(&m_controller, &RunController::feedsChanged, this, &MainWindow::showTick);
    connect(&m_controller, &RunController::ticked, this, &MainWindow::showTick);
    connect(&m_controller, &RunController::stateChanged, this, &MainWindow::showState);
    connect(&m_controller, &RunController::confirmationNeeded, this,
        [this](const auto& runs, const auto& risks) { askForConfirmation(this, m_controller, runs, risks); });
    connect(&m_controller, &RunController::recordsListed, this, &MainWindow::showEstimate);
    connect(&m_controller, &RunController::runEnded, this, &MainWindow::showEstimate);
    connect(&m_controller, &RunController::runRemoved, m_runs, &RunsPage::offerUndo);
    connect(&m_controller, &RunController::feedsChanged, m_listing, qOverload<>(&QTimer::start));
    connect(&m_controller.table(), &RunsTableModel::listed, m_listing, qOverload<>(&QTimer::start));
    connect(m_listing, &QTimer::timeout, this, &MainWindow::listRuns);
    connectRunList(*m_runList, m_controller);
    connectRuns(m_runs->actions(), m_controller, *m_notices, *this);
    m_runList->addActions({m_runs->actions().keep, m_runs->actions().unpin});
    connect(&m_runs->actions(), &RunsActions::pytorchRequested, this, [this](const RunId& id) {
        if (const analysis::RunRecord* run = m_controller.table().record(id)) {
            showAsPytorch(*this, {m_controller, *m_strip, m_storeFolder}, {run->spec});
        }
    });
    connect(m_runs, &RunsPage::restoreRequested, &m_controller.store(), &StoreWorker::restore);
    connect(&tabs(), &RunTabs::exported, m_notices, &Notices::showExported);
    connect(m_documents, &DocumentActions::importRequested, &m_controller.store(), &StoreWorker::import);
    connect(&m_controller, &RunController::imported, m_notices, &Notices::showImported);
    connect(m_notices, &Notices::experimentRequested, m_documents, &DocumentActions::openText);
    connect(&m_runs->actions(), &RunsActions::settingsRequested, m_documents, &DocumentActions::useSettings);
    connect(m_notices, &Notices::closeConfirmed, this, [this] {
        m_isClosing = true;
        close();
    });
    // The runs stay with this process, which ends after them. Another window joins their queue meanwhile.
    connect(m_notices, &Notices::leaveConfirmed, this, [this] {
        QGuiApplication::setQuitOnLastWindowClosed(false);
        m_isLeft = true;
        m_isLeft = close(); // false: a document is not saved yet
        QGuiApplication::setQuitOnLastWindowClosed(!m_isLeft);
    });
}

void MainWindow::wireActions()
{
    const WindowActions& a = *m_actions;
    connect(a.run, &QAction::triggered, this, &MainWindow::run);
    m_queueActions->connectControls(*m_header, *a.pause, *a.stop);
    connect(a.checkpoint, &QAction::triggered, this, [this] { m_controller.send({wire::Command::Checkpoint}); });
    connect(a.exportChart, &QAction::triggered, this, [this] { takeChart(&RunTabs::exportCurrent); });
    connect(a.copyChart, &QAction::triggered, this, [this] { takeChart(&RunTabs::copyCurrent); });
    connect(a.filter, &QAction::triggered, this, [this] {
        m_actions->table->setChecked(true);
        m_runs->focusFilter();
    });
    connect(m_header, &HeaderBar::reportRequested, this, [this] {
        m_modes->showRuns();
        tabs().opening().clear(); // the end of a run leads away from no report
        tabs().openReport();
    });
    connect(m_header, &HeaderBar::paletteRequested, a.commands, &QAction::trigger);
    m_palette->setPlaces([this] { return placesOf(m_form, *m_formPanel); });
    connect(a.commands, &QAction::triggered, m_palette, &CommandPalette::open);
    connect(a.chartAlone, &QAction::triggered, m_layout, &WindowLayout::toggleChartAlone);
    connect(a.doctor, &QAction::triggered, this, [this] { showMachine(m_storeFolder, *this); });
    connect(a.help, &QAction::triggered, this, [this] { (new HelpWindow(actions(), this))->show(); });
    connect(a.reset, &QAction::triggered, &m_form, &FormModel::resetAll);
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(a.leave, &QAction::triggered, this, [this] {
        if (!m_modes->leave()) {
            m_header->focusRun();
        }
    });
    connect(m_modes, &ViewModes::replayChanged, this, &MainWindow::showTick);
    connect(&a, &WindowActions::experimentChosen, m_gallery, &Gallery::choose);
    connect(&a, &WindowActions::colorsChosen, &m_controller.shown(), &ShownFeeds::setPalette);
    connect(&a, &WindowActions::colorsChosen, m_formPanel, &ExperimentForm::setColors);
    const auto includeInterfered = [this](bool isOn) {
        const Interfered which = isOn ? Interfered::Include : Interfered::LeaveOut;
        m_controller.table().setInterfered(which);
        tabs().setInterfered(which);
    };
    connect(a.interfered, &QAction::toggled, this, includeInterfered);
    includeInterfered(a.interfered->isChecked());
}

void MainWindow::showOpened()
{
    m_modes->replay().leave();
    m_modes->showRuns();
    m_formPanel->setColors(settings::palette.read());
    const std::string key = m_form.key();
    if (key == m_openExperiment) {
        return;
    }
    m_openExperiment = key;
    m_hasVaried = false;
    tabs().opening().clear(); // what the former one was to show at its end
    if (const QString opening = experimentOpening(m_form.spec()); !opening.isEmpty()) {
        tabs().opening().set(opening);
    }
    showBesideKept(m_controller, newestBatchOf(m_controller.table().records(), key));
    tabs().showWhole();
}

void MainWindow::listRuns()
{
    m_runList->setRuns(m_controller.table().records(), m_controller.shown().runs().looks());
}

void MainWindow::run()
{
    if (m_laboratories->run() || !m_form.problem().isEmpty()) {
        return;
    }
    m_strip->hide();
    m_modes->showRuns();
    if (!m_controller.isBusy()) {
        leaveNet(tabs());
        tabs().showWhole();
    }
    if (m_hasVaried) {
        tabs().opening().setAtEnd(QStringLiteral("parameter"));
    }
    m_controller.start(m_form.runs());
}

void MainWindow::showState()
{
    if (m_controller.isBusy()) {
        m_header->showBatch(m_controller.progress());
    } else {
        m_header->showIdle();
        if (m_isLeft) {
            QCoreApplication::quit();
        } else if (m_isClosing) {
            close();
        }
    }
    m_actions->setBusy(m_controller.isBusy());
    showTick();
}

void MainWindow::showTick()
{
    if (m_controller.isBusy()) {
        m_header->showProgress(m_controller.progress());
    }
    const RunFeed* feed = feedOfRanks(m_controller);
    m_stragglers->setRun(
        m_controller.isBusy() && m_controller.queue().isOwner() ? m_controller.currentFeed() : nullptr);
    m_header->setReportable(!m_controller.feeds().empty());
    m_ranks->setCards(feed == nullptr ? std::vector<RankCard>() : feed->ranks());
}

void MainWindow::showEstimate()
{
    m_formPanel->showEstimate(m_controller.table().records());
}

void MainWindow::takeChart(bool (RunTabs::*take)())
{
    m_modes->showRuns(); // what is taken is then seen
    if (!(tabs().*take)()) {
        m_notices->showNoChart();
    }
}

void MainWindow::retranslate()
{
    m_actions->retranslate();
    m_documents->retranslate();
    m_views->retranslate();
    m_laboratories->retranslate();
    if (!m_form.rows().empty()) {
        m_form.retranslate();
        showEstimate();
        showState();
    }
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::ThemeChange && settings::theme.read() == Theme::System) {
        QTimer::singleShot(0, this, [] { applyTheme(Theme::System); });
    }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const QStringList paths = localFilesOf(*event->mimeData()); !paths.isEmpty()) {
        event->acceptProposedAction();
        m_documents->addDropped(paths);
    }
}

void MainWindow::endSession()
{
    const auto end = [] { QCoreApplication::exit(ExitDone); };
    if (std::exchange(m_isEnding, true)) {
        end();
        return;
    }
    QTimer::singleShot(MostEndMs, this, end);
    saveSession(end);
}

void MainWindow::saveSession(const std::function<void()>& done)
{
    m_layout->save();
    m_last->save();
    m_controller.queue().interrupt(done);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    // What another process carries out does not end with this window.
    if (m_controller.isBusy() && m_controller.queue().isOwner() && !m_isClosing && !m_isLeft) {
        m_notices->askToClose();
        event->ignore();
        return;
    }
    if (!m_documents->mayClose()) {
        event->ignore();
        return;
    }
    m_layout->save();
    m_last->save();
    event->accept();
}

} // namespace lockstep::ui
