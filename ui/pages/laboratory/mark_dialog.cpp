#include "ui/pages/laboratory/mark_dialog.h"

#include "base/translate.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"
#include "ui/export/report/report_pdf.h"
#include "ui/models/background_pool.h"
#include "ui/models/form/error_text.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QCoreApplication>
#include <QDateTime>
#include <QDateTimeEdit>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSemaphore>
#include <QSpinBox>
#include <QTextDocument>
#include <QThread>
#include <QThreadPool>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <utility>

namespace lockstep::ui {

namespace {

using namespace laboratory::grading;

/// The order of the choices in *Run again*.
enum class Again { None, Sample, Chosen };
constexpr int MostOfRoom = 1000; ///< against the free room that is there without lines
constexpr int StandardSample = 5;
constexpr int LookForCancelMs = 50;
constexpr int MostSample = 1000;

QLineEdit* pathField(QWidget* parent, const char* name, const QString& hint = {})
{
    auto* field = new QLineEdit(parent);
    field->setObjectName(QLatin1StringView(name));
    field->setPlaceholderText(hint);
    return field;
}

/// Offers the ids of the laboratories that come with the program.
QCompleter* shippedNames(QObject* parent)
{
    QStringList shipped;
    for (const auto& each : laboratory::shippedLaboratories()) {
        shipped += QString::fromStdString(each.id);
    }
    return new QCompleter(shipped, parent);
}

/// With *Close*.
QDialogButtonBox* boxOf(std::initializer_list<QPushButton*> actions, QWidget* parent)
{
    auto* box = new QDialogButtonBox(QDialogButtonBox::Close, parent);
    for (QPushButton* button : actions) {
        box->addButton(button, QDialogButtonBox::ActionRole);
    }
    return box;
}

} // namespace

MarkDialog::MarkDialog(QWidget* parent)
    : QDialog(parent)
    , m_submissions(pathField(this, "submissions"))
    , m_laboratory(pathField(this, "laboratory", tr("A file, or the id of a shipped one, such as optimizers")))
    , m_key(pathField(this, "key"))
    , m_roster(pathField(this, "roster", tr("Optional: the LMS's list, CSV or xlsx")))
    , m_hasDeadline(new QCheckBox(tr("Late after"), this))
    , m_deadline(new QDateTimeEdit(this))
    , m_out(pathField(this, "out"))
    , m_feedback(new QComboBox(this))
    , m_again(new QComboBox(this))
    , m_sample(new QSpinBox(this))
    , m_chosen(pathField(this, "again_runs", tr("Ids of runs, or numbers of students, with commas")))
    , m_runCode(new QCheckBox(tr("Run the code in a sandbox"), this))
    , m_sandbox(plainLabel(this))
    , m_progress(new QProgressBar(this))
    , m_state(plainLabel(this))
    , m_lines(new QPlainTextEdit(this))
    , m_mark(new QPushButton(this))
    , m_page(new QPushButton(this))
    , m_answers(new QPushButton(this))
    , m_folder(new QPushButton(this))
    , m_marker(markClass)
{
    setObjectName(QStringLiteral("mark_dialog"));
    setWindowTitle(tr("Mark hand-ins"));
    layOut();
    for (QLineEdit* field : {m_submissions, m_laboratory, m_key, m_out}) {
        connect(field, &QLineEdit::textChanged, this, &MarkDialog::showState);
    }
    // Beside the hand-ins, unless another folder was chosen.
    connect(m_submissions, &QLineEdit::textChanged, this, [this, last = QString()](const QString& path) mutable {
        if (m_out->text() == last) {
            last = path.isEmpty() ? QString() : QFileInfo(path).absolutePath() + QStringLiteral("/marks");
            m_out->setText(last);
        }
    });
    connect(m_laboratory, &QLineEdit::textChanged, this, &MarkDialog::completeKey);
    connect(m_again, &QComboBox::currentIndexChanged, this, &MarkDialog::showState);
    connect(m_hasDeadline, &QCheckBox::toggled, m_deadline, &QWidget::setEnabled);
    connect(m_mark, &QPushButton::clicked, this, [this] {
        if (isMarking()) {
            cancel();
        } else {
            start();
        }
    });
    const auto open = [this](const QString& file) {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QDir(m_written).filePath(file)));
    };
    connect(m_page, &QPushButton::clicked, this, [open] { open(QStringLiteral("class.html")); });
    connect(m_answers, &QPushButton::clicked, this, [open] { open(QStringLiteral("answers.html")); });
    connect(m_folder, &QPushButton::clicked, this, [open] { open(QString()); });
    showState();
    trySandbox();
}

MarkDialog::~MarkDialog()
{
    if (isMarking()) {
        cancel();
        m_thread->wait();
    }
}

QPushButton* MarkDialog::chooser(QLineEdit& field, const QString& filter)
{
    auto* button = new QPushButton(this);
    button->setAutoDefault(false);
    labelButton(*button, filter.isEmpty() ? tr("Folder…") : tr("File…"), tr("Choose it on this computer."));
    connect(button, &QPushButton::clicked, this, [this, &field, filter] {
        const QString chosen = filter.isEmpty()
            ? QFileDialog::getExistingDirectory(this, field.accessibleName(), field.text())
            : QFileDialog::getOpenFileName(this, field.accessibleName(), field.text(), filter);
        if (!chosen.isEmpty()) {
            field.setText(chosen);
        }
    });
    return button;
}

void MarkDialog::addPath(QGridLayout& grid, QLineEdit& field, const QString& name, const QString& description,
    std::initializer_list<QPushButton*> buttons)
{
    const int row = grid.rowCount();
    QLabel* label = plainLabel(name, this);
    label->setBuddy(&field);
    describe(field, name, description);
    grid.addWidget(label, row, 0);
    grid.addWidget(&field, row, 1, 1, buttons.size() > 1 ? 1 : 2);
    int column = 4 - static_cast<int>(buttons.size());
    for (QPushButton* button : buttons) {
        grid.addWidget(button, row, column++);
    }
}

/// A key of the same name beside the laboratory.
void MarkDialog::completeKey()
{
    const QFileInfo laboratory(m_laboratory->text().trimmed());
    const QString key = laboratory.path() + u'/' + laboratory.completeBaseName() + QStringLiteral(".key");
    if (laboratory.isFile() && m_key->text().isEmpty() && QFileInfo(key).isFile()) {
        m_key->setText(key);
    }
}

QLayout* MarkDialog::againRow()
{
    m_again->setObjectName(QStringLiteral("again"));
    m_again->addItems({tr("None"), tr("A sample"), tr("Chosen runs")}); // as Again
    m_sample->setObjectName(QStringLiteral("again_sample"));
    m_sample->setRange(1, MostSample);
    m_sample->setValue(StandardSample);
    describe(*m_again, tr("Run again"), tr("Runs of the hand-ins are started here, and their losses compared."));
    describe(*m_sample, tr("Runs"), tr("Finished runs drawn at random, first one of each hand-in."));
    describe(*m_chosen, tr("Chosen runs"), tr("Ids of runs, or numbers of students, with commas."));
    auto* row = new QHBoxLayout;
    addAll(*row, {plainLabel(tr("Run again"), this), m_again, m_sample, {m_chosen, 1}, FreeRoom});
    return row;
}

void MarkDialog::layOut()
{
    auto* grid = new QGridLayout;
    addPath(*grid, *m_submissions, tr("Hand-ins"), tr("A folder, or the zip archive that the LMS makes of all."),
        {chooser(*m_submissions, {}), chooser(*m_submissions, tr("Archives (*.zip)"))});
    addPath(*grid, *m_laboratory, tr("Laboratory"), tr("The laboratory that was handed out."),
        {chooser(*m_laboratory, tr("Laboratories (*.lab)"))});
    addPath(*grid, *m_key, tr("Key"), tr("The answers and points of this laboratory."),
        {chooser(*m_key, tr("Keys (*.key)"))});
    addPath(*grid, *m_roster, tr("Roster"), tr("The LMS's list of students: points are filled in to a copy of it."),
        {chooser(*m_roster, tr("Lists (*.csv *.xlsx)"))});
    addPath(*grid, *m_out, tr("Results"), tr("The folder of the results. Earlier marks there are kept and updated."),
        {chooser(*m_out, {})});
    grid->setColumnStretch(1, 1);
    m_hasDeadline->setObjectName(QStringLiteral("has_deadline"));
    m_hasDeadline->setToolTip(tr("For the times of submission in the roster."));
    m_deadline->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm"));
    m_deadline->setDateTime(QDateTime(QDate::currentDate(), QTime(23, 59)));
    m_deadline->setCalendarPopup(true);
    m_deadline->setEnabled(false);
    describe(*m_deadline, tr("Deadline"), tr("For the times of submission in the roster."));
    m_feedback->setObjectName(QStringLiteral("feedback"));
    m_feedback->addItems({QStringLiteral("HTML"), QStringLiteral("PDF"), tr("None")}); // as FeedbackFormat
    describe(*m_feedback, tr("Feedback"), tr("A file for each student: points, then why."));
    auto* options = new QHBoxLayout;
    addAll(*options, {m_hasDeadline, m_deadline, FreeRoom, plainLabel(tr("Feedback"), this), m_feedback});
    m_laboratory->setCompleter(shippedNames(this));
    m_runCode->setObjectName(QStringLiteral("run_code"));
    const std::initializer_list<std::pair<QObject*, const char*>> names{{m_sandbox, "sandbox_reason"},
        {m_progress, "mark_progress"}, {m_state, "mark_state"}, {m_lines, "mark_lines"}, {m_mark, "mark_now"},
        {m_page, "open_class_page"}, {m_answers, "open_answers"}, {m_folder, "open_marks"}};
    for (const auto& [widget, name] : names) {
        widget->setObjectName(QLatin1String(name));
    }
    for (QLabel* label : {m_sandbox, m_state}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    m_sandbox->setForegroundRole(QPalette::PlaceholderText);
    m_lines->setReadOnly(true);
    m_lines->setTabChangesFocus(true);
    describe(*m_progress, tr("Progress"), tr("Hand-ins that are marked."));
    describe(*m_lines, tr("To look at"), tr("Hand-ins that could not be read, equal parts, and other remarks."));
    labelButton(*m_page, tr("Open the class page"), tr("Predictions beside results, and points of each step."));
    labelButton(*m_answers, tr("Open the answers"), tr("The answers of all to each question, side by side."));
    labelButton(*m_folder, tr("Open the folder"), tr("Opens the folder with the results."));
    m_mark->setDefault(true);
    QDialogButtonBox* buttons = boxOf({m_page, m_answers, m_folder, m_mark}, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &MarkDialog::reject);
    auto* layout = new QVBoxLayout(this);
    addAll(*layout,
        {grid, options, againRow(), m_runCode, m_sandbox, m_progress, m_state, {m_lines, MostOfRoom}, FreeRoom,
            buttons});
    resize(680, 560);
}

void MarkDialog::trySandbox()
{
    m_sandbox->setText(tr("The sandbox is being tried…"));
    QPointer<MarkDialog> self(this);
    backgroundPool().start([self] {
        const launch::SandboxState& state = launch::trySandbox();
        QMetaObject::invokeMethod(
            qApp,
            [self, state] {
                if (self != nullptr) {
                    self->setSandbox(state);
                }
            },
            Qt::QueuedConnection);
    });
}

void MarkDialog::setSandbox(const launch::SandboxState& state)
{
    m_canRunCode = state.kind == launch::SandboxKind::Works;
    m_runCode->setChecked(m_canRunCode);
    m_sandbox->setText(m_canRunCode ? tr("Code steps take minutes for a class.")
                                    : tr("Code steps are marked by hand: %1").arg(errorText(failureOf(state.message))));
    showState();
}

MarkTask MarkDialog::task() const
{
    MarkTask task{m_submissions->text().trimmed(), {m_laboratory->text().trimmed()}, {m_key->text().trimmed()}};
    task.roster = m_roster->text().trimmed();
    if (m_hasDeadline->isChecked()) {
        task.deadline = m_deadline->dateTime();
    }
    task.out = m_out->text().trimmed();
    task.feedback = static_cast<FeedbackFormat>(m_feedback->currentIndex());
    task.runsCode = m_runCode->isChecked();
    const auto again = static_cast<Again>(m_again->currentIndex());
    task.againSample = again == Again::Sample ? static_cast<std::size_t>(m_sample->value()) : 0;
    const QString chosen = again == Again::Chosen ? m_chosen->text() : QString();
    for (const QString& each : chosen.split(u',', Qt::SkipEmptyParts)) {
        task.again.push_back(each.trimmed().toStdString());
    }
    return task;
}

bool MarkDialog::hasAll() const
{
    constexpr auto IsEmpty = [](const QLineEdit* field) { return field->text().trimmed().isEmpty(); };
    return std::ranges::none_of(std::array{m_submissions, m_laboratory, m_key, m_out}, IsEmpty);
}

void MarkDialog::start()
{
    m_isCancelled = false;
    m_lines->clear();
    m_state->setText(tr("The hand-ins are being read…"));
    m_progress->setRange(0, 0);
    QPointer<MarkDialog> self(this);
    const auto marked = [self](std::size_t done, std::size_t all) {
        QMetaObject::invokeMethod(
            qApp,
            [self, done, all] {
                if (self != nullptr && self->isMarking()) {
                    self->m_progress->setRange(0, static_cast<int>(all));
                    self->m_progress->setValue(static_cast<int>(done));
                    self->m_state->setText(tr("Marked: %1 of %2").arg(done).arg(all));
                }
            },
            Qt::QueuedConnection);
    };
    const MarkTools tools{
        [this](const report::Report& report) { return drawInWindow(report); }, {marked, &m_isCancelled}};
    m_thread.reset(QThread::create([this, tools, task = task(), language = language::textLanguage()] {
        const language::TextsIn texts(language);
        m_result = m_marker(task, tools);
    }));
    connect(m_thread.get(), &QThread::finished, this, &MarkDialog::finish, Qt::QueuedConnection);
    m_thread->start();
    showState();
}

/// For the thread that marks: drawn in the window's thread, one student's after another. Gives up once marking is
/// cancelled, since the window may be waiting for this thread.
lockstep::Result<QByteArray> MarkDialog::drawInWindow(const report::Report& report) const
{
    struct AskedPdf {
        report::Report report;
        std::optional<lockstep::Result<QByteArray>> made{};
        QSemaphore isMade{};
    };
    const auto drawing = std::make_shared<AskedPdf>();
    drawing->report = report;
    QMetaObject::invokeMethod(
        qApp,
        [drawing] {
            drawing->made = reportPdf(drawing->report, {}, {});
            drawing->isMade.release();
        },
        Qt::QueuedConnection);
    while (!drawing->isMade.tryAcquire(1, LookForCancelMs)) {
        if (m_isCancelled) {
            return failure(LS_TR("Messages", "cancelled: nothing was written"));
        }
    }
    return *drawing->made;
}

void MarkDialog::cancel()
{
    m_isCancelled = true;
    m_state->setText(tr("It is being cancelled…"));
}

void MarkDialog::finish()
{
    m_thread->wait();
    m_thread.reset();
    const Result result = *std::exchange(m_result, std::nullopt);
    if (result) {
        showResult(*result);
    } else {
        m_state->setText(QString::fromStdString(language::errorLine(result.error())));
    }
    showState();
    if (m_isClosing) {
        QDialog::reject();
    }
}

void MarkDialog::showResult(const MarkedClass& made)
{
    const Grading& grading = made.grading;
    m_written = task().out;
    m_state->setText(tr("Marked: %1. To mark by hand: %2 answers. Not read: %3. Equal parts: %4.")
                         .arg(grading.marks.works.size())
                         .arg(std::accumulate(grading.marks.works.begin(), grading.marks.works.end(), std::size_t{0},
                             [](std::size_t sum, const WorkMarks& work) { return sum + work.open(); }))
                         .arg(grading.unread.size())
                         .arg(grading.copies.size()));
    QStringList lines;
    std::ranges::transform(
        remarkLines(made), std::back_inserter(lines), [](const std::string& line) { return shownText(line); });
    m_lines->setPlainText(lines.join(u'\n'));
}

void MarkDialog::reject()
{
    if (isMarking()) {
        m_isClosing = true;
        cancel();
    } else {
        QDialog::reject();
    }
}

void MarkDialog::showState()
{
    const bool isFree = !isMarking();
    for (QWidget* field : std::initializer_list<QWidget*>{m_submissions, m_laboratory, m_key, m_roster, m_out,
             m_hasDeadline, m_feedback, m_again, m_sample, m_chosen}) {
        field->setEnabled(isFree);
    }
    m_sample->setVisible(m_again->currentIndex() == static_cast<int>(Again::Sample));
    m_chosen->setVisible(m_again->currentIndex() == static_cast<int>(Again::Chosen));
    m_deadline->setEnabled(isFree && m_hasDeadline->isChecked());
    m_runCode->setEnabled(isFree && m_canRunCode);
    m_progress->setVisible(!isFree);
    m_lines->setVisible(!m_lines->document()->isEmpty());
    m_page->setVisible(!m_written.isEmpty());
    m_answers->setVisible(!m_written.isEmpty());
    m_folder->setVisible(!m_written.isEmpty());
    m_page->setEnabled(isFree);
    m_answers->setEnabled(isFree);
    labelButton(*m_mark, isFree ? tr("Mark") : tr("Cancel"),
        isFree ? tr("Marks all hand-ins and writes the results.") : tr("Ends the marking; nothing is written."));
    m_mark->setEnabled(!isFree || hasAll());
}

} // namespace lockstep::ui
