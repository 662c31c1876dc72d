// Actions, menus, shortcuts and texts of the window.
#include "ui/shell/main_window_actions.h"

#include "ui/pages/chart_panel.h"
#include "ui/forms/experiment_form.h"
#include "ui/pages/gallery.h"
#include "ui/pages/log_page.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/rank_strip.h"
#include "ui/pages/runs_page.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/header_bar.h"
#include "ui/shell/help_window.h"
#include "ui/shell/language.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

#include <functional>

namespace lockstep::ui {

QAction* MainWindow::addCommand(const QKeySequence& keys, const std::function<void()>& work)
{
    auto* action = new QAction(this);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, work);
    addAction(action);
    return action;
}

void MainWindow::makeActions()
{
    Actions& a = *m_actions;
    a.run = addCommand(Qt::CTRL | Qt::Key_Return, [this] { run(); });
    a.run->setShortcuts({Qt::CTRL | Qt::Key_Return, Qt::CTRL | Qt::Key_Enter});
    a.pause = addCommand(Qt::Key_F9, [this] { m_controller.togglePause(); });
    a.stop = addCommand(Qt::CTRL | Qt::Key_Period, [this] { m_controller.stopAll(); });
    a.checkpoint = addCommand(QKeySequence::Save, [this] { m_controller.send({wire::Command::Checkpoint}); });
    a.exportChart = addCommand(Qt::CTRL | Qt::Key_E, [this] { exportChart(); });
    a.filter = addCommand(Qt::CTRL | Qt::Key_F, [this] {
        m_actions->lower->setChecked(true);
        m_runs->focusFilter();
    });
    a.commands = addCommand(Qt::CTRL | Qt::SHIFT | Qt::Key_P, [this] { m_palette->open(actions()); });
    a.chartAlone = addCommand(Qt::Key_F11, [this] { toggleChartAlone(); });
    a.help = addCommand(QKeySequence::HelpContents, [this] { showHelp(); });
    a.reset = addCommand({}, [this] { m_form.resetAll(); });
    a.quit = addCommand(QKeySequence::Quit, [this] { close(); });
    auto* leaveAction = addCommand(Qt::Key_Escape, [this] { leave(); });
    leaveAction->setText({});
    const auto panel = [this](const QKeySequence& keys, QWidget* widget, const Setting<bool>& setting) {
        QAction* action = addCommand(keys, [] {});
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, widget, [widget, &setting](bool on) {
            widget->setVisible(on);
            setting.write(on);
        });
        return action;
    };
    a.gallery = panel(Qt::CTRL | Qt::ALT | Qt::Key_1, m_gallery, settings::galleryShown);
    a.form = panel(Qt::CTRL | Qt::ALT | Qt::Key_2, m_formPanel, settings::formShown);
    a.lower = panel(Qt::CTRL | Qt::ALT | Qt::Key_3, m_lower, settings::lowerShown);
    for (int i = 0; i < m_gallery->count(); ++i) {
        a.experiments.push_back(
            addCommand(QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)), [this, i] { m_gallery->choose(i); }));
    }
    for (int i = 0; i < m_tabs->count(); ++i) {
        a.tabs.push_back(
            addCommand(i < 9   ? QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + i))
                    : i == 9 ? QKeySequence(Qt::ALT | Qt::Key_0)
                             : QKeySequence(),
                [this, i] { showTab(i); }));
        a.tabs.back()->setEnabled(m_tabs->isTabVisible(i));
    }
}

void MainWindow::makeMenus()
{
    Actions& a = *m_actions;
    a.experimentMenu = new QMenu(this);
    for (QAction* action : a.experiments) {
        a.experimentMenu->addAction(action);
    }
    a.settingsMenu = new QMenu(this);
    const auto choices = [this, &a](QMenu*& menu, std::vector<QAction*>& into, int count, int chosen, auto apply) {
        menu = a.settingsMenu->addMenu(QString());
        auto* group = new QActionGroup(this);
        for (int i = 0; i < count; ++i) {
            QAction* action = addCommand({}, [apply, i] { apply(i); });
            action->setProperty("menu", QVariant::fromValue<QObject*>(menu));
            action->setCheckable(true);
            action->setChecked(i == chosen);
            group->addAction(action);
            menu->addAction(action);
            into.push_back(action);
        }
    };
    choices(a.languageMenu, a.languages, 3, static_cast<int>(settings::language.read()),
        [this](int i) { setLanguage(static_cast<Language>(i)); });
    choices(a.themeMenu, a.themes, 3, static_cast<int>(settings::theme.read()),
        [this](int i) { setTheme(static_cast<Theme>(i)); });
    choices(a.paletteMenu, a.palettes, 2, static_cast<int>(settings::palette.read()),
        [this](int i) { setColors(static_cast<PaletteName>(i)); });
    a.settingsMenu->addSeparator();
    a.settingsMenu->addActions({a.gallery, a.form, a.lower, a.chartAlone});
    a.settingsMenu->addSeparator();
    a.settingsMenu->addAction(a.help);
    m_header->setMenus(a.experimentMenu, a.settingsMenu);
}

void MainWindow::showHelp()
{
    auto* help = new HelpWindow(actions(), this);
    help->show();
}

void MainWindow::exportChart()
{
    if (m_controller.feeds().empty()) {
        m_answer = nullptr;
        m_strip->showMessage(
            Tone::Information, tr("There is no chart yet: press Run, or tick a stored run in the table."));
        return;
    }
    if (auto* panel = qobject_cast<ChartPanel*>(m_tabs->currentWidget()); panel != nullptr) {
        panel->exportChart();
    } else if (m_tabs->currentWidget() == m_timeline) {
        m_timeline->exportChart();
    } else {
        m_panels.front()->exportChart();
    }
}

/// Escape goes one step back: out of the lone chart, then to Run.
void MainWindow::leave()
{
    if (m_isChartAlone) {
        toggleChartAlone();
    } else {
        m_header->focusRun();
    }
}

void MainWindow::toggleChartAlone()
{
    m_isChartAlone = !m_isChartAlone;
    m_gallery->setVisible(!m_isChartAlone && m_actions->gallery->isChecked());
    m_formPanel->setVisible(!m_isChartAlone && m_actions->form->isChecked());
    m_lower->setVisible(!m_isChartAlone && m_actions->lower->isChecked());
    m_header->setVisible(!m_isChartAlone);
    m_ranks->setVisible(!m_isChartAlone && m_ranks->count() > 0);
    m_tabs->tabBar()->setVisible(!m_isChartAlone);
}

void MainWindow::setLanguage(Language language)
{
    settings::language.write(language);
    applyLanguage(language);
}

void MainWindow::setTheme(Theme theme)
{
    settings::theme.write(theme);
    applyTheme(theme);
}

void MainWindow::setColors(PaletteName palette)
{
    settings::palette.write(palette);
    m_controller.setPalette(palette);
    std::vector<QColor> colors;
    const auto& all = variantColors(palette);
    for (std::size_t i = 0; i < m_form.variants().size(); ++i) {
        colors.push_back(all[i % all.size()]);
    }
    m_formPanel->setColors(colors);
}

void MainWindow::retranslate()
{
    Actions& a = *m_actions;
    a.run->setText(tr("Run the experiment"));
    a.pause->setText(tr("Pause or resume"));
    a.stop->setText(tr("Stop all runs"));
    a.checkpoint->setText(tr("Save a checkpoint of the run"));
    a.exportChart->setText(tr("Export the chart…"));
    a.filter->setText(tr("Filter the runs"));
    a.commands->setText(tr("Search commands"));
    a.chartAlone->setText(tr("Show the chart alone"));
    a.gallery->setText(tr("Show experiments"));
    a.form->setText(tr("Show parameters"));
    a.lower->setText(tr("Show runs and log"));
    a.reset->setText(tr("Reset all parameters"));
    a.help->setText(tr("Help"));
    a.quit->setText(tr("Quit"));
    for (std::size_t i = 0; i < a.experiments.size(); ++i) {
        const std::string name(experiment::presetNames()[i]);
        a.experiments[i]->setText(experimentTitle(name));
    }
    const std::array<QString, 22> tabs{tr("Loss"), tr("Accuracy"), tr("Time"), tr("Labels"), tr("Shares"), tr("Skew"),
        tr("Communication"), tr("Ranks"), tr("Sweep"), tr("Bandwidth"), tr("Speed-up"), tr("Efficiency"),
        tr("Throughput"), tr(
            "Breakdown"), tr("Target"), tr("Memory"), tr("Traffic"), tr("Machine"), tr("Net"), tr("Timeline"), tr("Ring"), tr("Findings")};
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        m_tabs->setTabText(static_cast<int>(i), tabs[i]);
        a.tabs[i]->setText(tr("Go to %1").arg(tabs[i]));
    }
    m_tabs->setAccessibleName(tr("Charts and findings"));
    m_tabs->setAccessibleDescription(tr("The charts of the shown runs, and what their numbers mean."));
    a.languageMenu->setTitle(tr("Language"));
    a.themeMenu->setTitle(tr("Appearance"));
    a.paletteMenu->setTitle(tr("Colours of the curves"));
    a.languages[0]->setText(tr("System language"));
    a.languages[1]->setText(QStringLiteral("English"));
    a.languages[2]->setText(QStringLiteral("简体中文"));
    a.themes[0]->setText(tr("Follow the system"));
    a.themes[1]->setText(tr("Light"));
    a.themes[2]->setText(tr("Dark"));
    a.palettes[0]->setText(tr("Vibrant"));
    a.palettes[1]->setText(tr("High contrast"));
    showInvitation();
    m_emptyRun->setText(tr("Run"));
    describe(*m_emptyRun, tr("Run"), tr("Trains every ticked variant (Ctrl+Return)."));
    m_header->setExperiment(experimentTitle(m_form.experiment().empty() ? "optimizers" : m_form.experiment()));
    if (!m_form.rows().empty()) {
        m_form.retranslate();
        showEstimate();
        showState();
    }
}

} // namespace lockstep::ui
