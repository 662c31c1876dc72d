#include "ui/shell/views/view_menu.h"

#include "ui/models/charts/chart_model.h"
#include "ui/models/form/error_text.h"
#include "ui/models/runs/runs_table_model.h"
#include "ui/models/shown_text.h"
#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/second_chart.h"
#include "ui/shell/notices.h"
#include "ui/shell/runs/replay_session.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/shell/views/two_charts.h"
#include "ui/shell/views/view_modes.h"
#include "ui/widgets/text_question.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>

namespace lockstep::ui {

namespace {

constexpr int LongestName = 60;

ChartPanel* panelOf(const RunTabs& tabs, const QString& id)
{
    for (int view = 0; view < tabs.count(); ++view) {
        if (tabs.nameOf(view) == id) {
            return qobject_cast<ChartPanel*>(tabs.widget(view));
        }
    }
    return nullptr;
}

/// With the file that it is about.
QString wholeText(const Error& error)
{
    return QStringLiteral("%1: %2").arg(QString::fromStdString(error.subject), errorText(error));
}

ChartOptions savedOptions(const ChartPanel& panel)
{
    ChartOptions options = panel.model().options();
    options.interfered = {};
    return options;
}

} // namespace

ViewMenu::ViewMenu(QMainWindow& window, QMenu& settings, const QString& storeFolder, const Parts& parts)
    : QObject(&window)
    , m_window(window)
    , m_views(storeFolder)
    , m_parts(parts)
    , m_menu(new QMenu(&window))
    , m_deletions(new QMenu(&window))
    , m_save(new QAction(this))
{
    settings.addSeparator();
    settings.addMenu(m_menu);
    window.addAction(m_save);
    connect(m_save, &QAction::triggered, this, &ViewMenu::askForName);
    // Another window on the store may have saved one.
    connect(m_menu, &QMenu::aboutToShow, this, &ViewMenu::refresh);
    retranslate();
    refresh();
}

ViewMenu::~ViewMenu() = default;

SavedView ViewMenu::current(const QString& name) const
{
    SavedView view{name, m_parts.tabs.nameOf(m_parts.tabs.currentIndex()), {}, drawnRuns(m_parts.controller), {}};
    if (const auto* panel = qobject_cast<ChartPanel*>(m_parts.tabs.currentWidget())) {
        view.charts[view.opening] = savedOptions(*panel);
    }
    const ChartPanel* second = m_parts.modes.twoCharts().second().panel();
    if (m_parts.twoCharts.isChecked() && second != nullptr) {
        view.second = QLatin1String(second->model().kind().id);
        view.charts[view.second] = savedOptions(*second);
    }
    return view;
}

void ViewMenu::save(const QString& name)
{
    if (const auto saved = m_views.save(current(name)); !saved) {
        m_parts.notices.showError(wholeText(saved.error()));
    }
    refresh();
}

void ViewMenu::show(const SavedView& view)
{
    m_parts.modes.replay().leave();
    m_parts.modes.showRuns();
    std::vector<RunId> stored;
    for (const RunId& id : view.runs) {
        if (m_parts.controller.table().record(id) != nullptr) {
            stored.push_back(id);
        }
    }
    // A second chart takes the settings of its kind when it is made.
    for (const auto& [id, options] : view.charts) {
        if (ChartPanel* panel = panelOf(m_parts.tabs, id)) {
            panel->setOptions(options);
        }
    }
    showOnly(m_parts.controller, stored);
    SecondChart& second = m_parts.modes.twoCharts().second();
    m_parts.twoCharts.setChecked(!view.second.isEmpty());
    if (!view.second.isEmpty()) {
        second.choose(view.second);
        const auto options = view.charts.find(view.second);
        if (second.panel() != nullptr && options != view.charts.end()
            && QLatin1String(second.panel()->model().kind().id) == view.second) {
            second.panel()->setOptions(options->second);
        }
    }
    m_parts.tabs.opening().set(view.opening);
    if (const auto missing = static_cast<int>(view.runs.size() - stored.size()); missing > 0) {
        m_parts.notices.showError(tr("%n runs of the view %1 are not in the store.", nullptr, missing).arg(view.name));
    }
}

void ViewMenu::askForName()
{
    askForText(m_window, tr("Save this view"), tr("Name of the view. It replaces a view of the same name."), *this,
        [this](const QString& text) {
            if (const QString name = text.simplified().left(LongestName); !name.isEmpty()) {
                save(name);
            }
        });
}

void ViewMenu::remove(const QString& name)
{
    if (const auto removed = m_views.remove(name); !removed) {
        m_parts.notices.showError(wholeText(removed.error()));
    }
    refresh();
}

void ViewMenu::refresh()
{
    const SavedViews::Listed listed = m_views.list();
    m_menu->clear();
    m_deletions->clear();
    m_entries.clear();
    m_menu->addAction(m_save);
    m_menu->addSeparator();
    const auto add = [this](QMenu& menu, const QString& name, const auto& carryOut) {
        m_entries.push_back(std::make_unique<QAction>(menuText(name)));
        QAction* entry = m_entries.back().get();
        entry->setProperty("menu", QVariant::fromValue<QObject*>(&menu));
        connect(entry, &QAction::triggered, this, carryOut, Qt::QueuedConnection); // it may delete the entry
        menu.addAction(entry);
        m_window.addAction(entry);
    };
    for (const SavedView& view : listed.views) {
        add(*m_menu, view.name, [this, view] { show(view); });
    }
    for (const SavedView& view : listed.views) {
        add(*m_deletions, view.name, [this, name = view.name] { remove(name); });
    }
    if (!listed.views.empty()) {
        m_menu->addSeparator();
        m_menu->addMenu(m_deletions);
    }
    for (const Error& error : listed.unreadable) {
        QAction* entry = m_menu->addAction(menuText(wholeText(error)));
        entry->setEnabled(false);
    }
}

void ViewMenu::retranslate()
{
    m_menu->setTitle(tr("Saved views"));
    m_deletions->setTitle(tr("Delete a view"));
    m_save->setText(tr("Save this view…"));
}

} // namespace lockstep::ui
