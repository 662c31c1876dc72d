#include "ui/pages/laboratory/hand_in_dialog.h"

#include "laboratory/journal.h"
#include "language/language.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace lockstep::ui {

HandInDialog::HandInDialog(QWidget* parent)
    : QDialog(parent)
    , m_folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
    , m_state(plainLabel(this))
    , m_missing(plainLabel(this))
    , m_contents(plainLabel(this))
    , m_members(new QPlainTextEdit(this))
    , m_place(plainLabel(this))
    , m_choose(new QPushButton(this))
    , m_students(new QPushButton(this))
    , m_write(new QPushButton(tr("Hand in"), this))
{
    setObjectName(QStringLiteral("hand_in_dialog"));
    setWindowTitle(tr("Hand in"));
    m_state->setObjectName(QStringLiteral("hand_in_state"));
    m_missing->setObjectName(QStringLiteral("missing"));
    m_write->setObjectName(QStringLiteral("hand_in_now"));
    m_members->setReadOnly(true);
    m_members->setTabChangesFocus(true);
    describe(*m_members, tr("In the file"), tr("What the file to hand in contains."));
    labelButton(*m_choose, tr("Another folder…"), tr("Where the file and the report are written."));
    labelButton(*m_students, tr("Names and numbers…"), tr("Who works on this laboratory: one to four students."));
    for (QLabel* label : {m_state, m_missing, m_contents, m_place}) {
        label->setWordWrap(true);
    }
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QLabel* seals
        = plainLabel(QString::fromStdString(language::translated("Laboratory", laboratory::WhatSealsShow)), this);
    seals->setWordWrap(true);
    seals->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout;
    addAll(*row, {m_students, m_choose, FreeRoom});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_write, QDialogButtonBox::ActionRole);
    m_write->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {m_missing, m_contents, {m_members, 1}, m_place, row, seals, m_state, buttons});
    resize(600, 520);
    connect(m_write, &QPushButton::clicked, this, &HandInDialog::handInRequested);
    connect(m_students, &QPushButton::clicked, this, &HandInDialog::studentsRequested);
    connect(m_choose, &QPushButton::clicked, this, &HandInDialog::chooseFolder);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void HandInDialog::setBusy(const QString& what)
{
    m_state->setText(what);
    m_write->setEnabled(false);
}

void HandInDialog::showDraft(const QStringList& missing, const QStringList& members, const QString& fileName)
{
    m_fileName = fileName;
    m_missing->setText(missing.isEmpty() ? tr("Nothing is missing.")
                                         : tr("Missing, and can be handed in all the same:") + QStringLiteral("\n– ")
                + missing.join(QStringLiteral("\n– ")));
    m_contents->setText(tr("In the file, without the names of hosts and users:"));
    m_members->setPlainText(members.join(u'\n'));
    m_state->clear();
    m_write->setEnabled(true);
    showFolder();
}

void HandInDialog::showFolder()
{
    m_place->setText(
        tr("Writes %1 and the report as Word and PDF into %2.").arg(m_fileName, QDir::toNativeSeparators(m_folder)));
}

void HandInDialog::chooseFolder()
{
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Where to write"), m_folder);
    if (!chosen.isEmpty()) {
        m_folder = chosen;
        showFolder();
    }
}

void HandInDialog::showError(const QString& message)
{
    m_state->setText(message);
    m_write->setEnabled(true);
}

void HandInDialog::showWritten(const QStringList& files)
{
    m_state->setText(tr("Written:") + u'\n' + files.join(u'\n') + u'\n'
        + tr("Send %1 to your lecturer. The report, as Word and PDF, is for reading.").arg(m_fileName));
    m_write->setEnabled(true);
}

} // namespace lockstep::ui
