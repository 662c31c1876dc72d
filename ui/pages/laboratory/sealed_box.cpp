#include "ui/pages/laboratory/sealed_box.h"

#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockstep::ui {

SealedBox::SealedBox(LaboratoryModel& model, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_seal(plainLabel(this))
    , m_warning(plainLabel(this))
    , m_comments(plainLabel(this))
    , m_comment(new QLineEdit(this))
    , m_add(new QPushButton(this))
{
    m_seal->setObjectName(QStringLiteral("seal"));
    m_seal->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_warning->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {m_seal, m_warning, m_comments}) {
        label->setWordWrap(true);
    }
    m_comment->setObjectName(QStringLiteral("comment"));
    auto* row = new QHBoxLayout;
    addAll(*row, {{m_comment, 1}, m_add});
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 6, {m_seal, m_warning, m_comments, row});
    connect(m_add, &QPushButton::clicked, this, &SealedBox::addComment);
    connect(m_comment, &QLineEdit::returnPressed, this, &SealedBox::addComment);
    retranslate();
}

void SealedBox::showSeal(const std::string& at, const std::string& code, const std::vector<std::string>& comments)
{
    m_at = QString::fromStdString(at);
    m_sealCode = QString::fromStdString(code);
    QStringList lines;
    for (const std::string& comment : comments) {
        lines += QStringLiteral("– ") + shownText(comment);
    }
    m_comments->setText(lines.join(u'\n'));
    m_comments->setVisible(!lines.isEmpty());
    showTexts();
}

void SealedBox::showTexts()
{
    const QDateTime at = QDateTime::fromString(m_at, Qt::ISODateWithMs).toLocalTime();
    m_seal->setText(
        tr("Sealed %1. Seal code: %2").arg(locale().toString(at, QStringLiteral("yyyy-MM-dd HH:mm")), m_sealCode));
    m_warning->setText(
        tr("It can no longer be changed; you may add a remark. Note the seal code if your lecturer collects it."));
}

void SealedBox::addComment()
{
    if (!m_comment->text().trimmed().isEmpty() && m_model.comment(m_comment->text())) {
        m_comment->clear();
    }
}

void SealedBox::retranslate()
{
    m_comment->setPlaceholderText(tr("A remark, added later"));
    describe(*m_comment, tr("Remark"), tr("What is sealed stays; a remark stands below it."));
    labelButton(*m_add, tr("Add"), tr("Adds the remark to what is sealed."));
    showTexts();
}

} // namespace lockstep::ui
