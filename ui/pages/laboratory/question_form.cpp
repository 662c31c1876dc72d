#include "ui/pages/laboratory/question_form.h"

#include "ui/models/form/experiment_document.h"
#include "ui/models/shown_text.h"
#include "ui/pages/laboratory/order_list.h"
#include "ui/pages/laboratory/sealed_box.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QButtonGroup>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lockstep::ui {

namespace {

constexpr int AnswerLines = 8;
constexpr int LongestChoice = 240; ///< characters of a choice beside its button

/// In lines, so that a radio button shows a long choice whole.
QString wrapped(const QString& text, const QFontMetrics& metrics, int width)
{
    QString lines;
    QString line;
    for (const QChar c : text) {
        line += c;
        if (metrics.horizontalAdvance(line) > width) {
            const auto blank = line.lastIndexOf(u' ');
            const auto end = blank > 0 ? blank : line.size() - 1;
            lines += line.left(end) + u'\n';
            line = line.mid(blank > 0 ? end + 1 : end);
        }
    }
    return lines + line;
}

} // namespace

QuestionForm::QuestionForm(LaboratoryModel& theModel, QWidget* parent)
    : StepForm(theModel, parent)
    , m_question(*step().as<laboratory::QuestionStep>())
    , m_saved(plainLabel(this))
    , m_seal(new QPushButton(this))
    , m_sealed(new SealedBox(model(), this))
{
    const auto* experiment = model().laboratory().experiment(m_question.about.step);
    m_isSealable = experiment != nullptr && !experiment->hidden.empty();
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 8, {});
    switch (m_question.form) {
    case laboratory::QuestionForm::Text:
        m_text = new QPlainTextEdit(this);
        m_text->setObjectName(QStringLiteral("answer"));
        m_text->setTabChangesFocus(true);
        m_text->setMinimumHeight(AnswerLines * fontMetrics().lineSpacing());
        layout->addWidget(m_text, 1);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::MinimumExpanding); // the answer takes what room is left
        connect(m_text, &QPlainTextEdit::textChanged, this, &QuestionForm::keep);
        break;
    case laboratory::QuestionForm::Number: {
        m_number = new QLineEdit(this);
        m_number->setObjectName(QStringLiteral("answer"));
        m_number->setAlignment(Qt::AlignRight);
        m_number->setMaximumWidth(200);
        m_unit = plainLabel(this);
        auto* row = new QHBoxLayout;
        addAll(*row, {m_number, m_unit, FreeRoom});
        layout->addLayout(row);
        connect(m_number, &QLineEdit::textEdited, this, &QuestionForm::keep);
        break;
    }
    case laboratory::QuestionForm::Choice:
        makeChoices();
        break;
    case laboratory::QuestionForm::Order:
        m_order = new OrderList(this);
        layout->addWidget(m_order);
        connect(m_order, &OrderList::moved, this, &QuestionForm::keep);
        break;
    }
    m_saved->setForegroundRole(QPalette::PlaceholderText);
    m_saved->setWordWrap(true);
    m_seal->setObjectName(QStringLiteral("seal_answer"));
    auto* row = new QHBoxLayout;
    addAll(*row, {m_seal, FreeRoom});
    addAll(*layout, {m_saved, row, m_sealed});
    connect(m_seal, &QPushButton::clicked, &model(), &LaboratoryModel::sealAnswer);
    retranslate();
}

void QuestionForm::makeChoices()
{
    m_choices = new QButtonGroup(this);
    for (std::size_t i = 0; i < m_question.choices.size(); ++i) {
        auto* button = new QRadioButton(this);
        button->setObjectName(QString::fromStdString(m_question.choices[i].id));
        m_choices->addButton(button, static_cast<int>(i));
        layout()->addWidget(button);
    }
    connect(m_choices, &QButtonGroup::idClicked, this, &QuestionForm::keep);
}

laboratory::Answer QuestionForm::answer() const
{
    laboratory::Answer given;
    if (m_text != nullptr) {
        given.text = m_text->toPlainText().toStdString();
    } else if (m_number != nullptr) {
        given.text = m_number->text().trimmed().toStdString();
    } else if (m_choices != nullptr && m_choices->checkedId() >= 0) {
        given.text = m_question.choices[static_cast<std::size_t>(m_choices->checkedId())].id;
    } else if (m_order != nullptr) {
        for (const QString& key : m_order->keys()) {
            given.order.push_back(key.toStdString());
        }
    }
    return given;
}

void QuestionForm::keep()
{
    if (model().state().sealedAnswerOf(step().id) == nullptr) {
        model().type(answer());
    }
}

void QuestionForm::putAnswer()
{
    const laboratory::Answer given = model().state().answerOf(step().id);
    if (m_text != nullptr && m_text->toPlainText().toStdString() != given.text) {
        const QSignalBlocker blocker(m_text);
        m_text->setPlainText(QString::fromStdString(given.text));
    } else if (m_number != nullptr && m_number->text().trimmed().toStdString() != given.text) {
        m_number->setText(QString::fromStdString(given.text));
    } else if (m_choices != nullptr) {
        const auto chosen = std::ranges::find(m_question.choices, given.text, &laboratory::Choice::id);
        if (chosen != m_question.choices.end()) {
            m_choices->button(static_cast<int>(chosen - m_question.choices.begin()))->setChecked(true);
        }
    } else if (m_order != nullptr && (m_order->keys().isEmpty() || answer().order != given.order)) {
        std::vector<std::pair<QString, QString>> entries;
        const auto add = [&](const laboratory::Choice& choice) {
            entries.emplace_back(QString::fromStdString(choice.id), wordingText(choice.text));
        };
        if (given.order.empty()) {
            std::ranges::for_each(m_question.choices, add);
        }
        for (const std::string& id : given.order) {
            const auto choice = std::ranges::find(m_question.choices, id, &laboratory::Choice::id);
            if (choice != m_question.choices.end()) {
                add(*choice);
            }
        }
        if (m_order->keys().size() != static_cast<qsizetype>(entries.size()) || !given.order.empty()) {
            m_order->setEntries(entries);
        }
    }
}

void QuestionForm::showWork()
{
    putAnswer();
    const auto* sealed = model().state().sealedAnswerOf(step().id);
    m_sealed->setVisible(sealed != nullptr);
    m_seal->setVisible(m_isSealable && sealed == nullptr);
    m_saved->setVisible(sealed == nullptr);
    if (sealed == nullptr) {
        return;
    }
    m_sealed->showSeal(sealed->at, sealed->code, sealed->comments);
    if (m_text != nullptr) {
        m_text->setReadOnly(true);
    }
    if (m_number != nullptr) {
        m_number->setReadOnly(true);
    }
    if (m_order != nullptr) {
        m_order->setReadOnly(true);
    }
    if (m_choices != nullptr) {
        for (QAbstractButton* button : m_choices->buttons()) {
            button->setEnabled(button == m_choices->checkedButton());
        }
    }
}

void QuestionForm::retranslate()
{
    const QString name = tr("Answer");
    const QString help = tr("Your answer. It is saved as you type.");
    if (m_text != nullptr) {
        describe(*m_text, name, help);
    }
    if (m_number != nullptr) {
        describe(*m_number, name, help);
    }
    if (m_unit != nullptr) {
        m_unit->setText(shownName(wordingText(m_question.unit)));
    }
    for (std::size_t i = 0; m_choices != nullptr && i < m_question.choices.size(); ++i) {
        QAbstractButton& button = *m_choices->button(static_cast<int>(i));
        const QString text = shownName(wordingText(m_question.choices[i].text)).left(LongestChoice);
        labelButton(button, text, help);
        button.setText(wrapped(text, fontMetrics(), 300).replace(u'&', QStringLiteral("&&")));
    }
    m_saved->setText(m_isSealable ? tr("Saved as you type. Once sealed it stays, and what was hidden is shown.")
            : m_text != nullptr || m_number != nullptr ? tr("Saved as you type.")
                                                       : tr("Saved at once."));
    labelButton(*m_seal, tr("Seal the answer"), tr("Keeps the answer as it is, and shows what the laboratory hides."));
    showWork();
}

} // namespace lockstep::ui
