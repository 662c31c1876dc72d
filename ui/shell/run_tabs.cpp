#include "ui/shell/run_tabs.h"

#include "ui/models/form_model.h"
#include "ui/net/net_panel.h"
#include "ui/pages/chart_panel.h"
#include "ui/pages/findings_page.h"
#include "ui/pages/report_page.h"
#include "ui/ring/ring_panel.h"
#include "ui/shell/run_controller.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_panel.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QStandardPaths>

#include <algorithm>

namespace lockstep::ui {

namespace {

/// Keeps the user's changes of reports.
QString reportFolder()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).filePath(QStringLiteral("reports"));
}

} // namespace

RunTabs::RunTabs(FormModel& form, RunController& controller, QWidget* parent)
    : QTabWidget(parent)
    , m_controller(controller)
    , m_net(new NetPanel(form, this))
    , m_timeline(new TimelinePanel(this))
    , m_ring(new RingPanel(this))
    , m_findings(new FindingsPage(this))
    , m_report(new ReportPage(reportFolder(), this))
{
    setDocumentMode(true);
    for (const ChartKind& kind : chartKinds()) {
        m_models.push_back(std::make_unique<ChartModel>(kind));
        m_panels.push_back(new ChartPanel(*m_models.back(), this));
        addTab(m_panels.back(), {});
        connect(m_panels.back(), &ChartPanel::seriesToggleRequested, this, &RunTabs::toggleRun);
        connect(m_panels.back(), &ChartPanel::exported, this, &RunTabs::exported);
    }
    addTab(m_net, {});
    addTab(m_timeline, {});
    addTab(m_ring, {});
    addTab(m_findings, {});
    addTab(m_report, {});
    setTabVisible(indexOf(m_net), false);
    setTabVisible(indexOf(m_ring), false);
    connect(m_timeline, &TimelinePanel::exported, this, &RunTabs::exported);
    connect(m_findings, &FindingsPage::float64Requested, &controller,
        [&controller](const RunId& id) { verifyInFloat64(controller, id); });
    connect(m_report, &ReportPage::exported, this, &RunTabs::exported);
    connect(this, &QTabWidget::currentChanged, this, &RunTabs::showFindings);
    connect(this, &QTabWidget::currentChanged, this, &RunTabs::showReport);
    connect(&form, &FormModel::changed, this, &RunTabs::chooseTabs);
    connect(&controller, &RunController::feedsChanged, this, &RunTabs::showFeeds);
    connect(&controller, &RunController::stateChanged, this, &RunTabs::chooseTabs);
    connect(&controller, &RunController::ticked, this, &RunTabs::showTick);
    connect(&controller, &RunController::stateChanged, this, &RunTabs::showFindings);
    connect(&controller, &RunController::stateChanged, this, &RunTabs::showReport);
    retranslate();
    applyTheme();
}

RunTabs::~RunTabs() = default;

int RunTabs::tabOf(const ChartKind& kind)
{
    return static_cast<int>(&kind - chartKinds().data());
}

QString RunTabs::titleOf(int tab) const
{
    if (tab < static_cast<int>(chartKinds().size())) {
        return QCoreApplication::translate("ChartModel", chartKinds()[static_cast<std::size_t>(tab)].name);
    }
    const QWidget* page = widget(tab);
    return page == m_net     ? tr("Net")
        : page == m_timeline ? tr("Timeline")
        : page == m_ring     ? tr("Ring")
        : page == m_report   ? tr("Report")
                             : tr("Findings");
}

void RunTabs::toggleRun(const QString& seriesKey)
{
    // Repeats that are drawn as one curve are switched together.
    const QStringList ids = seriesKey.section(u'/', 0, 0).split(u'+');
    std::vector<RunFeed*> toggled = m_controller.feeds();
    std::erase_if(toggled, [&](const RunFeed* feed) { return !ids.contains(QString::fromStdString(feed->id().text)); });
    const bool isShown = std::ranges::any_of(toggled, &RunFeed::isVisible);
    for (RunFeed* feed : toggled) {
        feed->setVisible(!isShown);
    }
}

void RunTabs::setInterfered(Interfered which)
{
    for (const auto& model : m_models) {
        ChartOptions options = model->options();
        options.interfered = which;
        model->setOptions(options);
    }
    m_findings->setInterfered(which);
    m_report->setInterfered(which);
    showReport();
}

std::vector<bool> RunTabs::chartsThatApply() const
{
    const std::vector<RunFeed*> feeds = m_controller.feeds();
    const RunMix mix(Feeds(feeds.begin(), feeds.end()));
    std::vector<bool> applies;
    std::ranges::transform(
        chartKinds(), std::back_inserter(applies), [&mix](const ChartKind& kind) { return kind.applies(mix); });
    return applies;
}

void RunTabs::chooseTabs()
{
    const std::vector<RunFeed*> feeds = m_controller.feeds();
    m_timeline->setFeeds(feeds);
    m_net->setFeeds(feeds);
    const bool hasRing = m_ring->setFeeds(feeds);
    m_chosenCharts = chartsThatApply();
    const bool hasTraining = RunMix(Feeds(feeds.begin(), feeds.end())).hasTraining;
    const bool hasNet = hasTraining && m_net->hasDividedNet();
    const auto isWanted = [&](int tab) {
        const QWidget* page = widget(tab);
        return page == m_findings || page == m_report || (page == m_net && hasNet)
            || (page == m_timeline && hasTraining) || (page == m_ring && hasTraining && hasRing)
            || (tab < static_cast<int>(m_chosenCharts.size()) && m_chosenCharts[static_cast<std::size_t>(tab)]);
    };
    const int first = static_cast<int>(std::ranges::find(m_chosenCharts, true) - m_chosenCharts.begin());
    // Shows new tabs first: the current tab must not be hidden before another is visible.
    for (const bool isShown : {true, false}) {
        if (!isShown && !hasNet && currentWidget() == m_net) {
            setCurrentIndex(first); // hiding it would leave its neighbour
        }
        for (int tab = 0; tab < count(); ++tab) {
            if (isWanted(tab) == isShown && isTabVisible(tab) != isShown) {
                setTabVisible(tab, isShown);
                Q_EMIT tabShown(tab, isShown);
            }
        }
    }
    if (!isTabVisible(currentIndex())) {
        setCurrentIndex(first);
    }
}

void RunTabs::showTab(int tab)
{
    if (isTabVisible(tab)) {
        setCurrentIndex(tab);
    }
}

void RunTabs::leaveNet()
{
    if (currentWidget() == m_net) {
        setCurrentIndex(0);
    }
}

void RunTabs::exportCurrent()
{
    if (auto* panel = qobject_cast<ChartPanel*>(currentWidget())) {
        panel->exportChart();
    } else if (currentWidget() == m_timeline) {
        m_timeline->exportChart();
    } else if (currentWidget() == m_report) {
        m_report->exportReport();
    } else {
        m_panels.front()->exportChart();
    }
}

void RunTabs::showFeeds()
{
    for (const auto& model : m_models) {
        model->setFeeds(m_controller.feeds());
    }
    chooseTabs();
    showFindings();
    showReport();
}

void RunTabs::showTick()
{
    if (chartsThatApply() != m_chosenCharts) {
        chooseTabs(); // the first sample of a machine comes after its run has begun
    }
    if (!m_controller.isBusy()) {
        showFindings();
    }
}

void RunTabs::showFindings()
{
    if (currentWidget() == m_findings) {
        m_findings->setFeeds(m_controller.feeds(), !m_controller.isBusy());
    }
}

/// Its charts take a moment to draw: not while nobody looks.
void RunTabs::showReport()
{
    if (currentWidget() == m_report) {
        m_report->setFeeds(m_controller.feeds());
    }
}

void RunTabs::applyTheme()
{
    const ChartTheme theme = chartThemeFor(palette());
    for (ChartPanel* panel : m_panels) {
        panel->setTheme(theme);
    }
    m_net->setTheme(theme);
    m_timeline->setTheme(theme);
    m_ring->setTheme(theme);
}

void RunTabs::retranslate()
{
    for (int tab = 0; tab < count(); ++tab) {
        setTabText(tab, titleOf(tab));
    }
    setAccessibleName(tr("Charts and findings"));
    setAccessibleDescription(tr("The charts of the shown runs, and what their numbers mean."));
}

void RunTabs::changeEvent(QEvent* event)
{
    QTabWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showReport();
    } else if (event->type() == QEvent::PaletteChange) {
        applyTheme();
    }
}

} // namespace lockstep::ui
