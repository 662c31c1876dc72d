#include "ui/pages/laboratory/code_form.h"

#include "laboratory/code/code_verdict.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int CodeLines = 18;
constexpr int OutputLines = 8;
constexpr qint64 MostShown = 1 << 20;

QPlainTextEdit* codeView(QWidget* parent, const QString& name, int lines)
{
    auto* view = new QPlainTextEdit(parent);
    view->setObjectName(name);
    view->setReadOnly(true);
    view->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    view->setLineWrapMode(QPlainTextEdit::NoWrap);
    view->setFixedHeight(lines * view->fontMetrics().lineSpacing());
    return view;
}

} // namespace

CodeForm::CodeForm(LaboratoryModel& theModel, QWidget* parent)
    : StepForm(theModel, parent)
    , m_step(*step().as<laboratory::CodeStep>())
    , m_where(plainLabel(this))
    , m_write(new QPushButton(this))
    , m_edit(new QPushButton(this))
    , m_folder(new QPushButton(this))
    , m_code(codeView(this, QStringLiteral("code"), CodeLines))
    , m_check(new QPushButton(this))
    , m_cancel(new QPushButton(this))
    , m_progress(new QProgressBar(this))
    , m_verdict(plainLabel(this))
    , m_output(codeView(this, QStringLiteral("output"), OutputLines))
    , m_history(plainLabel(this))
{
    build();
    const auto open = [this](bool isFolder) {
        const QString file = laboratory::codeFileOf(model().work(), step());
        QDesktopServices::openUrl(QUrl::fromLocalFile(isFolder ? QFileInfo(file).absolutePath() : file));
    };
    connect(m_write, &QPushButton::clicked, this, [this] { model().codeCheck().writeTemplate(step()); });
    connect(m_edit, &QPushButton::clicked, this, [open] { open(false); });
    connect(m_folder, &QPushButton::clicked, this, [open] { open(true); });
    connect(m_check, &QPushButton::clicked, this, [this] { model().codeCheck().start(step()); });
    connect(m_cancel, &QPushButton::clicked, &model().codeCheck(), &CodeCheck::cancel);
    retranslate();
}

void CodeForm::build()
{
    m_where->setObjectName(QStringLiteral("code_file"));
    m_write->setObjectName(QStringLiteral("write_template"));
    m_check->setObjectName(QStringLiteral("check_code"));
    m_cancel->setObjectName(QStringLiteral("cancel_check"));
    m_verdict->setObjectName(QStringLiteral("code_verdict"));
    m_history->setObjectName(QStringLiteral("code_history"));
    for (QLabel* label : {m_where, m_verdict, m_history}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    m_history->setForegroundRole(QPalette::PlaceholderText);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    auto* file = new QHBoxLayout;
    addAll(*file, {m_write, m_edit, m_folder, FreeRoom});
    auto* check = new QHBoxLayout;
    addAll(*check, {m_check, m_cancel, {m_progress, 1}});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 8, {m_where, file, check, m_verdict, m_output, m_history, m_code});
}

void CodeForm::showFile()
{
    const bool isReadOnly = model().work().isReadOnly();
    const QByteArray* handedIn = model().work().handedInCode(step().id);
    QFile file(laboratory::codeFileOf(model().work(), step()));
    const bool isThere = !isReadOnly && file.open(QIODevice::ReadOnly);
    const QString shown = shownText(isThere ? file.read(MostShown).toStdString()
            : handedIn != nullptr           ? handedIn->toStdString()
                                            : m_step.templateText);
    if (shown != m_code->toPlainText()) {
        m_code->setPlainText(shown);
    }
    m_where->setText(isThere ? tr("Your file: %1").arg(shownName(QDir::toNativeSeparators(file.fileName())))
            : isReadOnly     ? handedInText(handedIn != nullptr)
                             : tr("Write the file, edit it in your editor, then check it. Below: the template."));
    m_write->setVisible(!isThere && !isReadOnly);
    m_code->setVisible(!isReadOnly || handedIn != nullptr); // the template is not what the student handed in
    for (QPushButton* button : {m_edit, m_folder, m_check}) {
        button->setVisible(isThere);
    }
}

void CodeForm::showVerdict()
{
    const CodeCheck& check = model().codeCheck();
    const bool isMine = check.isRunning() && check.step() == step().id;
    m_check->setEnabled(!check.isRunning());
    m_cancel->setVisible(isMine);
    m_progress->setVisible(isMine);
    const laboratory::CodeVerdict* verdict = isMine ? nullptr : check.verdictOf(step().id);
    m_verdict->setVisible(verdict != nullptr);
    m_output->setVisible(verdict != nullptr && !verdict->output.empty());
    if (verdict == nullptr) {
        return;
    }
    QStringList lines;
    for (const std::string& line : laboratory::verdictLines(*verdict)) {
        lines += shownText(line);
    }
    lines.front().prepend(verdict->isRight() ? QStringLiteral("✓ ") : QStringLiteral("✗ "));
    m_verdict->setText(lines.join(u'\n'));
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, toneColor(verdict->isRight() ? Tone::Success : Tone::Error, palette()));
    m_verdict->setPalette(colors);
    QStringList output;
    std::ranges::transform(
        verdict->output, std::back_inserter(output), [](const std::string& line) { return shownText(line); });
    m_output->setPlainText(output.join(u'\n'));
}

QString CodeForm::handedInText(bool isThere)
{
    const QString readOnly = LaboratoryModel::tr("This is a hand-in: it is only read.");
    return readOnly + u' ' + (isThere ? tr("Below: the code that was handed in.") : tr("No code was handed in."));
}

QString CodeForm::historyText() const
{
    const auto checks = model().state().checksOf(step().id);
    if (checks.empty()) {
        return {};
    }
    const auto right = std::ranges::find(checks, true, &laboratory::CheckedCode::isRight);
    const QString count = tr("Checks: %1.").arg(checks.size());
    if (right == checks.end()) {
        return count;
    }
    const QDateTime at = QDateTime::fromString(QString::fromStdString(right->at), Qt::ISODateWithMs).toLocalTime();
    return tr("%1 First right: %2.").arg(count, locale().toString(at, QStringLiteral("yyyy-MM-dd HH:mm")));
}

void CodeForm::showWork()
{
    showFile();
    showVerdict();
    const QString history = historyText();
    m_history->setText(history);
    m_history->setVisible(!history.isEmpty());
}

void CodeForm::retranslate()
{
    labelButton(*m_write, tr("Write the file"), tr("Writes the template into the folder of your work."));
    labelButton(*m_edit, tr("Open in editor"), tr("Opens the file in the system's editor for it."));
    labelButton(*m_folder, tr("Open folder"), tr("Opens the folder with the file."));
    labelButton(*m_check, tr("Check"), tr("Runs your file on this computer, as you, and says what is wrong first."));
    labelButton(*m_cancel, tr("Cancel"), tr("Ends the check."));
    describe(*m_progress, tr("Checking"), tr("Your code runs."));
    describe(*m_code, tr("Code"), tr("Your file as it is on the disk, or the template."));
    describe(*m_output, tr("Output"), tr("The last lines that your code wrote."));
    showWork();
}

} // namespace lockstep::ui
