#include "ui/pages/laboratory/prediction_form.h"

#include "ui/models/form/error_text.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/laboratory/step_text.h"
#include "ui/models/shown_text.h"
#include "ui/pages/laboratory/curve_pad.h"
#include "ui/pages/laboratory/order_list.h"
#include "ui/pages/laboratory/sealed_box.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace lockstep::ui {

using laboratory::Direction;

namespace {

constexpr int ReasonLines = 3;
constexpr std::array Directions{Direction::Lower, Direction::Same, Direction::Higher};

/// As it is typed: with a comma or a point. Nothing where it is no number.
std::optional<double> typedNumber(const QString& text)
{
    bool isOk = false;
    const double number = QString(text).trimmed().replace(u',', u'.').toDouble(&isOk);
    return isOk ? std::optional(number) : std::nullopt;
}

std::vector<QPointF> pointsOf(const std::vector<laboratory::CurvePoint>& curve)
{
    std::vector<QPointF> points;
    for (const laboratory::CurvePoint& point : curve) {
        points.emplace_back(point.x, point.y);
    }
    return points;
}

} // namespace

PredictionForm::PredictionForm(LaboratoryModel& theModel, CurvePad& pad, QWidget* parent)
    : StepForm(theModel, parent)
    , m_prediction(*step().as<laboratory::PredictionStep>())
    , m_experiment(model().laboratory().experiment(m_prediction.of.step))
    , m_pad(pad)
    , m_question(plainLabel(this))
    , m_reasonLabel(plainLabel(this))
    , m_reason(new QPlainTextEdit(this))
    , m_wrong(plainLabel(this))
    , m_seal(new QPushButton(this))
    , m_sealed(new SealedBox(model(), this))
    , m_outcome(plainLabel(this))
{
    for (QLabel* label : {m_question, m_wrong, m_outcome}) {
        label->setWordWrap(true);
    }
    m_outcome->setObjectName(QStringLiteral("outcome"));
    m_wrong->hide();
    m_reason->setObjectName(QStringLiteral("reason"));
    m_reason->setTabChangesFocus(true);
    m_reason->setFixedHeight(ReasonLines * fontMetrics().lineSpacing() + 12);
    m_reasonLabel->setBuddy(m_reason);
    m_seal->setObjectName(QStringLiteral("seal_prediction"));
    auto* layout = new QVBoxLayout(this);
    addAll(*layout, {}, 8, {m_question});
    if (m_prediction.form == laboratory::PredictionForm::Direction) {
        makeDirection(*layout);
    } else if (m_prediction.form == laboratory::PredictionForm::Number) {
        makeNumber(*layout);
    } else if (m_prediction.form == laboratory::PredictionForm::Order) {
        m_order = new OrderList(this);
        layout->addWidget(m_order);
        connect(m_order, &OrderList::moved, this, &PredictionForm::keep);
    } else {
        m_pad.setAxes(curveAxes(m_prediction, *m_experiment));
        m_pad.setCurve({});
        m_pad.setMeasured({});
        connect(&m_pad, &CurvePad::drawn, this, &PredictionForm::keep);
    }
    auto* row = new QHBoxLayout;
    addAll(*row, {m_seal, FreeRoom});
    addAll(*layout, {m_reasonLabel, m_reason, m_wrong, row, m_sealed, m_outcome});
    connect(m_reason, &QPlainTextEdit::textChanged, this, &PredictionForm::keep);
    connect(m_seal, &QPushButton::clicked, this, &PredictionForm::seal);
    retranslate();
}

void PredictionForm::makeDirection(QVBoxLayout& layout)
{
    m_directions = new QButtonGroup(this);
    for (const Direction direction : Directions) {
        auto* button = new QRadioButton(this);
        button->setObjectName(QString::fromUtf8(laboratory::nameOf(direction)));
        m_directions->addButton(button, static_cast<int>(direction));
        layout.addWidget(button);
    }
    connect(m_directions, &QButtonGroup::idClicked, this, &PredictionForm::keep);
}

void PredictionForm::makeNumber(QVBoxLayout& layout)
{
    auto* grid = new QGridLayout;
    constexpr std::array Names{"low", "best", "high"};
    for (std::size_t i = 0; i < Names.size(); ++i) {
        m_numberLabels[i] = plainLabel(this);
        m_numbers[i] = new QLineEdit(this);
        m_numbers[i]->setObjectName(QLatin1String(Names[i]));
        m_numbers[i]->setAlignment(Qt::AlignRight);
        m_numberLabels[i]->setBuddy(m_numbers[i]);
        const int column = static_cast<int>(i);
        grid->addWidget(m_numberLabels[i], 0, column);
        grid->addWidget(m_numbers[i], 1, column);
        connect(m_numbers[i], &QLineEdit::textEdited, this, &PredictionForm::keep);
        connect(m_numbers[i], &QLineEdit::returnPressed, this, &PredictionForm::seal);
    }
    m_unit = plainLabel(unitOf(m_prediction.of), this);
    grid->addWidget(m_unit, 1, static_cast<int>(Names.size()));
    layout.addLayout(grid);
}

void PredictionForm::showWork()
{
    const auto* sealed = model().state().sealOf(step().id);
    const bool isSealed = sealed != nullptr;
    if (isSealed) {
        showSealed(*sealed);
    }
    m_sealed->setVisible(isSealed);
    m_outcome->setVisible(isSealed);
    m_seal->setVisible(!isSealed);
    m_reason->setReadOnly(isSealed);
    m_reason->setVisible(!isSealed || !m_reason->toPlainText().isEmpty());
    m_reasonLabel->setVisible(m_reason->isVisibleTo(this));
    m_pad.setReadOnly(isSealed);
    for (QLineEdit* field : m_numbers) {
        if (field != nullptr) {
            field->setReadOnly(isSealed);
        }
    }
    if (m_order != nullptr) {
        m_order->setReadOnly(isSealed);
    }
    if (m_directions != nullptr) {
        for (QAbstractButton* button : m_directions->buttons()) {
            button->setEnabled(!isSealed || button == m_directions->checkedButton());
        }
    }
}

void PredictionForm::showSealed(const laboratory::SealedPrediction& sealed)
{
    m_wrong->hide();
    put(sealed.prediction.value);
    const QSignalBlocker blocker(m_reason);
    m_reason->setPlainText(shownText(sealed.prediction.reason));
    m_sealed->showSeal(sealed.at, sealed.code, sealed.comments);
    showOutcome(sealed);
}

void PredictionForm::showOutcome(const laboratory::SealedPrediction& sealed)
{
    const laboratory::Step* experiment = experimentOf(model(), step());
    const auto outcome = laboratory::outcomeOf(sealed.prediction, step(), model().recordsOf(*experiment));
    m_pad.setMeasured(pointsOf(outcome.curve));
    if (outcome.judgement == laboratory::Judgement::NotMeasured) {
        m_outcome->setText(tr("The result stands here once its experiment has run."));
        return;
    }
    const QString ranges
        = m_prediction.form == laboratory::PredictionForm::Number ? u'\n' + rangesText(model()) : QString();
    m_outcome->setText(judgementSentence(outcome.judgement, outcome.sentence) + ranges);
}

void PredictionForm::put(const laboratory::PredictionValue& value)
{
    if (const auto* direction = std::get_if<laboratory::DirectionPrediction>(&value); direction && m_directions) {
        m_directions->button(static_cast<int>(direction->direction))->setChecked(true);
    } else if (const auto* order = std::get_if<laboratory::OrderPrediction>(&value); order && m_order) {
        std::vector<std::pair<QString, QString>> entries;
        for (const std::string& variant : order->variants) {
            entries.emplace_back(QString::fromStdString(variant), variantTitleOf(*m_experiment, variant));
        }
        m_order->setEntries(entries);
    } else if (const auto* number = std::get_if<laboratory::NumberPrediction>(&value); number && m_unit) {
        const std::array values{number->low, number->best, number->high};
        for (std::size_t i = 0; i < values.size(); ++i) {
            m_numbers[i]->setText(QString::number(values[i], 'g', QLocale::FloatingPointShortest));
        }
    } else if (const auto* curve = std::get_if<laboratory::CurvePrediction>(&value)) {
        m_pad.setCurve(pointsOf(curve->points));
    }
}

void PredictionForm::keep()
{
    if (model().state().sealOf(step().id) != nullptr) {
        return;
    }
    laboratory::PredictionDraft draft;
    draft.reason = m_reason->toPlainText().toStdString();
    if (m_unit != nullptr) {
        draft.low = m_numbers[0]->text().toStdString();
        draft.best = m_numbers[1]->text().toStdString();
        draft.high = m_numbers[2]->text().toStdString();
    } else {
        draft.value = value();
    }
    model().keepDraft(draft);
    m_wrong->hide();
}

std::optional<laboratory::PredictionValue> PredictionForm::numberValue() const
{
    const auto low = typedNumber(m_numbers[0]->text());
    const auto best = typedNumber(m_numbers[1]->text());
    const auto high = typedNumber(m_numbers[2]->text());
    return low && best && high ? std::optional<laboratory::PredictionValue>(
               laboratory::NumberPrediction{.best = *best, .low = *low, .high = *high})
                               : std::nullopt;
}

std::optional<laboratory::PredictionValue> PredictionForm::value() const
{
    if (m_directions != nullptr) {
        return m_directions->checkedId() < 0
            ? std::nullopt
            : std::optional<laboratory::PredictionValue>(
                laboratory::DirectionPrediction{static_cast<Direction>(m_directions->checkedId())});
    }
    if (m_order != nullptr) {
        laboratory::OrderPrediction order;
        for (const QString& key : m_order->keys()) {
            order.variants.push_back(key.toStdString());
        }
        return order;
    }
    if (m_unit != nullptr) {
        return numberValue();
    }
    laboratory::CurvePrediction curve;
    for (const QPointF& point : m_pad.curve()) {
        curve.points.push_back({point.x(), point.y()});
    }
    return curve.points.size() < 2 ? std::nullopt : std::optional<laboratory::PredictionValue>(curve);
}

void PredictionForm::seal()
{
    if (model().state().sealOf(step().id) != nullptr) {
        return;
    }
    const auto wanted = value();
    const auto say = [this](const QString& text) {
        m_wrong->setText(text);
        m_wrong->show();
    };
    if (!wanted) {
        say(m_directions != nullptr ? tr("Choose one of the three.")
                : m_unit != nullptr ? tr("Give three numbers: the least, the best guess and the greatest.")
                                    : tr("Draw the curve first."));
        return;
    }
    const laboratory::Prediction prediction{*wanted, m_reason->toPlainText().trimmed().toStdString()};
    if (const auto checked = laboratory::checkPrediction(prediction, step(), m_experiment->spec); !checked) {
        say(errorText(checked.error()));
        return;
    }
    model().seal(prediction);
}

void PredictionForm::retranslate()
{
    m_question->setText(predictionQuestion(m_prediction, *m_experiment));
    const std::array numbers{tr("Least"), tr("Best guess"), tr("Greatest")};
    const std::array helps{tr("The lower end of your range."), tr("The value that you think most likely."),
        tr("The upper end of your range.")};
    for (std::size_t i = 0; m_unit != nullptr && i < numbers.size(); ++i) {
        m_numberLabels[i]->setText(numbers[i]);
        describe(*m_numbers[i], numbers[i], helps[i]);
    }
    if (m_unit != nullptr) {
        m_unit->setText(unitOf(m_prediction.of));
    }
    const auto own = [](const laboratory::Wording& wording, const QString& usual) {
        const QString text = wordingText(wording);
        return text.isEmpty() ? usual : text.left(1).toUpper() + text.mid(1);
    };
    const std::array directions{
        own(m_prediction.lower, tr("Lower")), tr("The same"), own(m_prediction.higher, tr("Higher"))};
    for (std::size_t i = 0; m_directions != nullptr && i < directions.size(); ++i) {
        labelButton(*m_directions->button(static_cast<int>(Directions[i])), directions[i],
            tr("Your prediction, before the experiment has run."));
    }
    m_reasonLabel->setText(tr("Why?"));
    describe(*m_reason, tr("Reason"), tr("Your reason in your own words; may be empty."));
    labelButton(*m_seal, tr("Seal"), tr("Keeps the prediction as it is: it cannot be changed afterwards."));
    const laboratory::PredictionDraft draft = model().state().draftOf(step().id);
    if (model().state().sealOf(step().id) == nullptr) {
        const QSignalBlocker blocker(m_reason);
        m_reason->setPlainText(QString::fromStdString(draft.reason));
        if (m_unit != nullptr) {
            m_numbers[0]->setText(QString::fromStdString(draft.low));
            m_numbers[1]->setText(QString::fromStdString(draft.best));
            m_numbers[2]->setText(QString::fromStdString(draft.high));
        } else if (draft.value) {
            put(*draft.value);
        } else if (m_order != nullptr) {
            laboratory::OrderPrediction first{m_prediction.of.variants};
            for (const auto& [name, title] : variantTitles(*m_experiment)) {
                if (m_prediction.of.variants.empty()) {
                    first.variants.push_back(name);
                }
            }
            put(first);
        }
    }
    showWork();
}

} // namespace lockstep::ui
