// Everything that the window can do, as actions with their keys, names and menus. It sets language and appearance;
// other actions only emit signals. GUI thread only.
#pragma once

#include "ui/theme/settings.h"

#include <QAction>
#include <QKeySequence>
#include <QObject>

#include <functional>
#include <utility>
#include <vector>

class QMainWindow;
class QMenu;

namespace lockstep::ui {

class RunTabs;

class WindowActions : public QObject {
    Q_OBJECT

    QMainWindow& m_window; // these are first, because add() uses them
    RunTabs& m_tabs;
    std::vector<std::pair<QAction*, const char*>> m_texts;

public:
    /// The window gets the actions; it outlives this, and so do the tabs.
    WindowActions(QMainWindow& window, RunTabs& tabs, int experiments);

    [[nodiscard]] QMenu* experimentMenu() const { return m_experimentMenu; }
    [[nodiscard]] QMenu* settingsMenu() const { return m_settingsMenu; }
    void setBusy(bool isBusy);
    void setReplaying(bool isReplaying);
    void retranslate();

    QAction* const run;
    QAction* const pause;
    QAction* const stop;
    QAction* const checkpoint;
    QAction* const exportChart;
    QAction* const copyChart;
    QAction* const filter;
    QAction* const commands;
    QAction* const chartAlone;
    QAction* const twoCharts; ///< checked while a second chart is shown
    QAction* const presenter; ///< checked in presenter mode
    QAction* const replay;
    QAction* const replayPlay; ///< this one and the next three are enabled during a replay
    QAction* const replayBack;
    QAction* const replayForward;
    QAction* const replayMessage;
    QAction* const doctor;
    QAction* const hosts;
    QAction* const help;
    QAction* const reset;
    QAction* const quit;
    QAction* const leave; ///< without a name: Escape
    QAction* const gallery; ///< this one and the next four are checked while their panel is shown
    QAction* const form;
    QAction* const table;
    QAction* const log;
    QAction* const queue;
    QAction* const interfered; ///< checked: runs that were changed by hand count in statistics

Q_SIGNALS:
    void experimentChosen(int number);
    /// A page or a chart of the tabs, also one that is shown already.
    void viewChosen();
    void colorsChosen(lockstep::ui::PaletteName palette);

private:
    /// `text` is marked by QT_TR_NOOP; null: without a name, or it changes.
    QAction* add(const QKeySequence& keys, const char* text = nullptr);
    QAction* addSwitch(const QKeySequence& keys, const char* text);
    void addExperiments(int experiments);
    void addPages();
    void addMenus();
    /// A menu of the settings of which one entry is checked.
    QMenu* addChoice(std::vector<QAction*>& entries, int count, int chosen, const std::function<void(int)>& apply);

    std::vector<QAction*> m_experiments;
    std::vector<QAction*> m_pages;
    std::vector<QAction*> m_views;
    QAction* m_nextView;
    QAction* m_formerView;
    std::vector<QAction*> m_languages;
    std::vector<QAction*> m_themes;
    std::vector<QAction*> m_palettes;
    QMenu* m_experimentMenu;
    QMenu* m_settingsMenu;
    QMenu* m_languageMenu = nullptr;
    QMenu* m_themeMenu = nullptr;
    QMenu* m_paletteMenu = nullptr;
};

} // namespace lockstep::ui
