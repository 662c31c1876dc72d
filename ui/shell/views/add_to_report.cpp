#include "ui/shell/views/add_to_report.h"

#include "ui/export/report/report_pictures.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/report/findings_page.h"
#include "ui/pages/report/report_page.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/theme/theme.h"

#include <QEvent>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

/// What a report shows of this view; nothing for views that reports do not know.
std::optional<report::Item> reportItem(const QWidget& view)
{
    if (const auto* panel = qobject_cast<const ChartPanel*>(&view)) {
        return reportItemOf(panel->model());
    }
    report::Item item;
    item.kind = report::ItemKind::Chart;
    item.name = view.objectName().toStdString();
    if (qobject_cast<const FindingsPage*>(&view) != nullptr) {
        item.kind = report::ItemKind::Table;
        item.name = "results";
        return item;
    }
    const std::vector<std::string_view> known = reportChartNames();
    return std::ranges::find(known, item.name) == known.end() ? std::nullopt : std::optional(item);
}

} // namespace

AddToReport::AddToReport(RunTabs& tabs, RunController& controller, ReportPage& report)
    : QToolButton(&tabs)
    , m_tabs(tabs)
    , m_controller(controller)
    , m_report(report)
{
    setObjectName(QStringLiteral("add_to_report"));
    setText(QStringLiteral("+"));
    setAutoRaise(true);
    connect(this, &QToolButton::clicked, this, &AddToReport::add);
    connect(&tabs, &PagedViews::currentChanged, this, &AddToReport::showView);
    showView();
}

/// Its description says what was added until another view is shown.
void AddToReport::add()
{
    const std::vector<RunFeed*> feeds = m_controller.feeds();
    const std::optional<report::Item> item = reportItem(*m_tabs.currentWidget());
    if (feeds.empty() || !item) {
        return;
    }
    report::Section section;
    section.content.push_back(*item);
    m_report.add(std::move(section), feeds);
    describe(*this, tr("Add to report"), tr("“%1” is in the report now.").arg(m_tabs.titleOf(m_tabs.currentIndex())));
}

void AddToReport::showView()
{
    setEnabled(m_tabs.currentWidget() != &m_report);
    describe(*this, tr("Add to report"), tr("Adds what is shown to the report of these runs."));
}

void AddToReport::changeEvent(QEvent* event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        showView();
    }
}

} // namespace lockstep::ui
