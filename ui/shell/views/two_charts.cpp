#include "ui/shell/views/two_charts.h"

#include "ui/pages/charts/chart_panel.h"
#include "ui/pages/charts/second_chart.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/widgets/view_area.h"

namespace lockstep::ui {

TwoCharts::TwoCharts(RunTabs& tabs, RunController& controller, QObject* parent)
    : QObject(parent)
    , m_tabs(tabs)
    , m_controller(controller)
    , m_second(new SecondChart(&tabs))
{
    tabs.viewArea().setBeside(m_second);
    connect(m_second, &SecondChart::seriesToggleRequested, &tabs, &RunTabs::toggleRun);
    connect(m_second, &SecondChart::closeRequested, this, &TwoCharts::closeRequested);
    connect(&tabs, &PagedViews::currentChanged, this, &TwoCharts::update);
    connect(&controller, &RunController::feedsChanged, this, &TwoCharts::update);
    connect(&controller, &RunController::stateChanged, this, &TwoCharts::update);
}

void TwoCharts::setOn(bool isOn)
{
    m_isOn = isOn;
    m_tabs.viewArea().showBeside(isOn);
    update();
}

void TwoCharts::setInterfered(Interfered which)
{
    m_second->setInterfered(which);
}

/// Switched off it has neither runs nor kinds: then it draws and costs nothing.
void TwoCharts::update()
{
    if (!m_isOn) {
        m_second->setFeeds({}, {});
        m_second->setPartner(nullptr);
        return;
    }
    m_second->setFeeds(m_controller.shown().inLegends(), m_tabs.chartsThatApply());
    m_second->setPartner(qobject_cast<ChartPanel*>(m_tabs.currentWidget()));
}

} // namespace lockstep::ui
