#include "ui/charts/axis_numbers.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

constexpr double MostSpans = 2e4; ///< of the axis' own length that its numbers may be from 0 without an offset
constexpr double LargestPlain = 1e7;
constexpr double LargestInLittleRoom = 1e4;
constexpr double SmallestPlain = 1e-3;

/// The decimals that show `value` with all digits that a double of this step has.
int decimalsOf(double value)
{
    int decimals = 0;
    double scaled = value;
    while (decimals < 15 && std::fabs(scaled - std::round(scaled)) > 1e-6 * std::max(1.0, std::fabs(scaled) * 1e-9)) {
        ++decimals;
        scaled = value * std::pow(10.0, decimals);
    }
    return decimals;
}

} // namespace

QString decimalText(double value, int decimals)
{
    static const QRegularExpression digit(QStringLiteral("[1-9]"));
    const QString text = QLocale(QLocale::English).toString(std::fabs(value), 'f', decimals);
    return value < 0.0 && text.contains(digit) ? u'\u2212' + text : text;
}

QString powerText(int exponent)
{
    static const QString Digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("10⁻") : QStringLiteral("10");
    for (const QChar digit : QString::number(std::abs(exponent))) {
        text += Digits[digit.digitValue()];
    }
    return text;
}

QString AxisNumbers::label(double tick, double step) const
{
    const double unit = std::pow(10.0, exponent);
    return decimalText((tick - offset) / unit, decimalsOf(std::fabs(step) / unit));
}

QString AxisNumbers::title(const AxisSpec& axis) const
{
    QString text = axis.label;
    if (offset != 0.0) {
        const int power = static_cast<int>(std::floor(std::log10(std::fabs(offset)) + 1e-12));
        const bool isPlainOffset = power >= -4 && power < 12;
        const double mantissa = offset / std::pow(10.0, power);
        const QString amount = isPlainOffset
            ? decimalText(std::fabs(offset), decimalsOf(std::fabs(offset)))
            : decimalText(std::fabs(mantissa), decimalsOf(std::fabs(mantissa))) + u'·' + powerText(power);
        text += (offset < 0.0 ? QStringLiteral(" + ") : QStringLiteral(" \u2212 ")) + amount;
    }
    const QString power = exponent == 0 ? QString() : powerText(exponent);
    const QString unit = power.isEmpty() || axis.unit.isEmpty() ? power + axis.unit : power + u' ' + axis.unit;
    return unit.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, unit);
}

AxisNumbers axisNumbers(double low, double high, LabelRoom room)
{
    AxisNumbers numbers;
    const double span = high - low;
    if (!std::isfinite(span) || !(span > 0.0)) {
        return numbers;
    }
    if (std::max(std::fabs(low), std::fabs(high)) > MostSpans * span) {
        const double unit = std::pow(10.0, std::ceil(std::log10(span)));
        // The room before the first value does not move it: 3·10¹⁰, not 29,999,999,900.
        numbers.offset = std::floor((low + 0.1 * span) / unit) * unit;
    }
    const double largest = std::max(std::fabs(low - numbers.offset), std::fabs(high - numbers.offset));
    if (largest >= (room == LabelRoom::Enough ? LargestPlain : LargestInLittleRoom) || largest < SmallestPlain) {
        // A multiple of three, as units have.
        numbers.exponent = 3 * static_cast<int>(std::floor(std::log10(largest) / 3.0 + 1e-9));
    }
    return numbers;
}

AxisNumbers axisNumbers(const AxisSpec& axis, double low, double high, LabelRoom room)
{
    const bool isEven = axis.scale == Scale::Linear || (low > 0.0 && std::log10(high / low) < LinearDecades);
    return axis.categories.empty() && isEven ? axisNumbers(low, high, room) : AxisNumbers{};
}

} // namespace lockstep::ui
