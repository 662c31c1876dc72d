// The menu of saved views: saves what the window shows under a name, shows it again, deletes it. Its entries are
// commands of the window too. GUI thread only.
#pragma once

#include "ui/shell/views/saved_views.h"

#include <QObject>

#include <memory>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace lockstep::ui {

class Notices;
class RunController;
class RunTabs;
class ViewModes;

class ViewMenu : public QObject {
    Q_OBJECT

public:
    /// What a view is made of; all outlive the menu.
    struct Parts {
        RunController& controller;
        RunTabs& tabs;
        ViewModes& modes;
        QAction& twoCharts; ///< checked: a second chart is shown
        Notices& notices;
    };

    /// A submenu of `settings`.
    ViewMenu(QMainWindow& window, QMenu& settings, const QString& storeFolder, const Parts& parts);
    ~ViewMenu() override;

    /// What the window shows now.
    [[nodiscard]] SavedView current(const QString& name) const;
    void save(const QString& name);
    /// Says which of its runs are no longer stored.
    void show(const SavedView& view);
    /// Reads the store's views again.
    void refresh();
    void retranslate();

private:
    void askForName();
    void remove(const QString& name);

    QMainWindow& m_window;
    SavedViews m_views;
    Parts m_parts;
    QMenu* m_menu;
    QMenu* m_deletions;
    QAction* m_save;
    std::vector<std::unique_ptr<QAction>> m_entries; ///< of the views, in both menus
};

} // namespace lockstep::ui
