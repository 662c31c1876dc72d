#include "ui/forms/own_parameters_row.h"

#include "launch/own/own_parameters.h"
#include "launch/own/own_program.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/form_model.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockstep::ui {

namespace {

/// Of the first variant with a user's own program.
Result<std::vector<launch::OwnParameter>> declaredIn(const std::vector<experiment::RunSpec>& drafts)
{
    for (const experiment::RunSpec& draft : drafts) {
        if (launch::isOwnProgram(draft)) {
            LOCKSTEP_TRY_ASSIGN(const auto program, launch::ownProgram(draft));
            return program.script.isEmpty() ? std::vector<launch::OwnParameter>()
                                            : launch::declaredParameters(program.script);
        }
    }
    return std::vector<launch::OwnParameter>();
}

} // namespace

Result<void> readOwnParameters(FormModel& model)
{
    LOCKSTEP_TRY_ASSIGN(const auto declared, declaredIn(model.drafts()));
    model.declare(declared);
    return {};
}

OwnParametersRow::OwnParametersRow(FormModel& model, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_button(new QPushButton(this))
    , m_error(plainLabel(this))
{
    m_button->setObjectName(QStringLiteral("read_own_parameters"));
    m_error->setObjectName(QStringLiteral("own_parameters_error"));
    m_error->setWordWrap(true);
    m_error->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 2, 0, 4);
    column->addWidget(m_button, 0, Qt::AlignRight);
    column->addWidget(m_error);
    connect(m_button, &QPushButton::clicked, this, &OwnParametersRow::read);
    connect(&m_model, &FormModel::changed, this, &OwnParametersRow::showState);
    retranslate();
    showState();
}

void OwnParametersRow::read()
{
    const auto read = readOwnParameters(m_model);
    m_error->setVisible(!read);
    if (!read) {
        QPalette palette;
        palette.setColor(QPalette::WindowText, toneColor(Tone::Error, m_error->palette()));
        m_error->setPalette(palette);
        m_error->setText(titledErrorText(read.error()));
    }
}

void OwnParametersRow::showState()
{
    const FormRow* program = m_model.row(nameOf(&experiment::RankSettings::program));
    const bool isUsed = program != nullptr && program->isShown && !program->text.trimmed().isEmpty();
    setVisible(isUsed);
    if (!isUsed) {
        m_error->hide();
    }
}

void OwnParametersRow::retranslate()
{
    labelButton(*m_button, tr("Read the script's parameters"),
        tr("Reads the parameters that the script declares, without running it."));
}

} // namespace lockstep::ui
