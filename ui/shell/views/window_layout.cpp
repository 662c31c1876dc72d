#include "ui/shell/views/window_layout.h"

#include "ui/forms/experiment_form.h"
#include "ui/pages/drawer_bar.h"
#include "ui/pages/machine/log_page.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/pages/replay_bar.h"
#include "ui/pages/runs/gallery.h"
#include "ui/pages/runs/queue_panel.h"
#include "ui/pages/runs/run_list.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/straggler_strip.h"
#include "ui/shell/views/centre_pages.h"
#include "ui/shell/views/header_bar.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/shell/window_actions.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"

#include <QMainWindow>
#include <QScreen>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

constexpr QSize FirstSize{1280, 800}; ///< of the first window, on a screen that is large enough
constexpr double PresenterType = 1.8; ///< times the usual size of type

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
    , m_left(makeSplitter(Qt::Vertical, &window))
    , m_title(new ElidedLabel(&window))
{
    arrange();
    panels.replay.hide();
    m_title->setObjectName(QStringLiteral("presented"));
    m_title->setContentsMargins(12, 8, 12, 0);
    m_title->hide();
    connect(&panels.header, &HeaderBar::experimentChanged, m_title, &ElidedLabel::setWholeText);
    connectSwitches();
    panels.drawers.setActions(actions.log, actions.queue, actions.table);
    panels.strip.floatOver(panels.centre);
    connect(&panels.centre, &QStackedWidget::currentChanged, &panels.strip, &MessageStrip::place);
    connect(&panels.centre.tabs(), &PagedViews::currentChanged, &panels.strip, &MessageStrip::place);
}

void WindowLayout::connectSwitches()
{
    const auto connectSwitch = [this](QAction* action, const Setting<bool>& setting, const auto& show) {
        connect(action, &QAction::toggled, this, [&setting, show](bool on) {
            show(on);
            setting.write(on);
        });
    };
    connectSwitch(m_actions.gallery, settings::galleryShown, [this](bool) { showSides(); });
    connectSwitch(m_actions.form, settings::formShown, [this](bool) { showSides(); });
    connectSwitch(m_actions.table, settings::tableShown, [this](bool) { showDrawers(); });
    connectSwitch(m_actions.log, settings::logShown, [this](bool) { showDrawers(); });
    connectSwitch(m_actions.queue, settings::queueShown, [this](bool) { showDrawers(); });
}

void WindowLayout::showDrawers()
{
    m_panels.runs.setVisible(m_actions.table->isChecked());
    m_panels.log.setVisible(m_actions.log->isChecked());
    m_panels.queue.setVisible(m_actions.queue->isChecked());
    const bool isAnyOpen = m_actions.table->isChecked() || m_actions.log->isChecked() || m_actions.queue->isChecked();
    m_lower->setVisible(!m_isChartAlone && isAnyOpen);
    m_panels.drawers.setVisible(!m_isChartAlone);
}

void WindowLayout::showSides()
{
    const bool hasSides = !m_isChartAlone && m_beside == nullptr;
    m_left->setVisible(hasSides && m_actions.gallery->isChecked());
    m_panels.form.setVisible(hasSides && m_actions.form->isChecked());
    if (m_beside != nullptr) {
        m_beside->setVisible(!m_isChartAlone);
    }
}

void WindowLayout::setBesideCharts(QWidget* page)
{
    if (page == m_beside) {
        return;
    }
    if (m_beside != nullptr) {
        m_beside->setParent(nullptr);
        m_beside->hide();
    } else {
        m_sizes = m_upper->sizes();
    }
    m_beside = page;
    if (page != nullptr) {
        m_upper->insertWidget(0, page);
    }
    showSides();
    if (page != nullptr) {
        const int width = m_upper->width();
        m_upper->setSizes({width * 42 / 100, 0, width * 58 / 100, 0});
    } else {
        m_upper->setSizes(m_sizes);
    }
}

void WindowLayout::arrange()
{
    m_left->addWidget(&m_panels.gallery);
    m_left->addWidget(&m_panels.runList);
    m_left->setSizes({300, 260});
    m_left->setMinimumWidth(130);
    m_upper->addWidget(m_left);
    m_upper->addWidget(stacked(&m_window,
        {m_title, &m_panels.centre, &m_panels.stragglers, &m_panels.replay, &m_panels.ranks}, &m_panels.centre));
    m_upper->addWidget(&m_panels.form);
    m_upper->setStretchFactor(1, 1);
    // The charts shrink before anything beside them is cut off.
    m_panels.centre.setMinimumWidth(510);
    m_lower->addWidget(&m_panels.log);
    m_lower->addWidget(&m_panels.queue);
    m_lower->addWidget(&m_panels.runs);
    m_lower->setStretchFactor(0, 2);
    m_lower->setStretchFactor(1, 2);
    m_lower->setStretchFactor(2, 3);
    m_panels.runs.setMinimumWidth(360);
    m_panels.queue.setMinimumWidth(360);
    m_panels.log.setMinimumWidth(260);
    m_vertical->addWidget(m_upper);
    m_vertical->addWidget(m_lower);
    m_vertical->setStretchFactor(0, 1);
    m_upper->setSizes({220, 730, 330});
    m_lower->setSizes({400, 400, 480});
    m_vertical->setSizes({450, 300}); // ten rows of the table at 1280 x 800
    m_window.setCentralWidget(stacked(&m_window, {&m_panels.header, m_vertical, &m_panels.drawers}, m_vertical));
}

void WindowLayout::save() const
{
    if (!m_isPresenting) { // the next start is no lecture
        settings::geometry.write(m_window.saveGeometry());
    }
    settings::runsHeader.write(m_panels.runs.headerState());
    settings::view.write(m_panels.centre.tabs().nameOf(m_panels.centre.tabs().currentIndex()));
    if (!m_isChartAlone && m_beside == nullptr) {
        settings::verticalSplit.write(m_vertical->saveState());
        settings::upperSplit.write(m_upper->saveState());
        settings::lowerSplit.write(m_lower->saveState());
    }
}

void WindowLayout::restore()
{
    if (!m_window.restoreGeometry(settings::geometry.read())) {
        const QScreen* screen = m_window.screen();
        const QSize frame{0, m_window.style()->pixelMetric(QStyle::PM_TitleBarHeight)};
        m_window.resize(screen != nullptr ? FirstSize.boundedTo(screen->availableSize() - frame) : FirstSize);
    }
    m_panels.runs.restoreHeaderState(settings::runsHeader.read());
    m_panels.centre.tabs().opening().set(settings::view.read());
    m_vertical->restoreState(settings::verticalSplit.read());
    m_upper->restoreState(settings::upperSplit.read());
    m_lower->restoreState(settings::lowerSplit.read());
    m_actions.gallery->setChecked(settings::galleryShown.read());
    m_actions.form->setChecked(settings::formShown.read());
    m_actions.table->setChecked(settings::tableShown.read());
    m_actions.log->setChecked(settings::logShown.read());
    m_actions.queue->setChecked(settings::queueShown.read());
    showDrawers();
}

void WindowLayout::toggleChartAlone()
{
    m_isChartAlone = !m_isChartAlone;
    showSides();
    showDrawers();
    m_panels.header.setVisible(!m_isChartAlone);
    m_panels.ranks.setVisible(!m_isChartAlone);
    setReplaying(m_isReplaying);
    m_panels.centre.tabs().setBarVisible(!m_isChartAlone);
}

/// The bar of a replay stays beside a chart that is alone: it says what the chart is.
void WindowLayout::setReplaying(bool isOn)
{
    m_isReplaying = isOn;
    m_panels.replay.setVisible(isOn);
    m_panels.stragglers.setVisible(!isOn && !m_isChartAlone);
}

void WindowLayout::setPresenting(bool isOn)
{
    if (isOn == m_isPresenting) {
        return;
    }
    m_isPresenting = isOn;
    setTypeScale(isOn ? PresenterType : 1.0);
    m_title->setVisible(isOn);
    if (isOn) {
        m_wasChartAlone = m_isChartAlone;
    }
    if (m_isChartAlone != (isOn || m_wasChartAlone)) {
        toggleChartAlone();
    }
    m_window.setWindowState(m_window.windowState().setFlag(Qt::WindowFullScreen, isOn));
}

} // namespace lockstep::ui
