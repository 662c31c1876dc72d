#include "ui/shell/window_actions.h"

#include "experiment/spec.h"
#include "ui/pages/gallery.h"
#include "ui/shell/language.h"
#include "ui/shell/run_tabs.h"
#include "ui/theme/theme.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>

namespace lockstep::ui {

WindowActions::WindowActions(QMainWindow& window, const RunTabs& tabs, int experiments)
    : QObject(&window)
    , m_window(window)
    , m_tabs(tabs)
    , run(add(Qt::CTRL | Qt::Key_Return))
    , pause(add(Qt::Key_F9))
    , stop(add(Qt::CTRL | Qt::Key_Period))
    , checkpoint(add(Qt::Key_F7))
    , exportChart(add(Qt::CTRL | Qt::Key_E))
    , filter(add(Qt::CTRL | Qt::Key_F))
    , commands(add(Qt::CTRL | Qt::SHIFT | Qt::Key_P))
    , chartAlone(add(Qt::Key_F11))
    , help(add(QKeySequence::HelpContents))
    , reset(add({}))
    , quit(add(QKeySequence::Quit))
    , leave(add(Qt::Key_Escape))
    , gallery(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_1))
    , form(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_2))
    , lower(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_3))
    , interfered(addSwitch({}))
    , m_experimentMenu(new QMenu(&window))
    , m_settingsMenu(new QMenu(&window))
{
    run->setShortcuts({Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter});
    addNumbered(experiments);
    addMenus();
}

QAction* WindowActions::add(const QKeySequence& keys)
{
    auto* action = new QAction(this);
    action->setShortcut(keys);
    m_window.addAction(action);
    return action;
}

QAction* WindowActions::addSwitch(const QKeySequence& keys)
{
    QAction* action = add(keys);
    action->setCheckable(true);
    action->setChecked(true);
    return action;
}

/// Ctrl and a digit for an experiment, Alt and a digit for a tab.
void WindowActions::addNumbered(int experiments)
{
    for (int i = 0; i < experiments; ++i) {
        m_experiments.push_back(add(i < 9 ? QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)) : QKeySequence()));
        connect(m_experiments.back(), &QAction::triggered, this, [this, i] { Q_EMIT experimentChosen(i); });
    }
    for (int i = 0; i < m_tabs.count(); ++i) {
        m_goTo.push_back(add(i < 9 ? QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + i))
                : i == 9           ? QKeySequence(Qt::ALT | Qt::Key_0)
                                   : QKeySequence()));
        connect(m_goTo.back(), &QAction::triggered, this, [this, i] { Q_EMIT tabChosen(i); });
        m_goTo.back()->setEnabled(m_tabs.isTabVisible(i));
    }
}

QMenu* WindowActions::addChoice(
    std::vector<QAction*>& entries, int count, int chosen, const std::function<void(int)>& apply)
{
    QMenu* menu = m_settingsMenu->addMenu(QString());
    auto* group = new QActionGroup(this);
    for (int i = 0; i < count; ++i) {
        QAction* action = add({});
        connect(action, &QAction::triggered, this, [apply, i] { apply(i); });
        action->setProperty("menu", QVariant::fromValue<QObject*>(menu));
        action->setCheckable(true);
        action->setChecked(i == chosen);
        group->addAction(action);
        menu->addAction(action);
        entries.push_back(action);
    }
    return menu;
}

void WindowActions::addMenus()
{
    for (QAction* action : m_experiments) {
        m_experimentMenu->addAction(action);
    }
    m_languageMenu = addChoice(m_languages, 3, static_cast<int>(settings::language.read()), [](int i) {
        settings::language.write(static_cast<Language>(i));
        applyLanguage(static_cast<Language>(i));
    });
    m_themeMenu = addChoice(m_themes, 3, static_cast<int>(settings::theme.read()), [](int i) {
        settings::theme.write(static_cast<Theme>(i));
        applyTheme(static_cast<Theme>(i));
    });
    m_paletteMenu = addChoice(m_palettes, 2, static_cast<int>(settings::palette.read()), [this](int i) {
        settings::palette.write(static_cast<PaletteName>(i));
        Q_EMIT colorsChosen(static_cast<PaletteName>(i));
    });
    m_settingsMenu->addSeparator();
    m_settingsMenu->addActions({gallery, form, lower, chartAlone});
    m_settingsMenu->addSeparator();
    interfered->setChecked(settings::interferedIncluded.read());
    connect(interfered, &QAction::toggled, this, [](bool isOn) { settings::interferedIncluded.write(isOn); });
    m_settingsMenu->addAction(interfered);
    m_settingsMenu->addSeparator();
    m_settingsMenu->addAction(help);
}

void WindowActions::setBusy(bool isBusy)
{
    run->setEnabled(!isBusy);
    pause->setEnabled(isBusy);
    stop->setEnabled(isBusy);
    checkpoint->setEnabled(isBusy);
}

void WindowActions::setTabEnabled(int tab, bool isEnabled)
{
    m_goTo[static_cast<std::size_t>(tab)]->setEnabled(isEnabled);
}

void WindowActions::retranslate()
{
    run->setText(tr("Run the experiment"));
    pause->setText(tr("Pause or resume"));
    stop->setText(tr("Stop all runs"));
    checkpoint->setText(tr("Save a checkpoint of the run"));
    exportChart->setText(tr("Export the chart…"));
    filter->setText(tr("Filter the runs"));
    commands->setText(tr("Search commands"));
    chartAlone->setText(tr("Show the chart alone"));
    gallery->setText(tr("Show experiments"));
    form->setText(tr("Show parameters"));
    lower->setText(tr("Show runs and log"));
    interfered->setText(tr("Include runs changed by hand in statistics"));
    reset->setText(tr("Reset all parameters"));
    help->setText(tr("Help"));
    quit->setText(tr("Quit"));
    for (std::size_t i = 0; i < m_experiments.size(); ++i) {
        m_experiments[i]->setText(experimentTitle(std::string(experiment::presetNames()[i])));
    }
    for (std::size_t i = 0; i < m_goTo.size(); ++i) {
        m_goTo[i]->setText(tr("Go to %1").arg(m_tabs.titleOf(static_cast<int>(i))));
    }
    m_languageMenu->setTitle(tr("Language"));
    m_themeMenu->setTitle(tr("Appearance"));
    m_paletteMenu->setTitle(tr("Colours of the curves"));
    m_languages[0]->setText(tr("System language"));
    m_languages[1]->setText(QStringLiteral("English"));
    m_languages[2]->setText(QStringLiteral("简体中文"));
    m_themes[0]->setText(tr("Follow the system"));
    m_themes[1]->setText(tr("Light"));
    m_themes[2]->setText(tr("Dark"));
    m_palettes[0]->setText(tr("Vibrant"));
    m_palettes[1]->setText(tr("High contrast"));
}

} // namespace lockstep::ui
