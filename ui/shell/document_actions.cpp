#include "ui/shell/document_actions.h"

#include "exchange/reference/import_reference.h"
#include "experiment/command_of.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"
#include "store/run_store.h"
#include "ui/forms/own_parameters_row.h"
#include "ui/forms/own_program_dialog.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/form_model.h"
#include "ui/models/form/titles.h"
#include "ui/models/shown_text.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/runs/gallery.h"
#include "ui/shell/temporary_store.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int MostRecent = 8;
const QString RecentKey = QStringLiteral("experiments/recent");

/// Bundles, run files and recordings, by their names; curves also by their content, and folders of them.
/// A folder with specs is a course.
bool holdsRuns(const QString& path)
{
    const auto isCourse = [&] { return !QDir(path).entryList({QStringLiteral("*.json")}, QDir::Files).isEmpty(); };
    return (QFileInfo(path).isDir() && !isCourse()) || path.endsWith(QStringLiteral(".lockstep"))
        || path.endsWith(QStringLiteral(".run")) || store::recordingOf(path) != path || exchange::isReferenceFile(path);
}

/// Fields for what the program can be given; what cannot be read is said by the button that reads it again.
void offerParameters(FormModel& form)
{
    static_cast<void>(readOwnParameters(form).isOk());
}

void remember(const QString& path)
{
    QStringList recent = QSettings().value(RecentKey).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    QSettings().setValue(RecentKey, recent.mid(0, MostRecent));
}

QAction* actionFor(const QKeySequence& keys, QObject* parent)
{
    auto* action = new QAction(parent);
    action->setShortcut(keys);
    return action;
}

} // namespace

DocumentActions::DocumentActions(QMainWindow& window, FormModel& form, Gallery& gallery, MessageStrip& strip)
    : QObject(&window)
    , create(actionFor(QKeySequence::New, this))
    , openFile(actionFor(QKeySequence::Open, this))
    , ownProgram(actionFor({}, this))
    , save(actionFor(QKeySequence::Save, this))
    , saveAs(actionFor(Qt::CTRL | Qt::SHIFT | Qt::Key_S, this))
    , duplicate(actionFor({}, this))
    , copyCommand(actionFor(Qt::CTRL | Qt::ALT | Qt::Key_C, this))
    , pytorch(actionFor(Qt::CTRL | Qt::ALT | Qt::Key_P, this))
    , undo(actionFor(QKeySequence::Undo, this))
    , redo(actionFor({}, this))
    , m_window(window)
    , m_form(form)
    , m_gallery(gallery)
    , m_strip(strip)
    , m_document(form)
    , m_recent(new QMenu(&window))
    , m_use(new QMenu(&window))
{
    redo->setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y});
    window.addActions({create, openFile, ownProgram, save, saveAs, duplicate, copyCommand, pytorch, undo, redo});
    wire();
    retranslate();
    m_shelf.refresh();
}

void DocumentActions::wire()
{
    connect(create, &QAction::triggered, this, [this] {
        m_document.openNew();
        Q_EMIT opened();
    });
    connect(openFile, &QAction::triggered, this, &DocumentActions::chooseFile);
    connect(ownProgram, &QAction::triggered, this, [this] {
        auto* dialog = new OwnProgramDialog(&m_window);
        connect(dialog, &OwnProgramDialog::chosen, this, [this](const experiment::Spec& spec) {
            openSpec(spec);
            offerParameters(m_form);
        });
        dialog->open();
    });
    connect(save, &QAction::triggered, this, &DocumentActions::saveNow);
    connect(saveAs, &QAction::triggered, this, &DocumentActions::saveUnder);
    connect(duplicate, &QAction::triggered, this, [this] {
        m_document.duplicate();
        Q_EMIT opened();
    });
    connect(copyCommand, &QAction::triggered, this, &DocumentActions::copyAsCommand);
    QUndoStack& stack = m_form.undoStack();
    connect(undo, &QAction::triggered, &stack, &QUndoStack::undo);
    connect(redo, &QAction::triggered, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::canUndoChanged, undo, &QAction::setEnabled);
    connect(&stack, &QUndoStack::canRedoChanged, redo, &QAction::setEnabled);
    undo->setEnabled(stack.canUndo());
    redo->setEnabled(stack.canRedo());
    connect(&m_document, &ExperimentDocument::changed, this, &DocumentActions::showTitle);
    connect(&m_shelf, &ExperimentShelf::listed, this, &DocumentActions::showShelf);
    connect(&m_gallery, &Gallery::experimentChosen, this, &DocumentActions::open);
}

void DocumentActions::addTo(QMenu& menu)
{
    menu.addSeparator();
    menu.addActions({create, openFile, ownProgram});
    menu.addMenu(m_recent);
    menu.addActions({save, saveAs, duplicate});
    menu.addSeparator();
    menu.addActions({undo, redo});
    menu.addSeparator();
    menu.addActions({copyCommand, pytorch});
    menu.addMenu(m_use);
    connect(m_use, &QMenu::aboutToShow, this, &DocumentActions::listRuns);
    connect(m_recent, &QMenu::aboutToShow, this, &DocumentActions::listRecent);
}

void DocumentActions::open(const QString& place)
{
    if (laboratory::isLaboratory(place)) {
        Q_EMIT laboratoryRequested(place);
        return;
    }
    if (laboratory::isHandIn(place)) { // has a store of its own
        if (!openAnotherWindow({place})) {
            m_strip.showMessage(Tone::Error, tr("Another window cannot be started."));
        }
        return;
    }
    if (holdsRuns(place)) {
        Q_EMIT importRequested(place);
        return;
    }
    const auto result = m_document.open(place);
    if (!result) {
        m_strip.showMessage(Tone::Error, QString::fromStdString(language::errorLine(result.error())));
        m_gallery.showOpen(m_document.place(), m_unsaved);
        return;
    }
    if (m_document.isFile()) {
        remember(place);
    }
    Q_EMIT opened();
}

void DocumentActions::openSpec(const experiment::Spec& spec)
{
    m_document.openSpec(spec);
    Q_EMIT opened();
}

void DocumentActions::openText(const QByteArray& spec)
{
    const auto parsed = experiment::parseSpec(spec.toStdString());
    parsed ? openSpec(*parsed) : m_strip.showMessage(Tone::Error, errorText(parsed.error()));
}

void DocumentActions::chooseFile()
{
    const QStringList paths
        = QFileDialog::getOpenFileNames(&m_window, tr("Open an experiment"), ExperimentShelf::mineFolder(),
            tr("Experiments, laboratories, bundles, runs, recordings and curves (*.json *.lab *.handin *.lockstep "
               "*.run *.rank* "
               "*.csv *.tsv *.gz *tfevents*)"));
    std::ranges::for_each(paths, [this](const QString& path) { open(path); });
}

void DocumentActions::saveNow()
{
    if (m_document.isFile()) {
        write(m_document.place());
    } else {
        saveUnder();
    }
}

void DocumentActions::saveUnder()
{
    const QString folder = m_document.isFile() ? QFileInfo(m_document.place()).path() : ExperimentShelf::mineFolder();
    QDir().mkpath(folder);
    QString path = QFileDialog::getSaveFileName(&m_window, tr("Save the experiment"),
        QDir(folder).filePath(m_document.suggestedFileName()), tr("Experiments (*.json)"));
    if (path.isEmpty()) {
        return;
    }
    write(QFileInfo(path).suffix().isEmpty() ? path + QStringLiteral(".json") : path);
}

void DocumentActions::write(const QString& path)
{
    if (const auto saved = m_document.save(path); !saved) {
        m_strip.showMessage(Tone::Error, QStringLiteral("%1: %2").arg(path, errorText(saved.error())));
        return;
    }
    remember(path);
    m_shelf.refresh();
}

void DocumentActions::addDropped(const QStringList& paths)
{
    QString last;
    QStringList imported;
    for (const QString& path : paths) {
        if (laboratory::isLaboratory(path)) { // before runs, which folders may have as well
            Q_EMIT laboratoryRequested(path);
            continue;
        }
        if (laboratory::isHandIn(path)) {
            open(path);
            continue;
        }
        if (holdsRuns(path)) {
            // The files of all ranks are one recording.
            if (const QString name = store::recordingOf(path); !imported.contains(name)) {
                imported += name;
                Q_EMIT importRequested(path);
            }
            continue;
        }
        if (isProgramFile(path)) {
            openSpec(specOfProgram(commandOfFile(path), 0));
            offerParameters(m_form);
            continue;
        }
        const QString added = m_shelf.add(path);
        last = added.isEmpty() ? last : added;
    }
    if (!last.isEmpty()) {
        open(last);
    }
}

void DocumentActions::copyAsCommand()
{
    const bool isFileAsItIs = m_document.isFile() && m_document.isSaved();
    const QString command = isFileAsItIs
        ? QStringLiteral("lockstep run '%1'").arg(QString(m_document.place()).replace(u'\'', QStringLiteral("'\\''")))
        : QString::fromStdString(experiment::commandOf(m_form.document()));
    QGuiApplication::clipboard()->setText(command);
    const QString first = command.section(u'\n', 0, 0);
    m_strip.showMessage(Tone::Information, tr("Copied. Run in a shell, this command starts the same runs:"), {first});
}

void DocumentActions::listRecent()
{
    m_recent->clear();
    for (const QString& path : QSettings().value(RecentKey).toStringList()) {
        QAction* action
            = m_recent->addAction(menuText(QFileInfo(path).completeBaseName()), this, [this, path] { open(path); });
        action->setToolTip(tipText(path));
        action->setEnabled(QFileInfo::exists(path));
    }
    if (m_recent->isEmpty()) {
        m_recent->addAction(tr("None yet"))->setEnabled(false);
    }
}

void DocumentActions::listRuns()
{
    m_use->clear();
    for (const experiment::RunSpec& run : m_runs ? m_runs() : std::vector<experiment::RunSpec>()) {
        if (run.repeat > 0) {
            continue; // differs by its seed alone
        }
        m_use->addAction(menuText(variantTitle(run)), this, [this, run] { useSettings(run); });
    }
    if (m_use->isEmpty()) {
        m_use->addAction(tr("No run is shown"))->setEnabled(false);
    }
}

QString DocumentActions::title() const
{
    const QString own = m_document.title();
    return own.isEmpty() ? experimentTitle(m_form.experiment()) : own;
}

void DocumentActions::showTitle()
{
    const QString text = title();
    const QString windowTitle
        = (m_document.isSaved() ? tr("%1 – Lockstep") : tr("%1 (not saved) – Lockstep")).arg(titleText(text));
    save->setEnabled(!m_document.isSaved() || !m_document.isFile());
    const bool isOther = windowTitle != m_window.windowTitle();
    if (isOther) {
        m_window.setWindowTitle(windowTitle);
        Q_EMIT titleChanged(text);
    }
    const QStringList unsaved = m_document.unsaved();
    if (isOther || m_shown != m_document.place() || m_unsaved != unsaved) {
        m_shown = m_document.place();
        m_unsaved = unsaved;
        showShelf();
    }
}

/// Experiments without a file stand under *Mine* too, so that one finds back to them. What is not saved has the title
/// that it has now.
void DocumentActions::showShelf()
{
    std::vector<ShelfEntry> mine = m_shelf.mine();
    std::vector<ShelfEntry> course = m_shelf.course();
    std::vector<ShelfEntry> unsaved;
    QStringList places = m_unsaved;
    if (!places.contains(m_document.place())) {
        places += m_document.place();
    }
    for (const QString& place : places) {
        bool hasFile = false;
        for (auto* entries : {&mine, &course}) {
            const auto entry = std::ranges::find(*entries, place, &ShelfEntry::path);
            if (entry != entries->end()) {
                hasFile = true;
                entry->title = m_unsaved.contains(place) ? m_document.titleOf(place) : entry->title;
            }
        }
        if (!place.isEmpty() && !isPresetName(place) && !hasFile) {
            unsaved.push_back({place, m_document.titleOf(place), {}, {}});
        }
    }
    m_gallery.setShelf(std::move(mine), std::move(course), unsaved);
    m_gallery.showOpen(m_document.place(), m_unsaved);
}

bool DocumentActions::mayClose()
{
    QStringList titles;
    for (const QString& place : m_document.unsaved()) {
        if (!isPresetName(place)) { // a preset's changes are tried out, not kept
            titles += m_document.titleOf(place);
        }
    }
    if (titles.isEmpty() || m_isConfirmed) {
        return true;
    }
    const QString question = titles.size() == 1
        ? tr("“%1” has changes that are not saved.").arg(titles.front())
        : tr("These experiments have changes that are not saved: %1.").arg(titles.join(tr(", ")));
    m_strip.showMessage(Tone::Warning, question, {}, {tr("Save"), tr("Discard"), tr("Cancel")}, [this](int answer) {
        if (answer == 1 || (answer == 0 && saveAll())) {
            m_isConfirmed = true;
            Q_EMIT closeConfirmed();
        }
    });
    m_strip.setFocus(Qt::OtherFocusReason);
    return false;
}

/// Those without a file under *Mine*, by their titles. Stops at the first that cannot be written, which is open then.
bool DocumentActions::saveAll()
{
    for (const QString& place : m_document.unsaved()) {
        if (isPresetName(place)) {
            continue;
        }
        open(place);
        write(m_document.isFile() ? place : m_shelf.freePath(m_document.suggestedFileName()));
        if (!m_document.isSaved()) {
            return false;
        }
    }
    return true;
}

void DocumentActions::retranslate()
{
    create->setText(tr("New experiment"));
    openFile->setText(tr("Open an experiment…"));
    ownProgram->setText(tr("My own program…"));
    save->setText(tr("Save the experiment"));
    saveAs->setText(tr("Save the experiment as…"));
    duplicate->setText(tr("Duplicate the experiment"));
    copyCommand->setText(tr("Copy as command"));
    pytorch->setText(tr("Show as PyTorch…"));
    undo->setText(tr("Undo"));
    redo->setText(tr("Redo"));
    m_recent->setTitle(tr("Recent experiments"));
    m_use->setTitle(tr("Use the settings of the run"));
    showTitle();
    m_shelf.refresh();
}

} // namespace lockstep::ui
