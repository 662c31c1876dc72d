// The window: puts the panels together and wires them to form model and run controller. GUI thread only.
#pragma once

#include "ui/models/charts/chart_model.h"
#include "ui/models/form_model.h"
#include "ui/shell/run_controller.h"
#include "ui/theme/settings.h"

#include <QMainWindow>

#include <array>
#include <functional>
#include <memory>

class QSplitter;
class QStackedWidget;
class QTabWidget;
class QLabel;
class QPushButton;

namespace lockstep::ui {

class BottleneckStrip;
class ChartPanel;
class CommandPalette;
class ExperimentForm;
class FindingsPage;
class Gallery;
class HeaderBar;
class LogPage;
class MessageStrip;
class NetPanel;
class RankStrip;
class RingPanel;
class RunsPage;
class TimelinePanel;

/// Registers icons and translations; called once, before the window is made.
void loadResources();

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const QString& storeFolder, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens the store, after the window is on screen. The options' folder is this window's.
    void open(session::SessionOptions options = {});

    [[nodiscard]] FormModel& form() { return m_form; }
    [[nodiscard]] RunController& controller() { return m_controller; }
    [[nodiscard]] QTabWidget& tabs() { return *m_tabs; }
    [[nodiscard]] NetPanel& net() { return *m_net; }
    [[nodiscard]] TimelinePanel& timeline() { return *m_timeline; }
    [[nodiscard]] RingPanel& ring() { return *m_ring; }

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    QWidget* makeCentre();
    QWidget* makeEmptyPage();
    void makeActions();
    void makeMenus();
    QAction* addCommand(const QKeySequence& keys, const std::function<void()>& work);
    void wire();
    void chooseExperiment(const QString& preset);
    /// On the page that is there before the first run.
    void showInvitation();
    void run();
    void showState();
    void showTick();
    void showFeeds();
    /// Nothing if the page is hidden.
    void showTab(int number);
    /// The charts, or the page that is there before the first run.
    void showCentre();
    /// The pages that are about one run: again when a run has begun or ended.
    void showRunPages();
    [[nodiscard]] bool hasMachine() const;
    void showEstimate();
    void showFindings();
    void showFailure(const RunId& id, const QString& name, const QString& message);
    void exportChart();
    void showExported(const QString& path);
    void showHelp();
    void leave();
    void toggleChartAlone();
    void applyThemeToCharts();
    void setLanguage(Language language);
    void setTheme(Theme theme);
    void setColors(PaletteName palette);
    void saveLayout() const;
    void restoreLayout();
    void retranslate();
    [[nodiscard]] QString progressText(const BatchProgress& progress) const;

    FormModel m_form;
    RunController m_controller;
    std::array<std::unique_ptr<ChartModel>, ChartModel::Kinds.size()> m_models;
    std::array<ChartPanel*, ChartModel::Kinds.size()> m_panels{};
    HeaderBar* m_header;
    MessageStrip* m_strip;
    std::function<void(int)> m_answer; ///< to the strip's buttons
    Gallery* m_gallery;
    QTabWidget* m_tabs;
    QStackedWidget* m_centre;
    QLabel* m_emptyText;
    QPushButton* m_emptyRun;
    NetPanel* m_net;
    TimelinePanel* m_timeline;
    RingPanel* m_ring;
    FindingsPage* m_findings;
    RankStrip* m_ranks;
    BottleneckStrip* m_bottleneck;
    ExperimentForm* m_formPanel;
    RunsPage* m_runs;
    LogPage* m_log;
    QSplitter* m_vertical;
    QSplitter* m_upper;
    QSplitter* m_lower;
    CommandPalette* m_palette;
    struct Actions;
    std::unique_ptr<Actions> m_actions;
    bool m_isChartAlone = false;
    bool m_isClosing = false;
};

} // namespace lockstep::ui
