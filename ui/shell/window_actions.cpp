#include "ui/shell/window_actions.h"

#include "experiment/spec.h"
#include "ui/models/form/titles.h"
#include "ui/pages/runs/gallery.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/theme/theme.h"
#include "ui/theme/window_language.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>

namespace lockstep::ui {

WindowActions::WindowActions(QMainWindow& window, RunTabs& tabs, int experiments)
    : QObject(&window)
    , m_window(window)
    , m_tabs(tabs)
    , run(add(Qt::CTRL | Qt::Key_Return))
    , pause(add(Qt::Key_F9, QT_TR_NOOP("Pause or resume")))
    , stop(add(Qt::CTRL | Qt::Key_Period, QT_TR_NOOP("Stop the runs")))
    , checkpoint(add(Qt::Key_F7, QT_TR_NOOP("Save a checkpoint of the run")))
    , exportChart(add(Qt::CTRL | Qt::Key_E, QT_TR_NOOP("Export what is shown…")))
    , copyChart(add(Qt::CTRL | Qt::SHIFT | Qt::Key_C, QT_TR_NOOP("Copy what is shown")))
    , filter(add(Qt::CTRL | Qt::Key_F, QT_TR_NOOP("Filter the runs")))
    , commands(add(Qt::CTRL | Qt::SHIFT | Qt::Key_P, QT_TR_NOOP("Search commands")))
    , chartAlone(add(Qt::Key_F11, QT_TR_NOOP("Show the chart alone")))
    , twoCharts(addSwitch(Qt::CTRL | Qt::SHIFT | Qt::Key_T, QT_TR_NOOP("Show a second chart")))
    , presenter(addSwitch(Qt::SHIFT | Qt::Key_F11, QT_TR_NOOP("Presenter mode: the chart alone, in large type")))
    , replay(add(Qt::CTRL | Qt::Key_R, QT_TR_NOOP("Replay the shown runs")))
    , replayPlay(add(Qt::ALT | Qt::Key_P, QT_TR_NOOP("Replay: play or pause")))
    , replayBack(add(Qt::ALT | Qt::Key_Left, QT_TR_NOOP("Replay: step back")))
    , replayForward(add(Qt::ALT | Qt::Key_Right, QT_TR_NOOP("Replay: step forward")))
    , replayMessage(add(Qt::ALT | Qt::Key_M, QT_TR_NOOP("Replay: next message")))
    , doctor(add({}, QT_TR_NOOP("Check this machine…")))
    , hosts(add({}, QT_TR_NOOP("Hosts")))
    , help(add(QKeySequence::HelpContents, QT_TR_NOOP("Help")))
    , reset(add({}, QT_TR_NOOP("Reset all parameters")))
    , quit(add(QKeySequence::Quit, QT_TR_NOOP("Quit")))
    , leave(add(Qt::Key_Escape))
    , gallery(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_1, QT_TR_NOOP("Show experiments")))
    , form(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_2, QT_TR_NOOP("Show parameters")))
    , table(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_3, QT_TR_NOOP("Show the table of runs")))
    , log(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_4, QT_TR_NOOP("Show the log")))
    , queue(addSwitch(Qt::CTRL | Qt::ALT | Qt::Key_5, QT_TR_NOOP("Show the queue")))
    , interfered(addSwitch({}, QT_TR_NOOP("Include runs changed by hand in statistics")))
    , m_nextView(add(Qt::CTRL | Qt::Key_PageDown, QT_TR_NOOP("Next chart of the page")))
    , m_formerView(add(Qt::CTRL | Qt::Key_PageUp, QT_TR_NOOP("Previous chart of the page")))
    , m_experimentMenu(new QMenu(&window))
    , m_settingsMenu(new QMenu(&window))
{
    twoCharts->setChecked(false);
    presenter->setChecked(false);
    setReplaying(false);
    commands->setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_P, Qt::CTRL | Qt::Key_K});
    run->setShortcuts({Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter});
    addExperiments(experiments);
    addPages();
    addMenus();
}

QAction* WindowActions::add(const QKeySequence& keys, const char* text)
{
    auto* action = new QAction(this);
    action->setShortcut(keys);
    m_window.addAction(action);
    if (text != nullptr) {
        m_texts.emplace_back(action, text);
    }
    return action;
}

QAction* WindowActions::addSwitch(const QKeySequence& keys, const char* text)
{
    QAction* action = add(keys, text);
    action->setCheckable(true);
    action->setChecked(true);
    return action;
}

/// Ctrl and a digit.
void WindowActions::addExperiments(int experiments)
{
    for (int i = 0; i < experiments; ++i) {
        m_experiments.push_back(add(i < 9 ? QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)) : QKeySequence()));
        connect(m_experiments.back(), &QAction::triggered, this, [this, i] { Q_EMIT experimentChosen(i); });
    }
}

/// Alt and a digit, in the order of the tabs. A single chart has no key: its page's list does.
void WindowActions::addPages()
{
    for (int page = 0; page < PageCount; ++page) {
        m_pages.push_back(add(QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + page))));
        connect(m_pages.back(), &QAction::triggered, this, [this, page] { m_tabs.showPage(page); });
    }
    for (int view = 0; view < m_tabs.count(); ++view) {
        m_views.push_back(add({}));
        connect(m_views.back(), &QAction::triggered, this, [this, view] { m_tabs.setCurrentIndex(view); });
        m_views.back()->setEnabled(m_tabs.isOffered(view));
    }
    connect(&m_tabs, &RunTabs::viewOffered, this,
        [this](int view, bool isOffered) { m_views[static_cast<std::size_t>(view)]->setEnabled(isOffered); });
    for (const std::vector<QAction*>& actions : {m_pages, m_views, {m_nextView, m_formerView}}) {
        for (const QAction* action : actions) {
            connect(action, &QAction::triggered, this, &WindowActions::viewChosen);
        }
    }
    connect(m_nextView, &QAction::triggered, this, [this] { m_tabs.showNeighbour(1); });
    connect(m_formerView, &QAction::triggered, this, [this] { m_tabs.showNeighbour(-1); });
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
    m_settingsMenu->addActions({gallery, form, table, log, queue, twoCharts, chartAlone, presenter});
    m_settingsMenu->addSeparator();
    m_settingsMenu->addAction(replay);
    m_settingsMenu->addSeparator();
    interfered->setChecked(settings::interferedIncluded.read());
    connect(interfered, &QAction::toggled, this, [](bool isOn) { settings::interferedIncluded.write(isOn); });
    m_settingsMenu->addAction(interfered);
    m_settingsMenu->addSeparator();
    m_settingsMenu->addActions({doctor, hosts});
    m_settingsMenu->addAction(help);
}

void WindowActions::setBusy(bool isBusy)
{
    run->setText(isBusy ? tr("Add the experiment to the queue") : tr("Run the experiment"));
    pause->setEnabled(isBusy);
    stop->setEnabled(isBusy);
    checkpoint->setEnabled(isBusy);
}

void WindowActions::setReplaying(bool isReplaying)
{
    for (QAction* action : {replayPlay, replayBack, replayForward, replayMessage}) {
        action->setEnabled(isReplaying);
    }
}

void WindowActions::retranslate()
{
    for (const auto& [action, text] : m_texts) {
        action->setText(tr(text));
    }
    run->setText(tr("Run the experiment"));
    for (std::size_t i = 0; i < m_experiments.size(); ++i) {
        m_experiments[i]->setText(experimentTitle(std::string(experiment::presetNames()[i])));
    }
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        m_pages[i]->setText(tr("Go to the page %1").arg(RunTabs::titleOf(static_cast<Page>(i))));
        m_pages[i]->setProperty("words", QStringList{RunTabs::titleOf(static_cast<Page>(i))});
    }
    for (std::size_t i = 0; i < m_views.size(); ++i) {
        const int view = static_cast<int>(i);
        const Page page = static_cast<Page>(m_tabs.pageOf(view));
        m_views[i]->setText(tr("Show %1: %2").arg(RunTabs::titleOf(page), m_tabs.titleOf(view)));
        m_views[i]->setProperty("words", QStringList{RunTabs::titleOf(page), m_tabs.titleOf(view)});
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
