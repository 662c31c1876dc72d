// New, Open, Save, Undo and the other actions on the experiment in the form as a document: actions with their keys, the
// dialogs for file names, the gallery's files, the window's title. GUI thread only.
#pragma once

#include "ui/models/form/experiment_document.h"
#include "ui/models/form/experiment_shelf.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <vector>

class QAction;
class QMainWindow;
class QMenu;

namespace lockstep::ui {

class FormModel;
class Gallery;
class MessageStrip;

class DocumentActions : public QObject {
    Q_OBJECT

public:
    /// All of them outlive this; the window gets the actions.
    DocumentActions(QMainWindow& window, FormModel& form, Gallery& gallery, MessageStrip& strip);

    [[nodiscard]] ExperimentDocument& document() { return m_document; }
    [[nodiscard]] ExperimentShelf& shelf() { return m_shelf; }
    /// Puts the actions below what the menu has.
    void addTo(QMenu& menu);
    /// Runs whose settings can be taken over, by name: those that are shown.
    void setRuns(std::function<std::vector<experiment::RunSpec>()> runs) { m_runs = std::move(runs); }
    /// A preset's name or a path; a file of runs is imported. What cannot be opened is reported in the strip.
    void open(const QString& place);
    /// Files and folders that were dropped on the window: experiments go to the gallery, files of runs are imported, a
    /// script is opened as a program.
    void addDropped(const QStringList& paths);
    /// As an experiment that has no place yet (ExperimentDocument).
    void openSpec(const experiment::Spec& spec);
    /// The same of a spec as JSON.
    void openText(const QByteArray& spec);
    /// An experiment with the settings of a run, of which only those that are no defaults are kept.
    void useSettings(const experiment::RunSpec& run) { openSpec(specOfRun(run)); }
    /// Asks whether to save or to discard what would be lost; false while the question stands.
    [[nodiscard]] bool mayClose();
    /// In the header and the gallery: "Batch and momentum", "Optimizers".
    [[nodiscard]] QString title() const;
    void retranslate();

    QAction* const create;
    QAction* const openFile;
    QAction* const ownProgram;
    QAction* const save;
    QAction* const saveAs;
    QAction* const duplicate;
    QAction* const copyCommand;
    QAction* const pytorch;
    QAction* const undo;
    QAction* const redo;

Q_SIGNALS:
    /// Another experiment is in the form.
    void opened();
    void titleChanged(const QString& title);
    /// Runs are in this file, not an experiment.
    void importRequested(const QString& path);
    /// It is a laboratory.
    void laboratoryRequested(const QString& path);
    /// The question of mayClose() was answered.
    void closeConfirmed();

private:
    void wire();
    void saveNow();
    [[nodiscard]] bool saveAll();
    void saveUnder();
    void write(const QString& path);
    void chooseFile();
    void copyAsCommand();
    void listRecent();
    void listRuns();
    void showTitle();
    void showShelf();

    QMainWindow& m_window;
    FormModel& m_form;
    Gallery& m_gallery;
    MessageStrip& m_strip;
    ExperimentDocument m_document;
    ExperimentShelf m_shelf;
    QMenu* m_recent;
    QMenu* m_use;
    std::function<std::vector<experiment::RunSpec>()> m_runs;
    QString m_shown; ///< the place that the gallery marks
    QStringList m_unsaved;
    bool m_isConfirmed = false;
};

} // namespace lockstep::ui
