// The positions and visibility of the window's panels, and what is remembered of them. GUI thread only.
#pragma once

#include <QList>
#include <QObject>

class QMainWindow;
class QSplitter;
class QWidget;

namespace lockstep::ui {

class CentrePages;
class DrawerBar;
class ElidedLabel;
class ExperimentForm;
class Gallery;
class HeaderBar;
class LogPage;
class QueuePanel;
class MessageStrip;
class StragglerStrip;
class RankStrip;
class ReplayBar;
class RunList;
class RunsPage;
class WindowActions;

/// A window's panels. The window owns them.
struct WindowPanels {
    HeaderBar& header;
    MessageStrip& strip;
    Gallery& gallery;
    RunList& runList;
    CentrePages& centre;
    StragglerStrip& stragglers;
    ReplayBar& replay; ///< in place of the strip of stragglers
    RankStrip& ranks;
    ExperimentForm& form;
    RunsPage& runs;
    LogPage& log;
    QueuePanel& queue;
    DrawerBar& drawers;
};

class WindowLayout : public QObject {
    Q_OBJECT

public:
    /// The actions switch panels on and off.
    WindowLayout(QMainWindow& window, const WindowPanels& panels, WindowActions& actions);

    void save() const;
    void restore();
    void toggleChartAlone();
    [[nodiscard]] bool isChartAlone() const { return m_isChartAlone; }
    /// The chart alone on the whole screen, with the title of its experiment, in type and lines for a lecture hall.
    void setPresenting(bool isOn);
    void setReplaying(bool isOn);
    /// Puts this page in place of gallery and parameters, left of the charts; null: they are back. The caller owns it.
    void setBesideCharts(QWidget* page);

private:
    void arrange();
    void connectSwitches();
    /// The drawers that are open, unless the chart is alone.
    void showDrawers();
    /// Gallery and parameters, or what is in their place, unless the chart is alone.
    void showSides();

    QMainWindow& m_window;
    const WindowPanels m_panels;
    WindowActions& m_actions;
    QSplitter* m_vertical;
    QSplitter* m_upper;
    QSplitter* m_lower;
    QSplitter* m_left;
    ElidedLabel* m_title; ///< of the experiment, in presenter mode
    QWidget* m_beside = nullptr; ///< in place of gallery and parameters
    QList<int> m_sizes; ///< without it
    bool m_isChartAlone = false;
    bool m_isPresenting = false;
    bool m_isReplaying = false;
    bool m_wasChartAlone = false; ///< before presenter mode
};

} // namespace lockstep::ui
