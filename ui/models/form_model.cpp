#include "ui/models/form_model.h"
#include "plan/check.h"
#include "session/launch/rank_program.h"
#include "ui/models/error_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <set>

namespace lockstep::ui {

using experiment::Assignment;
using experiment::Parameter;
using experiment::Type;
using experiment::Variant;

namespace {

QString fromText(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString valueText(const experiment::Value& value)
{
    return QString::fromStdString(experiment::toText(value));
}

Result<experiment::Value> parsed(const Parameter& parameter, const QString& text)
{
    return experiment::parseValue(parameter, text.trimmed().toStdString());
}

QString fieldError(const Parameter& parameter)
{
    return FormModel::tr("This must be %1.").arg(allowedInWords(parameter));
}

} // namespace

FormModel::FormModel(QObject* parent)
    : QObject(parent)
{ }

void FormModel::setSpec(const experiment::Spec& spec)
{
    m_preset = spec;
    m_repeats = spec.repeats;
    m_rows.clear();
    for (const Parameter& parameter : experiment::parameters()) {
        const auto own = spec.base.find(std::string(parameter.name));
        const QString text = valueText(own == spec.base.end() ? parameter.standard : own->second);
        m_rows.push_back({&parameter, text, text, false, {}, false});
    }
    for (const auto& [name, value] : spec.base) {
        if (experiment::isOwnParameter(name)) {
            m_rows.push_back({experiment::findParameter(name), valueText(value), valueText(value), false, {}, false});
        }
    }
    m_variants.clear();
    std::set<std::string> varied;
    for (const Variant& variant : spec.variants) {
        VariantRow row{QString::fromStdString(variant.name), QString::fromStdString(variant.group), true, {}};
        for (const auto& [name, value] : variant.values) {
            row.cells[name] = {valueText(value), valueText(value), {}};
            varied.insert(name);
        }
        m_variants.push_back(std::move(row));
    }
    m_variedNumbers.clear();
    for (const Parameter& parameter : experiment::parameters()) {
        const bool isNumber = parameter.type == Type::Integer || parameter.type == Type::Real;
        if (isNumber && varied.contains(std::string(parameter.name))) {
            m_variedNumbers.push_back(&parameter);
        }
    }
    update();
    Q_EMIT specReplaced();
    Q_EMIT changed();
}

const FormRow* FormModel::row(std::string_view name) const
{
    const auto found
        = std::find_if(m_rows.begin(), m_rows.end(), [&](const FormRow& r) { return r.parameter->name == name; });
    return found == m_rows.end() ? nullptr : &*found;
}

bool FormModel::isModified() const
{
    const bool rows = std::any_of(m_rows.begin(), m_rows.end(), [](const FormRow& r) { return r.isModified(); });
    const bool variants = std::any_of(m_variants.begin(), m_variants.end(), [](const VariantRow& variant) {
        return !variant.isEnabled || std::any_of(variant.cells.begin(), variant.cells.end(), [](const auto& cell) {
            return cell.second.text != cell.second.standard;
        });
    });
    return rows || variants || m_repeats != m_preset.repeats;
}

void FormModel::setText(std::string_view name, const QString& text)
{
    for (FormRow& row : m_rows) {
        if (row.parameter->name == name && row.text != text) {
            row.text = text;
            update();
            Q_EMIT changed();
            return;
        }
    }
}

void FormModel::setTextOf(const std::string& variant, std::string_view name, const QString& text)
{
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
        if (m_variants[i].name.toStdString() == variant && m_variants[i].cells.contains(std::string(name))) {
            setVariantText(i, std::string(name), text);
            return;
        }
    }
    setText(name, text);
}

std::vector<experiment::RunSpec> FormModel::drafts() const
{
    std::vector<experiment::RunSpec> drafts;
    for (const Variant& variant : m_spec.variants) {
        drafts.push_back({m_spec.experiment, variant.name, 0, experiment::withDefaults(m_spec.base, variant.values)});
    }
    if (drafts.empty()) {
        drafts.push_back({m_spec.experiment, m_spec.experiment, 0, experiment::withDefaults(m_spec.base, {})});
    }
    return drafts;
}

void FormModel::reset(std::string_view name)
{
    if (const FormRow* found = row(name)) {
        setText(name, found->standard);
    }
}

void FormModel::resetAll()
{
    setSpec(experiment::Spec(m_preset));
}

void FormModel::setVariantEnabled(std::size_t variant, bool isEnabled)
{
    if (variant < m_variants.size() && m_variants[variant].isEnabled != isEnabled) {
        m_variants[variant].isEnabled = isEnabled;
        update();
        Q_EMIT changed();
    }
}

void FormModel::setVariantText(std::size_t variant, const std::string& name, const QString& text)
{
    if (variant >= m_variants.size()) {
        return;
    }
    const auto cell = m_variants[variant].cells.find(name);
    if (cell != m_variants[variant].cells.end() && cell->second.text != text) {
        cell->second.text = text;
        update();
        Q_EMIT changed();
    }
}

void FormModel::setRepeats(int repeats)
{
    if (repeats != m_repeats) {
        m_repeats = repeats;
        update();
        Q_EMIT changed();
    }
}

void FormModel::declare(const std::vector<session::OwnParameter>& parameters)
{
    for (const session::OwnParameter& each : parameters) {
        if (row(each.name) == nullptr) {
            const QString text = valueText(each.standard);
            m_rows.push_back({experiment::findParameter(each.name), text, text, false, {}, false});
        }
    }
    update();
    Q_EMIT changed();
}

void FormModel::setMissing(const QString& missing)
{
    if (missing != m_missing) {
        m_missing = missing;
        update();
        Q_EMIT changed();
    }
}

void FormModel::retranslate()
{
    update();
    Q_EMIT changed();
}

void FormModel::update()
{
    m_problem.clear();
    m_runs.clear();
    m_spec = m_preset;
    m_spec.repeats = m_repeats;
    m_spec.variants.clear();
    readVariants(m_spec.variants);
    readRows(m_spec.base, m_spec.variants);
    if (!m_variants.empty() && m_spec.variants.empty()) {
        m_problem = tr("No variant is selected: tick at least one.");
    }
    if (m_problem.isEmpty()) {
        expandRuns();
    }
    if (m_problem.isEmpty() && !m_missing.isEmpty()) {
        m_problem = m_missing;
        m_runs.clear();
    }
}

/// A cell that cannot be read keeps its standard in the spec, so that the other fields can still be judged.
void FormModel::readVariants(std::vector<Variant>& enabled)
{
    for (VariantRow& row : m_variants) {
        Variant variant{row.name.toStdString(), {}, row.group.toStdString()};
        for (auto& [name, cell] : row.cells) {
            cell.error.clear();
            const Parameter* parameter = experiment::findParameter(name);
            if (parameter == nullptr) {
                continue;
            }
            auto value = parsed(*parameter, cell.text);
            if (!value) {
                cell.error = fieldError(*parameter);
                value = parsed(*parameter, cell.standard);
                if (row.isEnabled && m_problem.isEmpty()) {
                    m_problem = tr("%1: %2 must be %3.")
                                    .arg(row.name, translatedLabel(*parameter), allowedInWords(*parameter));
                }
            }
            if (value) {
                variant.values[name] = *value;
            }
        }
        if (row.isEnabled) {
            enabled.push_back(std::move(variant));
        }
    }
}

void FormModel::readRows(Assignment& base, const std::vector<Variant>& enabled)
{
    for (FormRow& row : m_rows) {
        row.error.clear();
        const std::string name(row.parameter->name);
        const auto value = parsed(*row.parameter, row.text);
        if (!value) {
            row.error = fieldError(*row.parameter);
        } else if (row.isModified()) {
            base[name] = *value;
        }
    }
    std::vector<Assignment> settings;
    for (const Variant& variant : enabled) {
        settings.push_back(experiment::withDefaults(base, variant.values));
    }
    if (settings.empty()) {
        settings.push_back(experiment::withDefaults(base, {}));
    }
    for (FormRow& row : m_rows) {
        row.isShown = false;
        row.isFile = false;
        for (std::size_t i = 0; i < settings.size(); ++i) {
            const bool isOwn = i < enabled.size() && enabled[i].values.contains(std::string(row.parameter->name));
            row.isShown = row.isShown || (!isOwn && experiment::applies(*row.parameter, settings[i]));
            row.isFile = row.isFile || experiment::namesFile(*row.parameter, settings[i]);
        }
        // The user cannot correct hidden fields, so they do not disable Run either.
        if (!row.isShown) {
            row.error.clear();
        } else if (!row.error.isEmpty() && m_problem.isEmpty()) {
            m_problem = tr("%1 must be %2.").arg(translatedLabel(*row.parameter), allowedInWords(*row.parameter));
        }
    }
}

void FormModel::expandRuns()
{
    auto runs = experiment::expand(m_spec);
    auto possible = runs ? plan::checkAll(*runs) : Result<void>(runs.error());
    if (possible) {
        possible = session::checkRankPrograms(*runs);
    }
    if (possible) {
        m_runs = std::move(runs).value();
        // What was changed in the form and does not apply to a run is said in its log.
        std::vector<std::string> changed;
        for (const FormRow& row : m_rows) {
            if (row.isModified()) {
                changed.emplace_back(row.parameter->name);
            }
        }
        experiment::addNotes(m_runs, experiment::settingsWithoutEffect(m_spec, changed));
        return;
    }
    placeError(possible.error());
}

/// An error of train.batch goes to the field of train.batch.
void FormModel::placeError(const Error& error)
{
    m_problem = titledErrorText(error);
    const std::string name = subjectOf(error);
    for (FormRow& row : m_rows) {
        if (row.parameter->name == name) {
            row.error = errorText(error);
        }
    }
}

QString translatedLabel(const Parameter& parameter)
{
    return QCoreApplication::translate("Parameters", std::string(parameter.label).c_str());
}

QString translatedHelp(const Parameter& parameter)
{
    return QCoreApplication::translate("Parameters", std::string(parameter.help).c_str());
}

QString translatedGroup(const Parameter& parameter)
{
    return QCoreApplication::translate("Parameters", std::string(parameter.group).c_str());
}

namespace {

QString limitText(double limit)
{
    return valueText(experiment::Value(limit));
}

QString rangeInWords(const experiment::Range& range)
{
    const bool hasMinimum = std::isfinite(range.minimum);
    const bool hasMaximum = std::isfinite(range.maximum);
    const QString low = limitText(range.minimum);
    const QString high = limitText(range.maximum);
    if (hasMinimum && hasMaximum) {
        if (range.openMinimum) {
            return range.openMaximum ? FormModel::tr("above %1 and below %2").arg(low, high)
                                     : FormModel::tr("above %1 and at most %2").arg(low, high);
        }
        return range.openMaximum ? FormModel::tr("at least %1 and below %2").arg(low, high)
                                 : FormModel::tr("%1 to %2").arg(low, high);
    }
    if (hasMinimum) {
        return range.openMinimum ? FormModel::tr("above %1").arg(low) : FormModel::tr("at least %1").arg(low);
    }
    if (hasMaximum) {
        return range.openMaximum ? FormModel::tr("below %1").arg(high) : FormModel::tr("at most %1").arg(high);
    }
    return {};
}

} // namespace

QString allowedInWords(const Parameter& parameter)
{
    const QString range = rangeInWords(parameter.range);
    switch (parameter.type) {
    case Type::Integer:
        return range.isEmpty() ? FormModel::tr("an integer") : FormModel::tr("an integer, %1").arg(range);
    case Type::Real:
        return range.isEmpty() ? FormModel::tr("a number") : FormModel::tr("a number, %1").arg(range);
    case Type::IntegerList:
        return FormModel::tr("integers separated by commas");
    case Type::RealList:
        return FormModel::tr("numbers separated by commas");
    case Type::Choice: {
        QStringList names;
        for (const experiment::Choice& choice : parameter.choices) {
            names << fromText(std::string(choice.name));
        }
        return FormModel::tr("one of %1").arg(names.join(QStringLiteral(", ")));
    }
    case Type::Path:
        return FormModel::tr("a path");
    case Type::Boolean:
    case Type::Text:
    case Type::Scalar:
        break;
    }
    return fromText(experiment::allowedText(parameter));
}

} // namespace lockstep::ui
