#include "ui/forms/vary_dialog.h"

#include "base/translate.h"
#include "base/typed.h"
#include "experiment/parameter.h"
#include "ui/models/form/error_text.h"
#include "ui/models/form/form_model.h"
#include "ui/models/shown_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/box.h"
#include "ui/widgets/plain_label.h"

#include <QComboBox>
#include <QCompleter>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRadioButton>
#include <QSpinBox>

#include <algorithm>
#include <limits>

namespace lockstep::ui {

using experiment::Parameter;
using experiment::Type;
using experiment::Value;

namespace {

QString nameOf(const Parameter& parameter)
{
    return QString::fromUtf8(parameter.name);
}

bool isNumber(const Parameter& parameter)
{
    return parameter.type == Type::Integer || parameter.type == Type::Real;
}

bool isList(const Parameter& parameter)
{
    return parameter.type == Type::IntegerList || parameter.type == Type::RealList;
}

/// Its names, or off and on.
std::vector<QString> choicesOf(const Parameter& parameter)
{
    if (parameter.type == Type::Boolean) {
        return {QStringLiteral("false"), QStringLiteral("true")};
    }
    std::vector<QString> names;
    for (const experiment::Choice& choice : parameter.choices) {
        names.push_back(QString::fromUtf8(choice.name));
    }
    return names;
}

bool appliesSomewhere(const FormModel& model, const Parameter& parameter)
{
    const auto drafts = model.drafts();
    return std::any_of(drafts.begin(), drafts.end(),
        [&](const experiment::RunSpec& run) { return experiment::applies(parameter, run.settings); });
}

/// Which of the values is wrong, and what is allowed.
QString valuesInWords(const Parameter& parameter, const std::string& text, const QString& allowed)
{
    for (const std::string_view part : splitTyped(text, isList(parameter) ? ';' : ',')) {
        if (!part.empty() && !experiment::parseValue(parameter, part)) {
            return VaryDialog::tr("“%1” is not allowed: each value must be %2.")
                .arg(shownName(std::string(part)), allowed);
        }
    }
    return VaryDialog::tr("Each value must be %1, and different from the others.").arg(allowed);
}

/// NaN where it is none, which a range refuses.
double numberIn(const QLineEdit& edit)
{
    bool isRead = false;
    const double number = QString::fromStdString(withAsciiTwins(edit.text().toStdString())).toDouble(&isRead);
    return isRead ? number : std::numeric_limits<double>::quiet_NaN();
}

} // namespace

VaryDialog::VaryDialog(FormModel& model, Cost cost, QWidget* parent)
    : VariantsDialog(model, std::move(cost), parent)
    , m_parameter(new QComboBox(this))
    , m_way(new QComboBox(this))
    , m_values(new QLineEdit(this))
    , m_choices(new QListWidget(this))
    , m_range(new QWidget(this))
    , m_from(new QLineEdit(m_range))
    , m_to(new QLineEdit(m_range))
    , m_count(new QSpinBox(m_range))
    , m_every(new QRadioButton(tr("Every variant with every value"), this))
    , m_each(new QRadioButton(tr("One value for each variant"), this))
{
    setWindowTitle(tr("Vary a parameter"));
    makeFields();
    listParameters();
    rows().addRow(tr("Parameter"), m_parameter);
    rows().addRow(tr("Values"), m_way);
    rows().addRow(QString(), m_values);
    rows().addRow(QString(), m_range);
    rows().addRow(QString(), m_choices);
    rows().addRow(QString(), m_every);
    rows().addRow(QString(), m_each);
    m_every->setChecked(true);
    m_every->setVisible(!model.variants().empty());
    m_each->setVisible(!model.variants().empty());
    connect(m_parameter, &QComboBox::editTextChanged, this, [this](const QString& text) {
        if (text.contains(u'=') || text.contains(u'＝')) {
            takeAssignment(text);
        } else if (chosen() != m_shown) {
            showParameter();
        }
    });
    connect(m_way, &QComboBox::currentIndexChanged, this, &VaryDialog::showWay);
    for (QLineEdit* edit : {m_values, m_from, m_to}) {
        connect(edit, &QLineEdit::textChanged, this, &VaryDialog::refresh);
    }
    connect(m_count, &QSpinBox::valueChanged, this, &VaryDialog::refresh);
    connect(m_choices, &QListWidget::itemChanged, this, &VaryDialog::refresh);
    connect(m_every, &QRadioButton::toggled, this, &VaryDialog::refresh);
    showParameter();
    m_parameter->setFocus(Qt::OtherFocusReason);
    m_parameter->lineEdit()->selectAll();
}

/// `train.batch=16,32`, as on the command line: what follows the = is typed into the values.
void VaryDialog::takeAssignment(const QString& text)
{
    const qsizetype end = QString(text).replace(u'＝', u'=').indexOf(u'=');
    m_parameter->setEditText(text.left(end).trimmed());
    // The field opens its list once it has taken the key; the list would get the keys that follow.
    const auto typeValues = [this, values = text.mid(end + 1)] {
        m_parameter->completer()->popup()->hide();
        if (m_values->isVisible()) {
            m_values->setText(values);
            m_values->setFocus(Qt::OtherFocusReason);
        }
    };
    QMetaObject::invokeMethod(this, typeValues, Qt::QueuedConnection);
}

void VaryDialog::makeFields()
{
    m_parameter->setObjectName(QStringLiteral("vary_parameter"));
    m_parameter->setEditable(true);
    m_parameter->setInsertPolicy(QComboBox::NoInsert);
    m_parameter->completer()->setFilterMode(Qt::MatchContains);
    m_parameter->completer()->setCompletionMode(QCompleter::PopupCompletion);
    describe(*m_parameter, tr("Parameter"),
        tr("Type a part of its name, or choose it from the list. Values can follow after name=."));
    m_way->setObjectName(QStringLiteral("vary_way"));
    m_way->addItems({tr("List"), tr("Range"), tr("Logarithmic range")});
    describe(*m_way, tr("Values"), tr("A list of values, or numbers with equal spacing or equal ratios."));
    m_values->setObjectName(QStringLiteral("vary_values"));
    m_choices->setObjectName(QStringLiteral("vary_choices"));
    m_choices->setMaximumHeight(132);
    describe(*m_choices, tr("Values"), tr("Tick the values that variants take."));
    m_from->setObjectName(QStringLiteral("vary_from"));
    m_to->setObjectName(QStringLiteral("vary_to"));
    m_count->setObjectName(QStringLiteral("vary_count"));
    m_count->setRange(2, 100);
    m_count->setValue(3);
    describe(*m_from, tr("From"), tr("The first value."));
    describe(*m_to, tr("To"), tr("The last value."));
    describe(*m_count, tr("Number of values"), tr("Number of values, including the first and the last."));
    m_every->setObjectName(QStringLiteral("vary_every"));
    m_each->setObjectName(QStringLiteral("vary_each"));
    describe(
        *m_every, m_every->text(), tr("Makes a variant for every combination of an existing variant and a value."));
    describe(*m_each, m_each->text(), tr("Assigns the values to the variants in order."));
    auto* line = new QHBoxLayout(m_range);
    line->setContentsMargins(0, 0, 0, 0);
    addAll(*line,
        {{m_from, 1}, plainLabel(tr("to"), m_range), {m_to, 1}, plainLabel(tr("in"), m_range), m_count,
            plainLabel(tr("values"), m_range)});
}

/// First what applies as the form is now, then the rest: a parameter can start to apply with another choice.
void VaryDialog::listParameters()
{
    for (const bool applies : {true, false}) {
        for (const FormRow& row : model().rows()) {
            const Parameter& parameter = *row.parameter;
            if (appliesSomewhere(model(), parameter) == applies) {
                m_listed.push_back(&parameter);
                m_parameter->addItem(QStringLiteral("%1  (%2)").arg(translatedLabel(parameter), nameOf(parameter)));
                m_parameter->setItemData(m_parameter->count() - 1, tipText(translatedHelp(parameter)), Qt::ToolTipRole);
            }
        }
    }
    const auto rate = std::find_if(m_listed.begin(), m_listed.end(),
        [](const Parameter* parameter) { return parameter->fills == &experiment::TrainSettings::batch; });
    m_parameter->setCurrentIndex(static_cast<int>(rate == m_listed.end() ? 0 : rate - m_listed.begin()));
}

void VaryDialog::choose(const Parameter& parameter)
{
    const auto found = std::find(m_listed.begin(), m_listed.end(), &parameter);
    if (found != m_listed.end()) {
        m_parameter->setCurrentIndex(static_cast<int>(found - m_listed.begin()));
    }
}

/// By the text, so that a name that was typed counts without a choice from the list.
const Parameter* VaryDialog::chosen() const
{
    const QString text = m_parameter->currentText().trimmed();
    const int place = m_parameter->findText(text);
    if (place >= 0) {
        return m_listed[static_cast<std::size_t>(place)];
    }
    const auto named = std::find_if(m_listed.begin(), m_listed.end(), [&](const Parameter* parameter) {
        return nameOf(*parameter) == text || translatedLabel(*parameter).compare(text, Qt::CaseInsensitive) == 0;
    });
    return named == m_listed.end() ? nullptr : *named;
}

VaryDialog::Way VaryDialog::way() const
{
    return static_cast<Way>(std::max(0, m_way->currentIndex()));
}

void VaryDialog::showParameter()
{
    const Parameter* parameter = chosen();
    m_shown = parameter;
    if (parameter == nullptr) {
        refresh();
        return;
    }
    const std::vector<QString> choices = choicesOf(*parameter);
    rows().setRowVisible(m_way, isNumber(*parameter));
    m_choices->blockSignals(true);
    m_choices->clear();
    const FormRow* shared = model().row(parameter->name);
    QStringList present;
    for (const VariantRow& row : model().variants()) {
        const auto cell = row.cells.find(std::string(parameter->name));
        if (cell != row.cells.end() && !present.contains(cell->second.text)) {
            present += cell->second.text;
        }
    }
    if (present.isEmpty() && shared != nullptr) {
        present += shared->text;
    }
    for (const QString& name : choices) {
        const QString label = parameter->type == Type::Boolean ? (name == QLatin1String("true") ? tr("on") : tr("off"))
                                                               : translatedValue(*parameter, name);
        auto* item = new QListWidgetItem(label, m_choices);
        item->setData(Qt::UserRole, name);
        const bool isTicked = parameter->type == Type::Boolean || present.contains(name);
        item->setCheckState(isTicked ? Qt::Checked : Qt::Unchecked);
    }
    m_choices->blockSignals(false);
    m_values->setText(present.join(isList(*parameter) ? QStringLiteral("; ") : QStringLiteral(", ")));
    describe(*m_values, tr("Values"),
        isList(*parameter) ? tr("Lists separated by semicolons, for example 0; 1,2") : tr("Separated by commas"));
    m_from->setText(present.value(0));
    m_to->clear();
    showWay();
}

void VaryDialog::showWay()
{
    const Parameter* parameter = chosen();
    const bool isChoice = parameter != nullptr && !choicesOf(*parameter).empty();
    const bool isRange = parameter != nullptr && isNumber(*parameter) && way() != Way::List;
    rows().setRowVisible(m_choices, isChoice);
    rows().setRowVisible(m_range, isRange);
    rows().setRowVisible(m_values, !isChoice && !isRange);
    refresh();
}

Result<std::vector<Value>> VaryDialog::values() const
{
    const Parameter& parameter = *chosen();
    if (!choicesOf(parameter).empty()) {
        std::vector<Value> values;
        for (int i = 0; i < m_choices->count(); ++i) {
            const QListWidgetItem& item = *m_choices->item(i);
            if (item.checkState() != Qt::Checked) {
                continue;
            }
            LOCKSTEP_TRY_ASSIGN(
                auto value, experiment::parseValue(parameter, item.data(Qt::UserRole).toString().toStdString()));
            values.push_back(std::move(value));
        }
        return values.empty()
            ? Result<std::vector<Value>>(refusal("variants", LS_TR("Refusals", "choose the values that variants take")))
            : values;
    }
    if (isNumber(parameter) && way() != Way::List) {
        return experiment::valuesInRange(parameter, numberIn(*m_from), numberIn(*m_to), m_count->value(),
            way() == Way::Range ? experiment::Spacing::Linear : experiment::Spacing::Logarithmic);
    }
    return experiment::parseValues(parameter, m_values->text().toStdString());
}

Result<Variants> VaryDialog::made() const
{
    const Parameter* parameter = chosen();
    if (parameter == nullptr) {
        return refusal("variants", LS_TR("Refusals", "there is no such parameter; choose one from the list"));
    }
    LOCKSTEP_TRY_ASSIGN(auto taken, values());
    return withColumn(model().variants(), model().spec(), {parameter, std::move(taken)},
        m_every->isChecked() ? Fill::EveryCombination : Fill::OneEach);
}

QString VaryDialog::inWords(const Error& error) const
{
    const Parameter* parameter = chosen();
    if (parameter == nullptr) {
        return errorText(error);
    }
    const bool areValuesWrong = !values();
    if (areValuesWrong ? error.subject != parameter->name : !experiment::isWithoutEffect(error)) {
        return errorText(error);
    }
    const QString allowed = allowedInWords(*parameter);
    if (areValuesWrong) {
        const bool isRange = isNumber(*parameter) && way() != Way::List;
        return !isRange ? valuesInWords(*parameter, m_values->text().toStdString(), allowed)
            : way() == Way::Range
            ? tr("A range needs two different numbers. Each value must be %1.").arg(allowed)
            : tr("A logarithmic range needs two different numbers above 0. Each value must be %1.").arg(allowed);
    }
    QStringList conditions;
    for (const experiment::Condition& condition : parameter->appliesWhen) {
        const Parameter* other = experiment::findParameter(condition.parameter);
        QStringList values;
        for (const std::string_view value : condition.values) {
            values += translatedValue(*other, QString::fromUtf8(value));
        }
        conditions += tr("“%1” is %2").arg(translatedLabel(*other), values.join(tr(" or ")));
    }
    return conditions.isEmpty() ? tr("%1 has no effect in these variants.").arg(translatedLabel(*parameter))
                                : tr("%1 has no effect in these variants. It applies where %2.")
                                      .arg(translatedLabel(*parameter), conditions.join(tr(" and ")));
}

QString VaryDialog::title() const
{
    const Parameter* parameter = chosen();
    return parameter == nullptr ? QString() : tr("Vary %1").arg(translatedLabel(*parameter));
}

} // namespace lockstep::ui
