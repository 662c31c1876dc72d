// The window: makes the panels and wires them to form model and run controller. GUI thread only.
#pragma once

#include "ui/models/form_model.h"
#include "ui/shell/run_controller.h"

#include <QMainWindow>

namespace lockstep::ui {

class BottleneckStrip;
class CentrePages;
class CommandPalette;
class DocumentActions;
class ExperimentForm;
class Gallery;
class HeaderBar;
class LogPage;
class MessageStrip;
class Notices;
class RankStrip;
class RunTabs;
class RunsPage;
class WindowActions;
class WindowLayout;

/// Registers icons and translations; called once, before the window is made.
void loadResources();

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const QString& storeFolder, QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens the store, after the window is on screen. Ignores the options' folder.
    void open(session::SessionOptions options = {});

    [[nodiscard]] FormModel& form() { return m_form; }
    [[nodiscard]] RunController& controller() { return m_controller; }
    [[nodiscard]] RunTabs& tabs();
    [[nodiscard]] DocumentActions& documents() { return *m_documents; }

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void wireForm();
    void wireRuns();
    void wireActions();
    void showOpened();
    void run();
    void showState();
    void showTick();
    void showEstimate();
    void exportChart();
    void retranslate();

    FormModel m_form;
    RunController m_controller;
    HeaderBar* m_header;
    MessageStrip* m_strip;
    Gallery* m_gallery;
    CentrePages* m_centre;
    BottleneckStrip* m_bottleneck;
    RankStrip* m_ranks;
    ExperimentForm* m_formPanel;
    RunsPage* m_runs;
    LogPage* m_log;
    CommandPalette* m_palette;
    Notices* m_notices;
    WindowActions* m_actions;
    DocumentActions* m_documents;
    WindowLayout* m_layout;
    bool m_isClosing = false;
};

} // namespace lockstep::ui
