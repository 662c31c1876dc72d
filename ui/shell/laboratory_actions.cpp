#include "ui/shell/laboratory_actions.h"

#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"
#include "ui/models/background_pool.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/form/form_model.h"
#include "ui/models/runs/run_tree.h"
#include "ui/models/shown_text.h"
#include "ui/pages/laboratory/curve_pad.h"
#include "ui/pages/laboratory/laboratory_cover.h"
#include "ui/pages/laboratory/laboratory_page.h"
#include "ui/pages/laboratory/mark_dialog.h"
#include "ui/pages/laboratory/students_dialog.h"
#include "ui/pages/message_strip.h"
#include "ui/pages/runs/gallery.h"
#include "ui/shell/document_actions.h"
#include "ui/shell/runs/hand_in_session.h"
#include "ui/shell/runs/run_controller.h"
#include "ui/shell/temporary_store.h"
#include "ui/shell/views/centre_pages.h"
#include "ui/shell/views/header_bar.h"
#include "ui/shell/views/run_tabs.h"
#include "ui/shell/views/window_layout.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

namespace {

constexpr int UpdateMs = 120;

QAction* newAction(QMainWindow& window, QObject& owner)
{
    auto* action = new QAction(&owner);
    window.addAction(action);
    return action;
}

/// Those that come with the program, then work that was begun on others.
std::vector<std::pair<QString, laboratory::Laboratory>> laboratoriesIn(const QString& storeFolder)
{
    std::vector<std::pair<QString, laboratory::Laboratory>> found;
    for (const laboratory::ShippedLaboratory& shipped : laboratory::shippedLaboratories()) {
        if (auto read = laboratory::readLaboratory(shipped.path)) {
            found.emplace_back(shipped.path, *std::move(read));
        }
    }
    for (const QString& folder : laboratory::workFoldersIn(storeFolder)) {
        auto read = laboratory::readLaboratory(folder + QStringLiteral("/laboratory.lab"));
        const auto isListed = [&](const auto& each) { return each.second.id == read->id; };
        if (read && std::ranges::none_of(found, isListed)) {
            found.emplace_back(folder, *std::move(read));
        }
    }
    return found;
}

/// Empty: none was chosen.
QString chosenFile(QWidget& parent, const QString& title)
{
    const QString path = QFileDialog::getOpenFileName(
        &parent, title, QString(), LaboratoryActions::tr("Laboratories and hand-ins (*.lab *.handin laboratory.json)"));
    return path.endsWith(QStringLiteral("/laboratory.json")) ? QFileInfo(path).path() : path;
}

std::optional<analysis::RunRecord> recordOf(RunController& controller, const RunId& run)
{
    const RunFeed* feed = controller.shown().find(run);
    if (feed != nullptr && !feed->isReading()) {
        return wholeRecord(*feed);
    }
    const analysis::RunRecord* record = controller.table().record(run);
    return record == nullptr ? std::nullopt : std::optional(*record);
}

std::optional<analysis::RunStatus> statusOf(RunController& controller, const RunId& run)
{
    const analysis::RunRecord* record = controller.table().record(run);
    return record == nullptr ? std::nullopt : std::optional(record->status);
}

RunLookup lookupIn(RunController& controller, const std::vector<PendingRuns>& pending)
{
    return {[&controller](const RunId& run) { return recordOf(controller, run); },
        [&controller](const RunId& run) { return statusOf(controller, run); },
        [&controller, &pending](
            const std::string& step) { return waitingOf(step, pending, controller.queue().state()); }};
}

/// Of a preview: what stands beside the laboratory; nothing where there is none, or where it is wrong, which is said.
std::optional<laboratory::LaboratoryKey> keyFor(const QString& path, MessageStrip& strip)
{
    const QString key = laboratory::keyBeside(path);
    if (key.isEmpty()) {
        return std::nullopt;
    }
    const laboratory::LaboratoryCheck check = laboratory::checkLaboratory(path, key);
    if (!check.errors.empty()) {
        strip.showMessage(Tone::Warning, errorText(check.errors.front()));
    }
    return check.isOk() ? check.key : std::nullopt;
}

/// The entry of a menu that opens it; the palette finds it by the words, too.
void label(QAction& action, const laboratory::Laboratory& laboratory, const QString& word)
{
    action.setText(menuText(wordingText(laboratory.title))); // most say that they are a laboratory
    action.setProperty("words",
        QStringList{word, QString::fromStdString(laboratory.title.en), QString::fromStdString(laboratory.title.zh)});
    action.setToolTip(tipText(wordingText(laboratory.aim)));
}

} // namespace

LaboratoryActions::LaboratoryActions(QMainWindow& window, QMenu& menu, const LaboratoryPlaces& places)
    : QObject(&window)
    , openFile(newAction(window, *this))
    , preview(newAction(window, *this))
    , handIn(newAction(window, *this))
    , mark(newAction(window, *this))
    , closeOpen(newAction(window, *this))
    , m_window(window)
    , m_places(places)
    , m_hidden(places.controller)
    , m_menu(new QMenu(&window))
    , m_afterShipped(m_menu->addSeparator())
    , m_cover(new LaboratoryCover(&places.centre))
{
    m_update.setSingleShot(true);
    m_update.setInterval(UpdateMs);
    m_menu->addActions({openFile, handIn, closeOpen});
    m_menu->addSeparator();
    m_menu->addActions({preview, mark}); // a lecturer's
    menu.addSeparator();
    menu.addMenu(m_menu);
    m_places.centre.setLaboratories(*m_menu);
    handIn->setEnabled(false);
    closeOpen->setEnabled(false);
    connectAll();
    retranslate();
    listLaboratories();
    m_hidden.read();
}

LaboratoryActions::~LaboratoryActions()
{
    delete m_page; // it refers to the model
}

void LaboratoryActions::connectAll()
{
    connect(openFile, &QAction::triggered, this, [this] {
        if (const QString path = chosenFile(m_window, tr("Open a laboratory")); !path.isEmpty()) {
            m_places.documents.open(path); // a hand-in in another window
        }
    });
    connect(preview, &QAction::triggered, this, [this] {
        const QString path = chosenFile(m_window, tr("Preview as a student"));
        if (!path.isEmpty() && !openAnotherWindow({PreviewOption, path})) {
            m_places.strip.showMessage(Tone::Error, tr("Another window cannot be started."));
        }
    });
    connect(handIn, &QAction::triggered, this, &LaboratoryActions::askHandIn);
    connect(mark, &QAction::triggered, this, &LaboratoryActions::showMarking);
    connect(closeOpen, &QAction::triggered, this, &LaboratoryActions::close);
    connect(&m_places.gallery, &Gallery::laboratoryChosen, this, &LaboratoryActions::open);
    connect(&m_places.documents, &DocumentActions::laboratoryRequested, this, &LaboratoryActions::open);
    connect(&m_places.documents, &DocumentActions::opened, this, [this] {
        const QString left = isOpen() ? titleOf(*m_model) : QString();
        close();
        if (!left.isEmpty()) {
            m_places.strip.showMessage(Tone::Information, tr("%1 was closed; its work is saved.").arg(left));
        }
    });
    // After the window has shown what belongs to the form.
    connect(&m_places.documents, &DocumentActions::titleChanged, this, &LaboratoryActions::showHeader,
        Qt::QueuedConnection);
    connect(&m_places.form, &FormModel::changed, this, &LaboratoryActions::showHeader, Qt::QueuedConnection);
    RunController& controller = m_places.controller;
    connect(&controller, &RunController::stateChanged, this, &LaboratoryActions::takeBegun);
    const auto update = [this] {
        if (isOpen() && !m_update.isActive()) {
            m_update.start();
        }
    };
    connect(&controller, &RunController::stateChanged, this, update);
    connect(&controller, &RunController::runEnded, this, update);
    connect(&controller, &RunController::recordsListed, this, update);
    connect(&controller, &RunController::ticked, this, [this, update] {
        if (!m_places.controller.isBusy()) { // stored curves are read
            update();
        }
    });
    connect(&m_update, &QTimer::timeout, this, [this] {
        if (isOpen()) {
            Q_EMIT m_model->changed();
        }
    });
}

void LaboratoryActions::openHandIn(const QString& path)
{
    auto read = laboratory::readHandIn(path);
    if (!read) {
        m_places.strip.showMessage(Tone::Error, QString::fromStdString(language::errorLine(read.error())));
        return;
    }
    start(laboratory::Work::forReading(*std::move(read)));
}

void LaboratoryActions::open(const QString& path)
{
    const QString store = m_places.controller.store().folder();
    const auto folders = laboratory::workFoldersIn(store);
    const auto isHere = [this](const QString& folder) { // its journal cannot be opened twice
        return isOpen() && QFileInfo(m_model->work().folder()) == QFileInfo(folder);
    };
    auto work = [&]() -> Result<std::unique_ptr<laboratory::Work>> {
        if (std::ranges::find(folders, path) != folders.end()) {
            return isHere(path) ? std::unique_ptr<laboratory::Work>() : laboratory::Work::openFolder(path);
        }
        LOCKSTEP_TRY_ASSIGN(const auto read, laboratory::readLaboratory(path));
        return isHere(laboratory::workFolderOf(store, read)) ? std::unique_ptr<laboratory::Work>()
                                                             : laboratory::Work::open(store, read);
    }();
    if (!work) {
        m_places.strip.showMessage(Tone::Error,
            QString::fromStdString(language::errorLine(during(verbatim(path.toStdString()), work.error()))));
    } else if (*work != nullptr) {
        start(*std::move(work));
    }
}

void LaboratoryActions::openPreview(const QString& path)
{
    m_previewKey = keyFor(path, m_places.strip);
    open(path);
    m_previewKey.reset();
}

void LaboratoryActions::start(std::unique_ptr<laboratory::Work> work)
{
    close();
    const bool isOfOther = work->isOfOtherContent();
    const std::optional<Error> fault = work->journal().fault();
    m_model
        = std::make_unique<LaboratoryModel>(std::move(work), lookupIn(m_places.controller, m_pending), m_previewKey);
    m_cover->setModel(m_model.get());
    m_page = new LaboratoryPage(*m_model, m_cover->pad());
    connect(m_page, &LaboratoryPage::closeRequested, this, &LaboratoryActions::close, Qt::QueuedConnection);
    connect(m_page, &LaboratoryPage::handInRequested, this, &LaboratoryActions::askHandIn);
    connect(m_model.get(), &LaboratoryModel::currentChanged, this, &LaboratoryActions::showStep);
    connect(m_model.get(), &LaboratoryModel::changed, this, &LaboratoryActions::showRuns);
    connect(m_model.get(), &LaboratoryModel::runRequested, this, &LaboratoryActions::run);
    connect(m_model.get(), &LaboratoryModel::studentsRequested, this, [this] { askStudents(&m_window); });
    m_places.layout.setBesideCharts(m_page);
    m_pending = pendingOf(m_model->work(), m_places.controller.queue().state());
    takeBegun();
    handIn->setEnabled(!m_model->work().isReadOnly());
    closeOpen->setEnabled(true);
    showStep();
    if (fault) {
        m_places.strip.showMessage(Tone::Warning, errorText(*fault));
    } else if (isOfOther) {
        m_places.strip.showMessage(
            Tone::Warning, tr("The file has changed since you began: the work keeps the earlier laboratory."));
    }
}

void LaboratoryActions::close()
{
    if (!isOpen()) {
        return;
    }
    m_model->writeTyped();
    m_update.stop();
    m_pending.clear();
    m_places.layout.setBesideCharts(nullptr);
    m_places.centre.setCover(nullptr);
    m_cover->setModel(nullptr);
    m_page->deleteLater(); // its button may be what led here
    m_page->disconnect();
    m_page = nullptr;
    m_model->disconnect();
    m_model.release()->deleteLater(); // after the page
    m_shown.clear();
    showDetails();
    handIn->setEnabled(false);
    closeOpen->setEnabled(false);
    m_places.header.setProblem(m_places.form.problem());
    m_places.documents.retranslate();
    showBesideKept(m_places.controller, newestBatchOf(m_places.controller.table().records(), m_places.form.key()));
    listLaboratories();
}

bool LaboratoryActions::run()
{
    if (!isOpen()) {
        return false;
    }
    const laboratory::Step& step = m_model->current();
    const bool isToRun = step.is<laboratory::ExperimentStep>();
    if (const QString problem = isToRun ? runProblemOf(*m_model, step) : tr("This step runs nothing.");
        !problem.isEmpty()) {
        m_page->showMessage(problem);
        return true;
    }
    const auto runs = runsToStart(*m_model, step);
    if (!runs) {
        m_page->showMessage(titledErrorText(runs.error()));
        return true;
    }
    const launch::QueueState& queue = m_places.controller.queue().state();
    if (queue.entries.empty()) {
        m_pending.clear(); // those were refused
    }
    m_pending.push_back(pendingRuns(step.id, *runs, queue));
    m_places.controller.start(*runs);
    takeBegun();
    return true;
}

void LaboratoryActions::takeBegun()
{
    if (!isOpen()) {
        return;
    }
    for (const auto& [step, runs] : ui::takeBegun(m_pending, m_places.controller.queue().state())) {
        m_model->addRuns(step, runs);
    }
}

void LaboratoryActions::showStep()
{
    m_shown.clear();
    showRuns();
    const laboratory::Step* experiment = experimentOf(*m_model, m_model->current());
    if (experiment != nullptr) {
        m_places.centre.tabs().opening().set(experimentOpening(experiment->as<laboratory::ExperimentStep>()->spec));
    }
}

/// Those of the experiment that the step is about. Until its predictions are sealed nothing of it is shown.
void LaboratoryActions::showRuns()
{
    const laboratory::Step& step = m_model->current();
    const laboratory::Step* experiment = experimentOf(*m_model, step);
    const bool isHidden
        = experiment != nullptr && m_model->state().hidesEstimates(m_model->laboratory(), experiment->id);
    const std::vector<RunId> runs
        = experiment == nullptr || isHidden ? std::vector<RunId>() : m_model->state().runsOf(experiment->id);
    if (runs != m_shown) {
        m_shown = runs;
        showOnly(m_places.controller, runs);
    }
    const auto* prediction = step.as<laboratory::PredictionStep>();
    const bool isCurve = prediction != nullptr && prediction->form == laboratory::PredictionForm::Curve;
    const bool isCovered = runs.empty() || isCurve;
    if (isCovered) { // its figures are made of all runs
        m_cover->showWork();
    }
    m_places.centre.setCover(isCovered ? m_cover : nullptr);
    showDetails();
    showHeader();
}

void LaboratoryActions::showDetails()
{
    const auto hides = [this](const laboratory::Step& step) {
        return m_model->state().hidesParameters(m_model->laboratory(), step.id);
    };
    const bool isHiding = isOpen() && std::ranges::any_of(m_model->laboratory().steps, hides);
    m_places.centre.tabs().setFindingsOffered(!isHiding);
    if (!isOpen()) {
        return;
    }
    laboratory::HiddenSettings own;
    own.add(m_model->laboratory(), m_model->state());
    m_hidden.setWork(m_model->work().folder(), std::move(own));
}

void LaboratoryActions::showHeader()
{
    if (!isOpen()) {
        return;
    }
    const QString title = titleOf(*m_model);
    m_places.header.setExperiment(title);
    m_window.setWindowTitle(tr("%1 – Lockstep").arg(titleText(title)));
    const laboratory::Step& step = m_model->current();
    // What is missing stands on the page: it is not repeated as an error.
    m_places.header.setNothingToRun(
        step.is<laboratory::ExperimentStep>() ? runProblemOf(*m_model, step) : tr("This step runs nothing."));
}

void LaboratoryActions::askStudents(QWidget* parent)
{
    auto* dialog = new StudentsDialog(m_model->state().students(), parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (isOpen()) {
            m_model->setStudents(dialog->students());
        }
    });
    dialog->open();
}

void LaboratoryActions::askHandIn()
{
    if (!isOpen()) {
        return;
    }
    auto* session = new HandInSession(*m_model, m_places.controller, m_window);
    connect(session, &HandInSession::studentsRequested, this, &LaboratoryActions::askStudents);
    session->start();
}

/// Beside the window, which stays usable: students' code takes minutes.
void LaboratoryActions::showMarking()
{
    if (m_marking == nullptr) {
        m_marking = new MarkDialog(&m_window);
        m_marking->setAttribute(Qt::WA_DeleteOnClose);
    }
    m_marking->show();
    m_marking->raise();
    m_marking->activateWindow();
}

void LaboratoryActions::listLaboratories()
{
    QPointer<LaboratoryActions> self(this);
    backgroundPool().start([self, store = m_places.controller.store().folder()] {
        QMetaObject::invokeMethod(
            qApp,
            [self, found = laboratoriesIn(store)]() mutable {
                if (self != nullptr) {
                    self->m_listed = std::move(found);
                    self->showShelf();
                }
            },
            Qt::QueuedConnection);
    });
}

void LaboratoryActions::showShelf()
{
    std::vector<ShelfEntry> entries;
    for (const auto& [path, laboratory] : m_listed) {
        const QString title = wordingText(laboratory.title);
        entries.push_back({path, title, wordingText(laboratory.aim), {}});
        if (entries.size() > m_shipped.size()) {
            m_shipped.push_back(newAction(m_window, *this));
            m_menu->insertAction(m_afterShipped, m_shipped.back());
            const std::size_t place = m_shipped.size() - 1;
            connect(m_shipped.back(), &QAction::triggered, this, [this, place] { open(m_listed[place].first); });
        }
        label(*m_shipped[entries.size() - 1], laboratory, tr("Laboratories"));
    }
    for (std::size_t i = 0; i < m_shipped.size(); ++i) {
        m_shipped[i]->setVisible(i < entries.size());
        m_shipped[i]->setEnabled(i < entries.size());
    }
    m_places.gallery.setLaboratories(std::move(entries));
}

void LaboratoryActions::retranslate()
{
    m_menu->setTitle(tr("Laboratories"));
    openFile->setText(tr("Open a laboratory…"));
    preview->setText(tr("Preview as a student…"));
    handIn->setText(tr("Hand in the laboratory…"));
    mark->setText(tr("Mark hand-ins…"));
    closeOpen->setText(tr("Close the laboratory"));
    showShelf();
    showHeader();
}

} // namespace lockstep::ui
