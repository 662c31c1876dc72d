#include "ui/forms/own_program_dialog.h"

#include "experiment/command_of.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

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
    auto* line = new QHBoxLayout;
    line->addWidget(m_command, 1);
    line->addWidget(choose);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
    auto* rows = new QFormLayout(this);
    rows->addRow(tr("Command"), line);
    rows->addRow(tr("Ranks"), m_ranks);
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

void OwnProgramDialog::checkCommand()
{
    m_open->setEnabled(static_cast<bool>(experiment::programWords(m_command->text().toStdString())));
}

} // namespace lockstep::ui
