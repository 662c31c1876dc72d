#include "ui/pages/report/script_dialog.h"

#include "exchange/script/pytorch_files.h"
#include "launch/trust.h"
#include "ui/models/form/error_text.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QThread>
#include <QVBoxLayout>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

namespace lockstep::ui {

ScriptDialog::ScriptDialog(std::vector<experiment::RunSpec> runs, QString scripts, QWidget* parent)
    : Translated(parent)
    , m_runs(std::move(runs))
    , m_scripts(std::move(scripts))
    , m_run(m_runs.front())
    , m_choice(new QComboBox(this))
    , m_text(new QPlainTextEdit(this))
    , m_state(plainLabel(this))
    , m_copy(new QPushButton(this))
    , m_save(new QPushButton(this))
    , m_race(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    layOut();
    connect(m_choice, &QComboBox::activated, this, &ScriptDialog::choose);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(m_save, &QPushButton::clicked, this, &ScriptDialog::askForPath);
    connect(m_race, &QPushButton::clicked, this, &ScriptDialog::race);
    connect(m_close, &QPushButton::clicked, this, &QDialog::accept);
    retranslate();
    write();
}

ScriptDialog::~ScriptDialog() = default;

void ScriptDialog::layOut()
{
    for (const experiment::RunSpec& run : m_runs) {
        m_choice->addItem(shownName(run.name));
    }
    m_choice->setVisible(m_runs.size() > 1);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_copy, m_save, m_race}) {
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    buttons->addWidget(m_close);
    auto* page = new QVBoxLayout(this);
    addAll(*page, {m_choice, {m_text, 1}, m_state, buttons});
    resize(960, 720); // lines of 120 characters
}

bool ScriptDialog::isWorking() const
{
    return m_thread != nullptr;
}

QString ScriptDialog::text() const
{
    return m_text->toPlainText();
}

QString ScriptDialog::message() const
{
    return m_state->text();
}

void ScriptDialog::choose(int run)
{
    m_choice->setCurrentIndex(run);
    m_run = m_runs[static_cast<std::size_t>(run)];
    m_isLate = isWorking();
    if (!m_isLate) {
        write();
    }
}

void ScriptDialog::write()
{
    m_text->clear();
    m_message.clear();
    const auto script = std::make_shared<QString>();
    inBackground(
        [script, run = m_run]() -> Result<void> {
            LOCKSTEP_TRY_ASSIGN(const auto files, exchange::pytorchFiles(run, exchange::scriptName(run)));
            *script = QString::fromUtf8(files.front().bytes);
            return {};
        },
        [this, script] { m_text->setPlainText(*script); });
}

void ScriptDialog::askForPath()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the script"),
        QDir::home().filePath(exchange::scriptName(m_run) + QStringLiteral(".py")), tr("Python scripts (*.py)"));
    if (!path.isEmpty()) {
        save(path);
    }
}

void ScriptDialog::save(const QString& path)
{
    inBackground([path, run = m_run] { return exchange::writePytorch(run, path); },
        [this, path] {
            const QString folder = path.chopped(3) + QStringLiteral(".data");
            m_message = tr("Saved: %1, and beside it %2 with the weights and the order of samples.").arg(path, folder);
        });
}

void ScriptDialog::race()
{
    const auto script = std::make_shared<std::optional<experiment::RunSpec>>();
    inBackground(
        [script, run = m_run, folder = m_scripts]() -> Result<void> {
            LOCKSTEP_TRY_ASSIGN(*script, exchange::writeScriptRun(run, folder));
            return {};
        },
        [this, script, run = m_run] {
            const std::vector<experiment::RunSpec> runs{run, **script};
            if (const auto kept = launch::Trust().add(launch::risksOf(std::span(runs).last(1))); !kept) {
                m_message = errorText(kept.error()); // it was confirmed all the same
            }
            Q_EMIT raceRequested(runs);
            accept();
        });
}

void ScriptDialog::inBackground(std::function<Result<void>()> work, std::function<void()> done)
{
    if (isWorking()) {
        return;
    }
    // The thread owns all it needs: closing the dialog leaves it to end by itself.
    const auto result = std::make_shared<Result<void>>();
    m_thread = QThread::create([work = std::move(work), result] { *result = work(); });
    connect(m_thread, &QThread::finished, this, [this, result, done = std::move(done)] {
        m_thread = nullptr;
        if (m_isLate) {
            m_isLate = false;
            write();
            return;
        }
        if (*result) {
            done();
        } else {
            m_message = titledErrorText(result->error());
        }
        showState();
        Q_EMIT worked();
    });
    connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
    m_thread->start();
    showState();
}

void ScriptDialog::showState()
{
    const bool hasScript = !isWorking() && !text().isEmpty();
    for (QPushButton* button : {m_copy, m_save, m_race}) {
        button->setEnabled(hasScript);
    }
    m_state->setText(isWorking() ? tr("Writing the script…") : m_message);
}

void ScriptDialog::retranslate()
{
    setWindowTitle(tr("As a PyTorch script"));
    describe(*m_choice, tr("Variant"), tr("The variant that is shown as a script."));
    m_text->setAccessibleName(tr("Script"));
    labelButton(*m_copy, tr("Copy"), tr("Copies the script to the clipboard."));
    labelButton(*m_save, tr("Save…"), tr("Saves the script, and a folder with the weights and the order of samples."));
    labelButton(*m_race, tr("Race it"),
        tr("Runs the script alongside this run, with the same losses, to compare their times."));
    labelButton(*m_close, tr("Close"), tr("Closes this window."));
    showState();
}

} // namespace lockstep::ui
