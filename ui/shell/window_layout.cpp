#include "ui/shell/window_layout.h"

#include "ui/forms/experiment_form.h"
#include "ui/pages/bottleneck_strip.h"
#include "ui/pages/gallery.h"
#include "ui/pages/log_page.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/centre_pages.h"
#include "ui/shell/header_bar.h"
#include "ui/shell/run_tabs.h"
#include "ui/shell/window_actions.h"

#include <QMainWindow>
#include <QSplitter>
#include <QTabBar>
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

/// One below the other, the stretching one as high as there is room.
QWidget* stacked(QWidget* parent, const QList<QWidget*>& widgets, const QWidget* stretching)
{
    auto* page = new QWidget(parent);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (QWidget* widget : widgets) {
        layout->addWidget(widget, widget == stretching ? 1 : 0);
    }
    return page;
}

} // namespace

WindowLayout::WindowLayout(QMainWindow& window, const WindowPanels& panels, WindowActions& actions)
    : QObject(&window)
    , m_window(window)
    , m_panels(panels)
    , m_actions(actions)
    , m_vertical(makeSplitter(Qt::Vertical, &window))
    , m_upper(makeSplitter(Qt::Horizontal, &window))
    , m_lower(makeSplitter(Qt::Horizontal, &window))
{
    arrange();
    const auto connectSwitch = [](QAction* action, QWidget* panel, const Setting<bool>& setting) {
        connect(action, &QAction::toggled, panel, [panel, &setting](bool on) {
            panel->setVisible(on);
            setting.write(on);
        });
    };
    connectSwitch(actions.gallery, &panels.gallery, settings::galleryShown);
    connectSwitch(actions.form, &panels.form, settings::formShown);
    connectSwitch(actions.lower, m_lower, settings::lowerShown);
}

void WindowLayout::arrange()
{
    m_upper->addWidget(&m_panels.gallery);
    m_upper->addWidget(stacked(&m_window, {&m_panels.centre, &m_panels.bottleneck, &m_panels.ranks}, &m_panels.centre));
    m_upper->addWidget(&m_panels.form);
    m_upper->setStretchFactor(1, 1);
    m_panels.gallery.setMinimumWidth(130);
    m_panels.form.setMinimumWidth(330);
    // The charts shrink before anything beside them is cut off.
    m_panels.centre.setMinimumWidth(556);
    m_lower->addWidget(&m_panels.runs);
    m_lower->addWidget(&m_panels.log);
    m_lower->setStretchFactor(0, 3);
    m_lower->setStretchFactor(1, 2);
    m_panels.runs.setMinimumWidth(420);
    m_panels.log.setMinimumWidth(280);
    m_vertical->addWidget(m_upper);
    m_vertical->addWidget(m_lower);
    m_vertical->setStretchFactor(0, 1);
    m_upper->setSizes({150, 800, 330});
    m_lower->setSizes({760, 520});
    m_vertical->setSizes({560, 190});
    m_window.setCentralWidget(stacked(&m_window, {&m_panels.header, &m_panels.strip, m_vertical}, m_vertical));
}

void WindowLayout::save() const
{
    settings::geometry.write(m_window.saveGeometry());
    settings::runsHeader.write(m_panels.runs.headerState());
    settings::tab.write(m_panels.centre.tabs().currentIndex());
    if (!m_isChartAlone) {
        settings::verticalSplit.write(m_vertical->saveState());
        settings::upperSplit.write(m_upper->saveState());
        settings::lowerSplit.write(m_lower->saveState());
    }
}

void WindowLayout::restore()
{
    if (!m_window.restoreGeometry(settings::geometry.read())) {
        m_window.resize(1280, 800);
    }
    m_panels.runs.restoreHeaderState(settings::runsHeader.read());
    m_panels.centre.tabs().showTab(settings::tab.read());
    m_vertical->restoreState(settings::verticalSplit.read());
    m_upper->restoreState(settings::upperSplit.read());
    m_lower->restoreState(settings::lowerSplit.read());
    m_actions.gallery->setChecked(settings::galleryShown.read());
    m_actions.form->setChecked(settings::formShown.read());
    m_actions.lower->setChecked(settings::lowerShown.read());
}

void WindowLayout::toggleChartAlone()
{
    m_isChartAlone = !m_isChartAlone;
    m_panels.gallery.setVisible(!m_isChartAlone && m_actions.gallery->isChecked());
    m_panels.form.setVisible(!m_isChartAlone && m_actions.form->isChecked());
    m_lower->setVisible(!m_isChartAlone && m_actions.lower->isChecked());
    m_panels.header.setVisible(!m_isChartAlone);
    m_panels.ranks.setVisible(!m_isChartAlone && m_panels.ranks.count() > 0);
    m_panels.centre.tabs().tabBar()->setVisible(!m_isChartAlone);
}

} // namespace lockstep::ui
