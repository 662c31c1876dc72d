// The open laboratory in the window: opens and closes it, puts its page beside the charts, runs its experiment steps,
// and shows the charts of the current step, or what replaces them. GUI thread only.
#pragma once

#include "base/ids.h"
#include "ui/models/form/experiment_shelf.h"
#include "ui/models/laboratory/laboratory_model.h"
#include "ui/shell/hidden_works.h"
#include "ui/shell/runs/pending_runs.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace lockstep::ui {

class CentrePages;
class DocumentActions;
class FormModel;
class Gallery;
class HeaderBar;
class LaboratoryCover;
class LaboratoryPage;
class MarkDialog;
class MessageStrip;
class RunController;
class WindowLayout;

/// What a laboratory changes in the window. All outlive its actions.
struct LaboratoryPlaces {
    FormModel& form;
    RunController& controller;
    DocumentActions& documents;
    Gallery& gallery;
    HeaderBar& header;
    MessageStrip& strip;
    CentrePages& centre;
    WindowLayout& layout;
};

class LaboratoryActions : public QObject {
    Q_OBJECT

public:
    /// Adds its actions to window and menu.
    LaboratoryActions(QMainWindow& window, QMenu& menu, const LaboratoryPlaces& places);
    ~LaboratoryActions() override;

    /// A `.lab`, its folder, or a folder of work that was begun. What cannot be opened is said in the strip.
    void open(const QString& path);
    /// As open(), for its author: with the key beside it, which each step then shows.
    void openPreview(const QString& path);
    /// A hand-in whose runs are in this window's store; it is only read.
    void openHandIn(const QString& path);
    void close();
    [[nodiscard]] bool isOpen() const { return m_model != nullptr; }
    /// Runs the current experiment step, or says why not; false: no laboratory is open.
    bool run();
    void retranslate();

    QAction* const openFile;
    QAction* const preview;
    QAction* const handIn;
    QAction* const mark;
    QAction* const closeOpen;

private:
    void connectAll();
    void start(std::unique_ptr<laboratory::Work> work);
    void listLaboratories();
    void showShelf();
    /// Adds the runs that have begun to the journal: a run has its id once its entry of the queue begins.
    void takeBegun();
    void showStep();
    void showRuns();
    void showHeader();
    /// Findings, unless the laboratory hides settings now; hidden settings, also of other works.
    void showDetails();
    void askStudents(QWidget* parent);
    void askHandIn();
    void showMarking();

    QMainWindow& m_window;
    const LaboratoryPlaces m_places;
    HiddenWorks m_hidden;
    QMenu* m_menu;
    QAction* m_afterShipped; ///< the separator below the laboratories
    std::vector<QAction*> m_shipped;
    std::vector<std::pair<QString, laboratory::Laboratory>> m_listed; ///< by path
    std::optional<laboratory::LaboratoryKey> m_previewKey; ///< while a preview is opened
    std::unique_ptr<LaboratoryModel> m_model;
    QPointer<LaboratoryPage> m_page; ///< the window may delete it before this
    QPointer<MarkDialog> m_marking; ///< deletes itself
    LaboratoryCover* m_cover;
    std::vector<PendingRuns> m_pending; ///< in the order in which they were asked for
    std::vector<RunId> m_shown; ///< by the current step
    QTimer m_update; ///< one for the many changes of runs
};

} // namespace lockstep::ui
