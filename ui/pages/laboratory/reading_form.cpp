#include "ui/pages/laboratory/reading_form.h"

#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/plain_label.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int MostCodeLines = 18;

} // namespace

ReadingForm::ReadingForm(LaboratoryModel& model, QWidget* parent)
    : StepForm(model, parent)
    , m_note(plainLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    if (const auto* code = step().as<laboratory::CodeStep>()) {
        m_code = new QPlainTextEdit(this);
        m_code->setReadOnly(true);
        m_code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        m_code->setLineWrapMode(QPlainTextEdit::NoWrap);
        m_code->setPlainText(shownText(code->templateText));
        const int lines = std::min(MostCodeLines, m_code->blockCount() + 2);
        m_code->setFixedHeight(lines * m_code->fontMetrics().lineSpacing());
        layout->addWidget(m_code);
    }
    m_note->setWordWrap(true);
    m_note->setVisible(m_code != nullptr);
    layout->addWidget(m_note);
    retranslate();
}

void ReadingForm::showWork() { }

void ReadingForm::retranslate()
{
    m_note->setText(tr("This code is only shown; this version does not check it."));
    if (m_code != nullptr) {
        describe(*m_code, tr("Code"), tr("The template of this step."));
    }
}

} // namespace lockstep::ui
