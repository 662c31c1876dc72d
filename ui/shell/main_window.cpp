#include "ui/shell/main_window.h"

#include "ui/pages/chart_panel.h"
#include "ui/forms/experiment_form.h"
#include "ui/net/net_panel.h"
#include "ui/pages/bottleneck_strip.h"
#include "ui/pages/findings_page.h"
#include "ui/pages/gallery.h"
#include "ui/pages/log_page.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/pages/runs_page.h"
#include "ui/ring/ring_panel.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/header_bar.h"
#include "ui/shell/main_window_actions.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_panel.h"

#include <QCloseEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent)
{
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setHandleWidth(3);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

} // namespace

MainWindow::MainWindow(const QString& storeFolder, QWidget* parent)
    : QMainWindow(parent)
    , m_controller(storeFolder)
    , m_header(new HeaderBar(this))
    , m_strip(new MessageStrip(this))
    , m_gallery(new Gallery(this))
    , m_tabs(new QTabWidget(this))
    , m_centre(new QStackedWidget(this))
    , m_net(new NetPanel(m_form, this))
    , m_timeline(new TimelinePanel(this))
    , m_ring(new RingPanel(this))
    , m_findings(new FindingsPage(this))
    , m_ranks(new RankStrip(this))
    , m_bottleneck(new BottleneckStrip(this))
    , m_formPanel(new ExperimentForm(m_form, this))
    , m_runs(new RunsPage(m_controller.table(), this))
    , m_log(new LogPage(m_controller.log(), this))
    , m_vertical(makeSplitter(Qt::Vertical, this))
    , m_upper(makeSplitter(Qt::Horizontal, this))
    , m_lower(makeSplitter(Qt::Horizontal, this))
    , m_palette(new CommandPalette(this))
    , m_actions(std::make_unique<Actions>())
{
    setWindowTitle(QStringLiteral("Lockstep"));
    setMinimumSize(1024, 640);
    m_upper->addWidget(m_gallery);
    m_upper->addWidget(makeCentre());
    m_upper->addWidget(m_formPanel);
    m_upper->setStretchFactor(1, 1);
    m_gallery->setMinimumWidth(130);
    m_formPanel->setMinimumWidth(330);
    // The charts shrink before anything beside them is cut off.
    m_centre->setMinimumWidth(556);
    m_lower->addWidget(m_runs);
    m_lower->addWidget(m_log);
    m_lower->setStretchFactor(0, 3);
    m_lower->setStretchFactor(1, 2);
    m_runs->setMinimumWidth(420);
    m_log->setMinimumWidth(280);
    m_vertical->addWidget(m_upper);
    m_vertical->addWidget(m_lower);
    m_vertical->setStretchFactor(0, 1);
    m_upper->setSizes({150, 800, 330});
    m_lower->setSizes({760, 520});
    m_vertical->setSizes({560, 190});
    auto* root = new QWidget(this);
    auto* layout = new QVBoxLayout(root);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_strip);
    layout->addWidget(m_vertical, 1);
    setCentralWidget(root);

    makeActions();
    makeMenus();
    wire();
    retranslate();
    showRunPages();
    restoreLayout();
    m_gallery->choose(0);
    applyThemeToCharts();
    m_header->focusRun();
}

MainWindow::~MainWindow() = default;

QWidget* MainWindow::makeCentre()
{
    m_tabs->setDocumentMode(true);
    for (std::size_t i = 0; i < m_models.size(); ++i) {
        m_models[i] = std::make_unique<ChartModel>(ChartModel::Kinds[i]);
        m_panels[i] = new ChartPanel(*m_models[i], this);
        m_tabs->addTab(m_panels[i], {});
        connect(m_panels[i], &ChartPanel::seriesToggleRequested, this, [this](const QString& key) {
            const std::string id = key.section(u'/', 0, 0).toStdString();
            for (RunFeed* feed : m_controller.feeds()) {
                if (feed->id().text == id) {
                    feed->setVisible(!feed->isVisible());
                }
            }
        });
    }
    m_tabs->addTab(m_net, {});
    m_tabs->setTabVisible(m_tabs->indexOf(m_net), false);
    m_tabs->addTab(m_timeline, {});
    m_tabs->addTab(m_ring, {});
    m_tabs->setTabVisible(m_tabs->indexOf(m_ring), false);
    m_tabs->addTab(m_findings, {});
    m_centre->addWidget(makeEmptyPage());
    m_centre->addWidget(m_tabs);
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_centre, 1);
    layout->addWidget(m_bottleneck);
    layout->addWidget(m_ranks);
    return centre;
}

/// One sentence, one action.
QWidget* MainWindow::makeEmptyPage()
{
    auto* page = new QWidget(this);
    m_emptyText = new QLabel(page);
    m_emptyText->setWordWrap(true);
    m_emptyText->setAlignment(Qt::AlignCenter);
    QFont font = m_emptyText->font();
    font.setPointSizeF(font.pointSizeF() * 1.2);
    m_emptyText->setFont(font);
    // A wrapped label in a stretched column only gets the height that it needs when its width is fixed.
    m_emptyText->setFixedWidth(420);
    m_emptyRun = new QPushButton(page);
    m_emptyRun->setAutoDefault(true);
    m_emptyRun->setMinimumWidth(120);
    connect(m_emptyRun, &QPushButton::clicked, this, &MainWindow::run);
    auto* layout = new QVBoxLayout(page);
    layout->setSpacing(16);
    layout->addStretch(2);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_emptyText);
    row->addStretch(1);
    layout->addLayout(row);
    layout->addWidget(m_emptyRun, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    return page;
}

void MainWindow::open(session::SessionOptions options)
{
    m_controller.open(std::move(options));
}

void MainWindow::wire()
{
    connect(m_header, &HeaderBar::runRequested, this, &MainWindow::run);
    connect(m_header, &HeaderBar::pauseRequested, &m_controller, &RunController::togglePause);
    connect(m_header, &HeaderBar::stopRequested, &m_controller, &RunController::stopAll);
    connect(m_header, &HeaderBar::paletteRequested, m_actions->commands, &QAction::trigger);
    connect(m_bottleneck, &BottleneckStrip::changed, &m_controller, &RunController::send);
    connect(m_gallery, &Gallery::experimentChosen, this, &MainWindow::chooseExperiment);
    connect(&m_form, &FormModel::changed, this, [this] {
        m_header->setProblem(m_form.problem());
        m_emptyRun->setEnabled(m_form.problem().isEmpty());
        showEstimate();
        showRunPages();
        showCentre();
    });
    connect(&m_controller, &RunController::feedsChanged, this, &MainWindow::showFeeds);
    connect(&m_controller, &RunController::ticked, this, &MainWindow::showTick);
    connect(&m_controller, &RunController::stateChanged, this, &MainWindow::showState);
    connect(&m_controller, &RunController::recordsListed, this, &MainWindow::showEstimate);
    connect(&m_controller, &RunController::runFailed, this, &MainWindow::showFailure);
    connect(&m_controller, &RunController::runEnded, this, [this](const RunId&) {
        showEstimate();
        showFindings();
    });
    connect(&m_controller, &RunController::storeFailed, this,
        [this](const QString& message) { m_strip->showMessage(Tone::Error, message); });
    connect(&m_controller, &RunController::runRemoved, m_runs, &RunsPage::offerUndo);
    connect(m_runs, &RunsPage::resumeRequested, &m_controller, &RunController::goOn);
    connect(m_runs, &RunsPage::deleteRequested, &m_controller, &RunController::remove);
    connect(m_runs, &RunsPage::restoreRequested, &m_controller, &RunController::restore);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::showFindings);
    connect(m_strip, &MessageStrip::actionChosen, this, [this](int action) {
        // The answer may ask again.
        if (const auto answer = m_answer) {
            answer(action);
        }
    });
    for (ChartPanel* panel : m_panels) {
        connect(panel, &ChartPanel::exported, this, &MainWindow::showExported);
    }
    connect(m_timeline, &TimelinePanel::exported, this, &MainWindow::showExported);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    } else if (event->type() == QEvent::PaletteChange) {
        applyThemeToCharts();
    } else if (event->type() == QEvent::ThemeChange && settings::theme.read() == Theme::System) {
        QTimer::singleShot(0, this, [] { applyTheme(Theme::System); });
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_controller.isBusy() && !m_isClosing) {
        m_answer = [this](int action) {
            if (action == 0) {
                m_isClosing = true;
                close();
            }
        };
        m_strip->showMessage(Tone::Warning,
            tr("A run is in progress. Closing the window stops it and keeps its results so far."), {},
            {tr("Stop and close"), tr("Keep running")});
        event->ignore();
        return;
    }
    saveLayout();
    event->accept();
}

void MainWindow::saveLayout() const
{
    settings::geometry.write(saveGeometry());
    settings::runsHeader.write(m_runs->headerState());
    settings::tab.write(m_tabs->currentIndex());
    if (!m_isChartAlone) {
        settings::verticalSplit.write(m_vertical->saveState());
        settings::upperSplit.write(m_upper->saveState());
        settings::lowerSplit.write(m_lower->saveState());
    }
}

void MainWindow::restoreLayout()
{
    if (!restoreGeometry(settings::geometry.read())) {
        resize(1280, 800);
    }
    m_runs->restoreHeaderState(settings::runsHeader.read());
    showTab(settings::tab.read());
    m_vertical->restoreState(settings::verticalSplit.read());
    m_upper->restoreState(settings::upperSplit.read());
    m_lower->restoreState(settings::lowerSplit.read());
    m_actions->gallery->setChecked(settings::galleryShown.read());
    m_actions->form->setChecked(settings::formShown.read());
    m_actions->lower->setChecked(settings::lowerShown.read());
}

void MainWindow::applyThemeToCharts()
{
    for (ChartPanel* panel : m_panels) {
        if (panel != nullptr) {
            panel->setTheme(chartThemeFor(palette()));
        }
    }
    m_net->setTheme(chartThemeFor(palette()));
    m_timeline->setTheme(chartThemeFor(palette()));
    m_ring->setTheme(chartThemeFor(palette()));
}

} // namespace lockstep::ui
