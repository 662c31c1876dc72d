#include "ui/forms/own_program_dialog.h"

#include "exchange/export/series_csv.h"
#include "experiment/command_of.h"
#include "ui/models/form/error_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>

#include <algorithm>
#include <array>

namespace lockstep::ui {

namespace {

constexpr int MostRanks = 64;
constexpr int CommandWidth = 420;

/// With a blank behind it; empty: the file is started itself.
QString interpreterOf(const QString& path)
{
    return path.endsWith(QStringLiteral(".py")) ? QStringLiteral("python3 ")
        : path.endsWith(QStringLiteral(".sh"))  ? QStringLiteral("bash ")
                                                : QString();
}

/// A script of resources/python/examples.
struct Example {
    const char* file;
    const char* title; ///< of the context lockstep::ui::OwnProgramDialog
    int ranks;
};

constexpr std::array<Example, 5> Examples{{
    {"optimizer.py", QT_TRANSLATE_NOOP("lockstep::ui::OwnProgramDialog", "Optimizers of your own"), 0},
    {"aggregation.py", QT_TRANSLATE_NOOP("lockstep::ui::OwnProgramDialog", "Aggregation by hand"), 4},
    {"partition.py", QT_TRANSLATE_NOOP("lockstep::ui::OwnProgramDialog", "A Sampler of your own"), 4},
    {"layers.py", QT_TRANSLATE_NOOP("lockstep::ui::OwnProgramDialog", "A pipeline of layers"), 3},
    {"ddp_mnist.py", QT_TRANSLATE_NOOP("lockstep::ui::OwnProgramDialog", "DistributedDataParallel"), 2},
}};

} // namespace

bool isProgramFile(const QString& path)
{
    return !interpreterOf(path).isEmpty();
}

QString commandOfFile(const QString& path)
{
    const auto quoted
        = [](const QString& text) { return QString::fromStdString(experiment::shellQuoted(text.toStdString())); };
    const QString folder = QFileInfo(path).absolutePath();
    const QString there = folder == QDir::currentPath() ? QString() : QStringLiteral("env -C %1 ").arg(quoted(folder));
    return there + interpreterOf(path) + quoted(QFileInfo(path).absoluteFilePath());
}

Result<QString> exampleIn(const QString& folder, const QString& name)
{
    const QDir examples(QStringLiteral(":/examples"));
    QDir().mkpath(folder);
    for (const QString& file : examples.entryList(QDir::Files)) {
        const QString path = QDir(folder).filePath(file);
        QFile example(examples.filePath(file));
        if (!QFile::exists(path) && example.open(QIODevice::ReadOnly)) {
            LOCKSTEP_TRY(exchange::writeFile(path, example.readAll()));
        }
    }
    return QDir(folder).filePath(name);
}

experiment::Spec specOfProgram(const QString& command, int ranks)
{
    experiment::Spec spec = *experiment::preset(experiment::OwnExperiment);
    spec.base[nameOf(&experiment::RankSettings::program)] = command.trimmed().toStdString();
    if (ranks > 0) {
        spec.base[nameOf(&experiment::RankSettings::worldSize)] = std::int64_t{ranks};
    }
    return spec;
}

OwnProgramDialog::OwnProgramDialog(QWidget* parent)
    : QDialog(parent)
    , m_command(new QLineEdit(this))
    , m_ranks(new QSpinBox(this))
    , m_open(nullptr)
    , m_message(plainLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("own_program"));
    setWindowTitle(tr("My own program"));
    m_command->setObjectName(QStringLiteral("own_command"));
    m_command->setMinimumWidth(CommandWidth);
    m_command->setPlaceholderText(QStringLiteral("python3 train.py --lr 0.1"));
    describe(*m_command, tr("Command"),
        tr("As you would type it in a terminal: a Python script, torchrun, a shell script."));
    m_ranks->setObjectName(QStringLiteral("own_ranks"));
    m_ranks->setRange(0, MostRanks);
    m_ranks->setSpecialValueText(tr("those it makes"));
    describe(*m_ranks, tr("Ranks"),
        tr("How often the program is started, as torchrun does it. A program that starts its ranks itself, or is a "
           "single process, is started once."));
    auto* choose = new QPushButton(tr("Browse…"), this);
    connect(choose, &QPushButton::clicked, this, &OwnProgramDialog::browse);
    auto* examples = new QPushButton(tr("Examples"), this);
    examples->setObjectName(QStringLiteral("own_examples"));
    auto* menu = new QMenu(examples);
    listExamples(*menu);
    examples->setMenu(menu);
    m_message->setWordWrap(true);
    m_message->hide();
    auto* line = new QHBoxLayout;
    line->addWidget(m_command, 1);
    line->addWidget(choose);
    line->addWidget(examples);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
    auto* rows = new QFormLayout(this);
    rows->addRow(tr("Command"), line);
    rows->addRow(tr("Ranks"), m_ranks);
    rows->addRow(m_message);
    rows->addRow(buttons);
    connect(m_command, &QLineEdit::textChanged, this, &OwnProgramDialog::checkCommand);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT chosen(specOfProgram(m_command->text(), m_ranks->value()));
        accept();
    });
    checkCommand();
}

void OwnProgramDialog::browse()
{
    const QString path
        = QFileDialog::getOpenFileName(this, tr("Choose a program"), {}, tr("Scripts (*.py *.sh);;All files (*)"));
    if (!path.isEmpty()) {
        m_command->setText(commandOfFile(path));
    }
}

void OwnProgramDialog::listExamples(QMenu& menu)
{
    for (const Example& each : Examples) {
        const QString file = QString::fromLatin1(each.file);
        QAction* action = menu.addAction(
            QStringLiteral("%1 (%2)").arg(tr(each.title), file), this, [this, file] { useExample(file); });
        action->setObjectName(file);
    }
}

/// Where a student finds it again, to write a class of their own into it.
void OwnProgramDialog::useExample(const QString& name)
{
    const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    const QString folder = documents.filePath(QStringLiteral("Lockstep examples"));
    const auto path = exampleIn(folder, name);
    if (path) {
        m_command->setText(commandOfFile(*path));
        m_ranks->setValue(std::ranges::find(Examples, name, &Example::file)->ranks);
    }
    m_message->setText(path
            ? tr("The example was copied into %1, where you can change it.").arg(QDir::toNativeSeparators(folder))
            : errorText(path.error()));
    m_message->show();
}

void OwnProgramDialog::checkCommand()
{
    m_open->setEnabled(static_cast<bool>(experiment::programWords(m_command->text().toStdString())));
}

} // namespace lockstep::ui
