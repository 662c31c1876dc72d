// The window's actions, for its two source files only.
#pragma once

#include "ui/shell/main_window.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <vector>

namespace lockstep::ui {

struct MainWindow::Actions {
    QAction* run = nullptr;
    QAction* pause = nullptr;
    QAction* stop = nullptr;
    QAction* checkpoint = nullptr;
    QAction* exportChart = nullptr;
    QAction* filter = nullptr;
    QAction* commands = nullptr;
    QAction* chartAlone = nullptr;
    QAction* gallery = nullptr;
    QAction* form = nullptr;
    QAction* lower = nullptr;
    QAction* help = nullptr;
    QAction* reset = nullptr;
    QAction* quit = nullptr;
    std::vector<QAction*> experiments;
    std::vector<QAction*> tabs;
    std::vector<QAction*> languages;
    std::vector<QAction*> themes;
    std::vector<QAction*> palettes;
    QMenu* experimentMenu = nullptr;
    QMenu* settingsMenu = nullptr;
    QMenu* languageMenu = nullptr;
    QMenu* themeMenu = nullptr;
    QMenu* paletteMenu = nullptr;
};

} // namespace lockstep::ui
