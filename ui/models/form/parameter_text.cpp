#include "ui/models/form/parameter_text.h"

#include "ui/models/form/form_model.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>

#include <cmath>

namespace lockstep::ui {

using experiment::Parameter;
using experiment::Type;

QString translatedLabel(const Parameter& parameter)
{
    // What a user's own program calls its parameters stays as it is: `steps` is also a unit of ours.
    const std::string label(parameter.label);
    return experiment::isOwnParameter(parameter.name) ? shownName(label)
                                                      : QCoreApplication::translate("Parameters", label.c_str());
}

QString translatedHelp(const Parameter& parameter)
{
    return shownText(QCoreApplication::translate("Parameters", std::string(parameter.help).c_str()));
}

QString translatedGroup(const Parameter& parameter)
{
    return QCoreApplication::translate("Parameters", std::string(parameter.group).c_str());
}

QString zeroText(const Parameter& parameter, const QString& text)
{
    return text == QStringLiteral("0") && !parameter.zero.empty()
        ? QCoreApplication::translate("ZeroTexts", std::string(parameter.zero).c_str())
        : QString();
}

QString translatedValue(const Parameter& parameter, const QString& text)
{
    if (const QString zero = zeroText(parameter, text); !zero.isEmpty()) {
        return zero;
    }
    for (const experiment::Choice& choice : parameter.choices) {
        if (text == QLatin1String(choice.name.data(), static_cast<qsizetype>(choice.name.size()))) {
            return QCoreApplication::translate("Parameters", std::string(choice.label).c_str());
        }
    }
    return text;
}

namespace {

QString limitText(double limit)
{
    return QString::fromStdString(experiment::toText(experiment::Value(limit)));
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

Result<experiment::Value> typedValue(const experiment::Parameter& parameter, const QString& text)
{
    return experiment::parseValue(parameter, text.trimmed().toStdString());
}

QString typedText(const experiment::Value& value)
{
    return QString::fromStdString(experiment::toText(value));
}

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
            names << QString::fromUtf8(choice.name);
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
    return QString::fromStdString(experiment::allowedText(parameter).english);
}

} // namespace lockstep::ui
