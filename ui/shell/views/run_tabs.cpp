#include "ui/shell/views/run_tabs.h"

#include "experiment/variant_name.h"
#include "language/wording.h"
#include "ui/export/copy_picture.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/titles.h"
#include "ui/net/net_panel.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/report/findings_page.h"
#include "ui/pages/report/report_page.h"
#include "ui/pages/runs/gallery.h"
#include "ui/ring/ring_panel.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/views/add_to_report.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_panel.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QStandardPaths>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

/// Keeps the user's changes of reports.
QString reportFolder()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).filePath(QStringLiteral("reports"));
}

/// The visible chart, then those of the other views.
std::vector<ChartSource> chartSources(const RunTabs& tabs, const std::vector<ChartPanel*>& panels, ChartPanel& current)
{
    std::vector<ChartSource> sources;
    const std::vector<ChartPart> parts = current.shownParts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        sources.push_back({parts[i].title, [panel = &current, i]() -> ChartSpec {
                               std::vector<ChartPart> again = panel->shownParts();
                               return i < again.size() ? std::move(again[i].chart) : panel->shownChart();
                           }});
    }
    sources.push_back({tabs.titleOf(tabs.indexOf(&current)), [panel = &current] { return panel->shownChart(); }});
    for (ChartPanel* panel : panels) {
        if (panel != &current && tabs.isOffered(tabs.indexOf(panel))) {
            sources.push_back({tabs.titleOf(tabs.indexOf(panel)), [panel] { return panel->shownChart(); }});
        }
    }
    return sources;
}

/// Of a view that is no chart; empty: it shows nothing yet.
std::optional<Drawing> drawingOf(const QWidget* view)
{
    if (const auto* net = qobject_cast<const NetPanel*>(view)) {
        return net->drawing();
    }
    if (const auto* timeline = qobject_cast<const TimelinePanel*>(view)) {
        return timeline->drawing();
    }
    if (const auto* ring = qobject_cast<const RingPanel*>(view)) {
        return ring->drawing();
    }
    const auto* findings = qobject_cast<const FindingsPage*>(view);
    return findings == nullptr ? std::nullopt : findings->drawing();
}

/// Also those that are switched off: what charts there are does not depend on a click in a legend.
Feeds offeredFeeds(RunController& controller)
{
    const std::vector<RunFeed*> feeds = controller.shown().inLegends();
    return {feeds.begin(), feeds.end()};
}

bool isReading(const std::vector<RunFeed*>& feeds)
{
    return std::ranges::any_of(feeds, &RunFeed::isReading);
}

void openDialog(ExportDialog& dialog, RunTabs& tabs)
{
    dialog.setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(&dialog, &ExportDialog::saved, &tabs, &RunTabs::exported);
    dialog.open();
}

void addOther(RunTabs& tabs, QWidget* view, const char* name, Page page)
{
    view->setObjectName(QLatin1String(name));
    tabs.addView(view, static_cast<int>(page));
}

} // namespace

RunTabs::RunTabs(FormModel& form, RunController& controller, QWidget* parent)
    : PagedViews(PageCount, parent)
    , m_form(form)
    , m_controller(controller)
    , m_net(new NetPanel(form, this))
    , m_timeline(new TimelinePanel(this))
    , m_ring(new RingPanel(this))
    , m_findings(new FindingsPage(this))
    , m_report(new ReportPage(reportFolder(), this))
    , m_opening(*this, controller)
{
    for (const ChartKind& kind : chartKinds()) {
        m_models.push_back(std::make_unique<ChartModel>(kind));
        m_panels.push_back(new ChartPanel(*m_models.back(), this));
        m_panels.back()->setObjectName(QLatin1String(kind.id));
        addView(m_panels.back(), static_cast<int>(kind.page));
        connect(m_panels.back(), &ChartPanel::seriesToggleRequested, this, &RunTabs::toggleRun);
        connect(m_panels.back(), &ChartPanel::exportRequested, this, &RunTabs::exportCurrent);
    }
    addOther(*this, m_net, "net", Page::System);
    addOther(*this, m_timeline, "timeline", Page::Time);
    addOther(*this, m_ring, "ring", Page::System);
    addOther(*this, m_findings, "findings", Page::Findings);
    addOther(*this, m_report, "report", Page::Report);
    setOffered(indexOf(m_net), false);
    setOffered(indexOf(m_ring), false);
    connect(m_timeline, &TimelinePanel::exportRequested, this, &RunTabs::exportCurrent);
    connect(m_findings, &FindingsPage::float64Requested, &controller,
        [&controller](const RunId& id) { verifyInFloat64(controller, id); });
    connect(m_report, &ReportPage::exported, this, &RunTabs::exported);
    connect(this, &PagedViews::currentChanged, this, &RunTabs::showFindings);
    connect(this, &PagedViews::currentChanged, this, &RunTabs::showReport);
    connect(this, &PagedViews::chosenByHand, this, [this] { m_opening.clear(); });
    connect(&form, &FormModel::changed, this, &RunTabs::chooseViews);
    connect(&controller, &RunController::feedsChanged, this, &RunTabs::showFeeds);
    connect(&controller, &RunController::stateChanged, this, &RunTabs::chooseViews);
    connect(&controller, &RunController::stateChanged, this, [this] { m_opening.showAtEnd(); });
    connect(&controller, &RunController::ticked, this, &RunTabs::showTick);
    connect(&controller, &RunController::stateChanged, this, &RunTabs::showFindings);
    connect(&controller, &RunController::stateChanged, this, &RunTabs::showReport);
    addToBar(new AddToReport(*this, controller, *m_report));
    retranslate();
    applyTheme();
}

RunTabs::~RunTabs() = default;

int RunTabs::viewOf(const ChartKind& kind)
{
    return static_cast<int>(&kind - chartKinds().data());
}

QString RunTabs::titleOf(int view) const
{
    if (view < static_cast<int>(chartKinds().size())) {
        return QCoreApplication::translate("ChartModel", chartKinds()[static_cast<std::size_t>(view)].name);
    }
    const QWidget* page = widget(view);
    return page == m_net     ? tr("Net")
        : page == m_timeline ? tr("Timeline")
        : page == m_ring     ? tr("Messages")
        : page == m_report   ? tr("Report")
                             : tr("Findings");
}

QString RunTabs::titleOf(Page page)
{
    switch (page) {
    case Page::Learning:
        return tr("Learning");
    case Page::Time:
        return tr("Time");
    case Page::System:
        return tr("System");
    case Page::Findings:
        return tr("Findings");
    case Page::Report:
        return tr("Report");
    }
    return {};
}

void RunTabs::toggleRun(const QString& seriesKey)
{
    // Repeats that are drawn as one curve are switched together.
    std::vector<RunId> runs;
    for (const QString& id : seriesKey.section(u'/', 0, 0).split(u'+')) {
        runs.push_back(RunId{id.toStdString()});
    }
    m_controller.shown().toggle(runs);
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
    showCaption();
}

std::vector<bool> RunTabs::chartsThatApply() const
{
    std::vector<bool> applies;
    std::ranges::transform(
        chartKinds(), std::back_inserter(applies), [this](const ChartKind& kind) { return kind.applies(m_mix); });
    return applies;
}

void RunTabs::chooseViews()
{
    const std::vector<RunFeed*> feeds = m_controller.feeds();
    m_timeline->setFeeds(feeds);
    m_net->setFeeds(feeds);
    const bool hasRing = m_ring->setFeeds(feeds);
    m_mix = RunMix(offeredFeeds(m_controller));
    m_chosenCharts = chartsThatApply();
    const bool hasTraining = m_mix.hasTraining;
    const bool hasNet = hasTraining && m_net->hasDividedNet();
    const auto isWanted = [&](int view) {
        const QWidget* page = widget(view);
        return (m_areFindingsOffered && (page == m_findings || page == m_report)) || (page == m_net && hasNet)
            || (page == m_timeline && hasTraining) || (page == m_ring && hasTraining && hasRing)
            || (view < static_cast<int>(m_chosenCharts.size()) && m_chosenCharts[static_cast<std::size_t>(view)]);
    };
    // Offers new views first: the current one must not go before another one is there.
    for (const bool wanted : {true, false}) {
        for (int view = 0; view < count(); ++view) {
            if (isWanted(view) == wanted && isOffered(view) != wanted) {
                setOffered(view, wanted);
                Q_EMIT viewOffered(view, wanted);
            }
        }
    }
    m_opening.show();
    showCaption();
}

void RunTabs::setFindingsOffered(bool areOffered)
{
    if (areOffered != m_areFindingsOffered) {
        m_areFindingsOffered = areOffered;
        chooseViews();
    }
}

void RunTabs::openReport()
{
    setCurrentWidget(m_report);
}

/// How many runs these are, and whose where they are not of the experiment in the form.
void RunTabs::showCaption()
{
    std::vector<const analysis::RunRecord*> runs;
    QStringList others;
    for (const RunFeed* feed : m_controller.feeds()) {
        runs.push_back(&feed->record());
        const experiment::RunSpec& run = feed->record().spec;
        const QString title = experimentTitle(run);
        if (experiment::experimentKey(run) != m_form.key() && !others.contains(title)) {
            others << title;
        }
    }
    if (runs.empty()) {
        setCaption({});
        return;
    }
    const QString count = QString::fromStdString(language::runCount(runs, m_controller.table().interfered()));
    setCaption(others.isEmpty() ? count : tr("%1: %2", "experiments: runs").arg(others.join(tr(", ")), count));
}

void RunTabs::showWhole()
{
    for (ChartPanel* panel : m_panels) {
        panel->showAll();
    }
}

bool RunTabs::exportCurrent()
{
    if (auto* panel = qobject_cast<ChartPanel*>(currentWidget())) {
        if (m_controller.feeds().empty()) {
            return false;
        }
        openDialog(*new ExportDialog(chartSources(*this, m_panels, *panel), this), *this);
        return true;
    }
    if (currentWidget() == m_report) {
        m_report->exportReport();
        return true;
    }
    const QWidget* view = currentWidget();
    if (!drawingOf(view)) {
        return false;
    }
    openDialog(*new ExportDialog([view] { return drawingOf(view); }, this), *this);
    return true;
}

bool RunTabs::copyCurrent()
{
    if (auto* panel = qobject_cast<ChartPanel*>(currentWidget())) {
        if (!m_controller.feeds().empty()) {
            panel->copyChart();
        }
        return !m_controller.feeds().empty();
    }
    const std::optional<Drawing> drawing = drawingOf(currentWidget());
    if (drawing) {
        copyPicture(*drawing);
    }
    return drawing.has_value();
}

void RunTabs::showFeeds()
{
    for (const auto& model : m_models) {
        model->setFeeds(m_controller.shown().inLegends());
    }
    m_wasReading = isReading(m_controller.feeds());
    chooseViews();
    showFindings();
    showReport();
}

void RunTabs::showTick()
{
    m_mix.update(offeredFeeds(m_controller));
    if (chartsThatApply() != m_chosenCharts) {
        chooseViews(); // the first sample of a machine comes after its run has begun
    }
    // Their figures were of what had been read by then.
    const bool isWhole = m_wasReading && !isReading(m_controller.feeds());
    if (isWhole || (!m_controller.isBusy() && !m_controller.shown().isReplaying())) {
        showFindings();
    }
    if (isWhole) {
        m_wasReading = false;
        showReport();
    }
}

void RunTabs::showFindings()
{
    if (currentWidget() == m_findings) {
        m_findings->setFeeds(m_controller.feeds(), !m_controller.isBusy());
    }
}

/// Its charts take a moment to draw: drawn only while the page is visible.
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
    for (int view = 0; view < count(); ++view) {
        setViewTitle(view, titleOf(view));
    }
    for (int page = 0; page < PageCount; ++page) {
        setPageTitle(page, titleOf(static_cast<Page>(page)));
    }
    setAccessibleName(tr("Charts and findings"));
    setAccessibleDescription(tr("The charts of the shown runs, and what their numbers mean."));
    describe(tabBar(), tr("Pages"), tr("What the charts are about (Alt+1 to Alt+5)."));
    describe(picker(), tr("Chart"), tr("The chart of this page (Ctrl+Page Up, Ctrl+Page Down)."));
    showCaption();
}

void RunTabs::changeEvent(QEvent* event)
{
    PagedViews::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        showFindings(); // titles of variants are in the window's language
        showReport();
    } else if (event->type() == QEvent::PaletteChange) {
        applyTheme();
    }
}

} // namespace lockstep::ui
