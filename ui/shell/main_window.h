// The window: makes the panels and wires them to form model and run controller. GUI thread only.
#pragma once

#include "ui/models/form/form_model.h"
#include "ui/shell/runs/run_controller.h"

#include <QMainWindow>

#include <functional>
#include <map>
#include <string>
#include <vector>

class QTimer;

namespace lockstep::ui {

class StragglerStrip;
class CentrePages;
class CommandPalette;
class DocumentActions;
class DrawerBar;
class ExperimentForm;
class Gallery;
class HeaderBar;
class LaboratoryActions;
class LastSession;
class LogPage;
class MessageStrip;
class Notices;
class QueueActions;
class QueuePanel;
class RankStrip;
class ReplayBar;
class RunList;
class RunTabs;
class RunsPage;
class ViewMenu;
class ViewModes;
class WindowActions;
class WindowLayout;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const QString& storeFolder, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens the store, after the window is on screen. Ignores the options' folder.
    void open(launch::SessionOptions options = {});

    /// Ends the process, without a question and within 5 s, after its runs have written a checkpoint: the session of
    /// the desktop ends, or a signal asks for it. The second call ends it at once.
    void endSession();
    /// Stops the runs with a checkpoint, so that nothing is lost if the process ends, and calls `done`. The window
    /// stays, and its experiment can be resumed.
    void saveSession(const std::function<void()>& done);

    [[nodiscard]] FormModel& form() { return m_form; }
    [[nodiscard]] RunController& controller() { return m_controller; }
    [[nodiscard]] RunTabs& tabs();
    [[nodiscard]] DocumentActions& documents() { return *m_documents; }
    [[nodiscard]] LaboratoryActions& laboratories() { return *m_laboratories; }
    [[nodiscard]] ViewModes& modes() { return *m_modes; }
    [[nodiscard]] ViewMenu& views() { return *m_views; }

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void wireForm();
    void wireRuns();
    void wireActions();
    void showOpened();
    void listRuns();
    void run();
    void showState();
    void showTick();
    void showEstimate();
    void takeChart(bool (RunTabs::*take)());
    void retranslate();

    FormModel m_form;
    QString m_storeFolder;
    RunController m_controller;
    HeaderBar* m_header;
    MessageStrip* m_strip;
    Gallery* m_gallery;
    RunList* m_runList;
    CentrePages* m_centre;
    StragglerStrip* m_stragglers;
    ReplayBar* m_replayBar;
    RankStrip* m_ranks;
    ExperimentForm* m_formPanel;
    RunsPage* m_runs;
    LogPage* m_log;
    QueuePanel* m_queue;
    DrawerBar* m_drawers;
    CommandPalette* m_palette;
    Notices* m_notices;
    QueueActions* m_queueActions;
    QTimer* m_listing; ///< one list for the many changes that a batch makes at once
    WindowActions* m_actions;
    DocumentActions* m_documents;
    LastSession* m_last;
    WindowLayout* m_layout;
    ViewModes* m_modes;
    ViewMenu* m_views;
    LaboratoryActions* m_laboratories;
    std::string m_openExperiment;
    bool m_hasVaried = false; ///< a parameter, in the experiment that is open
    bool m_isClosing = false;
    bool m_isEnding = false;
    bool m_isLeft = false; ///< without a window: the process ends with its runs
};

} // namespace lockstep::ui
