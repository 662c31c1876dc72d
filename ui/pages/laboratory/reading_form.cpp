#include "ui/pages/laboratory/reading_form.h"

#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int MostCodeLines = 18;

} // namespace

ReadingForm::ReadingForm(LaboratoryModel& model, QWidget* parent)
    : StepForm(model, parent)
    , m_note(plainLabel(this))
    , m_read(new QPushButton(this))
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
    auto* row = new QHBoxLayout;
    addAll(*row, {m_read, FreeRoom});
    addAll(*layout, {m_note, row});
    m_read->setObjectName(QStringLiteral("read"));
    connect(m_read, &QPushButton::clicked, this, [this] {
        if (this->model().setDone()) {
            this->model().setCurrent(this->model().currentIndex() + 1);
        }
    });
    retranslate();
    showWork();
}

void ReadingForm::showWork() { }

void ReadingForm::retranslate()
{
    labelButton(*m_read, tr("Next"), tr("Marks this step as read and shows the next one."));
    m_note->setText(tr("This version shows the code of a step; it does not run or check it."));
    if (m_code != nullptr) {
        describe(*m_code, tr("Code"), tr("The template of this step."));
    }
}

} // namespace lockstep::ui
