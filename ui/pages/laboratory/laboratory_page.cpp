#include "ui/pages/laboratory/laboratory_page.h"

#include "ui/models/form/experiment_document.h"
#include "ui/models/laboratory/step_text.h"
#include "ui/models/shown_text.h"
#include "ui/pages/laboratory/claim_form.h"
#include "ui/pages/laboratory/code_form.h"
#include "ui/pages/laboratory/experiment_step_form.h"
#include "ui/pages/laboratory/lesson_view.h"
#include "ui/pages/laboratory/prediction_form.h"
#include "ui/pages/laboratory/question_form.h"
#include "ui/pages/laboratory/reading_form.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <vector>

namespace lockstep::ui {

namespace {

constexpr int NarrowestSteps = 168;
constexpr int NarrowestForm = 336;
const QString RunningSign = QStringLiteral("▶");
const QString FailedSign = QStringLiteral("!");

/// Wraps texts at the width at which they are drawn. QListView asks for heights with the width of the list or, for its
/// layout, with room for a scroll bar, so that a last line would be cut off.
class WrappingDelegate final : public QStyledItemDelegate {
public:
    explicit WrappingDelegate(QListView& list)
        : QStyledItemDelegate(&list)
        , m_list(list)
    { }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem drawn = option;
        drawn.rect = QRect(0, 0, m_list.viewport()->width() - 2 * m_list.spacing(), 1);
        return QStyledItemDelegate::sizeHint(drawn, index);
    }

private:
    QListView& m_list;
};

/// The widgets of a layout that take the keyboard, in the order in which they are read.
void collectFields(QLayout& layout, std::vector<QWidget*>& fields)
{
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* item = layout.itemAt(i);
        if (QWidget* widget = item->widget(); widget != nullptr) {
            if (widget->layout() != nullptr && widget->focusPolicy() == Qt::NoFocus) {
                collectFields(*widget->layout(), fields);
            } else if ((widget->focusPolicy() & Qt::TabFocus) != 0) {
                fields.push_back(widget);
            }
        } else if (item->layout() != nullptr) {
            collectFields(*item->layout(), fields);
        }
    }
}

} // namespace

StepForm* makeStepForm(LaboratoryModel& model, CurvePad& pad, QWidget* parent)
{
    const laboratory::Step& step = model.current();
    if (step.is<laboratory::ExperimentStep>()) {
        return new ExperimentStepForm(model, parent);
    }
    if (step.is<laboratory::PredictionStep>()) {
        return new PredictionForm(model, pad, parent);
    }
    if (step.is<laboratory::QuestionStep>()) {
        return new QuestionForm(model, parent);
    }
    if (step.is<laboratory::ClaimStep>()) {
        return new ClaimForm(model, parent);
    }
    if (step.is<laboratory::CodeStep>() && !laboratory::isToRead(step)) {
        return new CodeForm(model, parent);
    }
    return new ReadingForm(model, parent);
}

LaboratoryPage::LaboratoryPage(LaboratoryModel& model, CurvePad& pad, QWidget* parent)
    : Translated(parent)
    , m_model(model)
    , m_pad(pad)
    , m_steps(new QListWidget(this))
    , m_students(new QPushButton(this))
    , m_handIn(new QPushButton(this))
    , m_close(new QPushButton(this))
    , m_scroll(new QScrollArea(this))
    , m_title(plainLabel(this))
    , m_lesson(new LessonView(this))
    , m_message(plainLabel(this))
    , m_key(plainLabel(this))
    , m_contents(new QWidget(this))
    , m_back(new QPushButton(this))
    , m_forward(new QPushButton(this))
{
    setObjectName(QStringLiteral("laboratory"));
    build();
    m_students->setEnabled(!m_model.work().isReadOnly());
    m_handIn->setEnabled(!m_model.work().isReadOnly());
    connect(m_steps, &QListWidget::currentRowChanged, &m_model, &LaboratoryModel::setCurrent);
    connect(m_students, &QPushButton::clicked, &m_model, &LaboratoryModel::studentsRequested);
    connect(m_handIn, &QPushButton::clicked, this, &LaboratoryPage::handInRequested);
    connect(m_close, &QPushButton::clicked, this, &LaboratoryPage::closeRequested);
    connect(m_back, &QPushButton::clicked, this, [this] { m_model.setCurrent(m_model.currentIndex() - 1); });
    connect(m_forward, &QPushButton::clicked, this, &LaboratoryPage::goForward);
    connect(&m_model, &LaboratoryModel::currentChanged, this, &LaboratoryPage::showStep);
    connect(&m_model, &LaboratoryModel::changed, this, &LaboratoryPage::showWork);
    connect(&m_model, &LaboratoryModel::failed, this, &LaboratoryPage::showMessage);
    retranslate();
}

void LaboratoryPage::build()
{
    m_steps->setObjectName(QStringLiteral("steps"));
    m_steps->setFrameShape(QFrame::NoFrame);
    m_steps->setWordWrap(true);
    m_steps->setTextElideMode(Qt::ElideNone);
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_steps->setResizeMode(QListView::Adjust);
    m_steps->setSpacing(2);
    m_steps->setItemDelegate(new WrappingDelegate(*m_steps));
    m_students->setObjectName(QStringLiteral("students"));
    m_handIn->setObjectName(QStringLiteral("hand_in"));
    m_close->setObjectName(QStringLiteral("close_laboratory"));
    m_back->setObjectName(QStringLiteral("previous_step"));
    m_forward->setObjectName(QStringLiteral("next_step"));
    auto* side = new QWidget(this);
    side->setMinimumWidth(NarrowestSteps);
    auto* left = new QVBoxLayout(side);
    addAll(*left, {8, 8, 8, 8}, 6, {{m_steps, 1}, m_students, m_handIn, m_close});

    QFont font = m_title->font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    font.setBold(true);
    m_title->setFont(font);
    m_title->setObjectName(QStringLiteral("step_title"));
    m_message->setObjectName(QStringLiteral("laboratory_message"));
    m_key->setObjectName(QStringLiteral("key"));
    m_key->setForegroundRole(QPalette::PlaceholderText);
    for (QLabel* label : {m_title, m_message, m_key}) {
        label->setWordWrap(true);
    }
    m_message->hide();
    auto* inner = new QVBoxLayout(m_contents);
    addAll(*inner, {10, 10, 10, 10}, 8, {m_title, m_lesson, m_message, m_key});
    inner->addStretch(1);
    m_scroll->setWidget(m_contents);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* middle = new QWidget(this);
    middle->setMinimumWidth(NarrowestForm);
    auto* row = new QHBoxLayout;
    addAll(*row, {10, 0, 10, 8}, 6, {m_back, FreeRoom, m_forward});
    auto* page = new QVBoxLayout(middle);
    addAll(*page, {}, 0, {{m_scroll, 1}, row});

    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(3);
    split->addWidget(side);
    split->addWidget(middle);
    split->setStretchFactor(1, 1);
    split->setSizes({180, 380});
    auto* whole = new QVBoxLayout(this);
    addAll(*whole, {}, 0, {split});
}

void LaboratoryPage::showMessage(const QString& message)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
}

std::pair<QString, QString> LaboratoryPage::signAndState(const laboratory::Step& step) const
{
    const laboratory::StepState state = m_model.stateOf(step);
    const LaboratoryModel::RunCounts runs = m_model.countsOf(step);
    if (runs.active > 0) {
        return {RunningSign, tr("running: %1 of %2 runs done").arg(runs.finished).arg(runs.known)};
    }
    if (runs.queued > 0) {
        return {
            stateSign(laboratory::StepState::Waiting), tr("queued: %1 of %2 runs").arg(runs.queued).arg(runs.known)};
    }
    if (runs.known > 0 && runs.finished == 0) {
        return {FailedSign, tr("no run has finished")};
    }
    if (state == laboratory::StepState::Ready && needsNumber(m_model, step)) {
        return {stateSign(laboratory::StepState::Waiting), tr("needs your number")};
    }
    if (step.is<laboratory::CodeStep>() && state == laboratory::StepState::Open
        && !m_model.state().checksOf(step.id).empty()) {
        return {FailedSign, tr("not right yet")};
    }
    return {stateSign(state), stateText(step, state)};
}

void LaboratoryPage::showSteps()
{
    const QSignalBlocker blocker(m_steps);
    const int scrolled = m_steps->verticalScrollBar()->value();
    const auto& steps = m_model.laboratory().steps;
    for (int row = 0; row < static_cast<int>(steps.size()); ++row) {
        const laboratory::Step& step = steps[static_cast<std::size_t>(row)];
        if (row == m_steps->count()) {
            m_steps->addItem(QString());
        }
        const auto [sign, state] = signAndState(step);
        const QString text = QStringLiteral("%1 %2\n%3").arg(sign, stepTitle(step, row + 1), state);
        QListWidgetItem* item = m_steps->item(row);
        item->setText(text);
        item->setToolTip(tipText(text));
    }
    m_steps->setCurrentRow(m_model.currentIndex());
    m_steps->doItemsLayout(); // else later, with the list scrolled to its top
    m_steps->verticalScrollBar()->setValue(scrolled);
    m_steps->scrollTo(m_steps->currentIndex());
}

void LaboratoryPage::showStep()
{
    const laboratory::Step& step = m_model.current();
    showMessage({});
    m_title->setText(stepHeading(step));
    m_lesson->setLesson(wordingText(step.text), [this](const QString& path) {
        const auto& files = m_model.laboratory().files;
        const auto found = files.find(path.toStdString());
        return found == files.end() ? QByteArray() : found->second;
    });
    if (m_form != nullptr) {
        m_form->hide();
        m_form->deleteLater(); // a button of it may be what led here
    }
    m_form = makeStepForm(m_model, m_pad, m_contents);
    auto* layout = static_cast<QVBoxLayout*>(m_contents->layout());
    constexpr int All = 100; // a long answer takes the room that would be left below
    const bool isTall = (m_form->sizePolicy().verticalPolicy() & QSizePolicy::ExpandFlag) != 0;
    layout->insertWidget(layout->indexOf(m_key), m_form, isTall ? All : 0);
    m_back->setEnabled(m_model.currentIndex() > 0);
    showKey();
    showForward();
    keepTabOrder();
    m_scroll->verticalScrollBar()->setValue(0);
    showSteps();
}

/// A form is newer than the buttons under it: without this the keyboard would come to it after the rest of the window.
void LaboratoryPage::keepTabOrder()
{
    std::vector<QWidget*> fields{m_lesson};
    if (m_form->layout() != nullptr) {
        collectFields(*m_form->layout(), fields);
    }
    fields.insert(fields.end(), {m_back, m_forward});
    for (std::size_t i = 1; i < fields.size(); ++i) {
        setTabOrder(fields[i - 1], fields[i]);
    }
}

void LaboratoryPage::showWork()
{
    showSteps();
    showKey();
    showForward();
    m_form->showWork();
    keepTabOrder();
}

void LaboratoryPage::showKey()
{
    const laboratory::LaboratoryKey* key = m_model.key();
    const QString text = key == nullptr ? QString() : keyText(*key, m_model.current(), m_model.laboratory());
    m_key->setText(text);
    m_key->setVisible(!text.isEmpty());
}

/// The last step, where it is one to read, is marked as read by this button, too.
void LaboratoryPage::showForward()
{
    const bool isLast = m_model.currentIndex() + 1 == static_cast<int>(m_model.laboratory().steps.size());
    const bool isReading = laboratory::isToRead(m_model.current());
    m_forward->setEnabled(!isLast || (isReading && m_model.stateOf(m_model.current()) != laboratory::StepState::Done));
    if (isLast && isReading) {
        labelButton(*m_forward, tr("Mark as read"), tr("Marks this step as read."));
    } else {
        labelButton(*m_forward, tr("Next step"),
            isReading ? tr("Marks this step as read and shows the next one.") : tr("Shows the step after this one."));
    }
}

void LaboratoryPage::goForward()
{
    if (!laboratory::isToRead(m_model.current()) || m_model.setDone()) {
        m_model.setCurrent(m_model.currentIndex() + 1);
    }
}

void LaboratoryPage::retranslate()
{
    describe(*m_steps, tr("Steps"), tr("The steps of the laboratory, with what is done."));
    m_steps->setToolTip({});
    labelButton(*m_students, tr("Names and numbers…"), tr("Who works on this laboratory: one to four students."));
    labelButton(*m_handIn, tr("Hand in…"), tr("Shows what is missing, and writes the file to hand in."));
    labelButton(*m_close, tr("Close"), tr("Goes back to the experiments. Everything is saved."));
    labelButton(*m_back, tr("Previous step"), tr("Shows the step before this one."));
    m_lesson->setAccessibleName(tr("Text of the step"));
    m_lesson->setAccessibleDescription(tr("What this step is about."));
    showStep();
}

} // namespace lockstep::ui
