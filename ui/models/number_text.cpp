#include "ui/models/number_text.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {

namespace {

const QString NotThere = QStringLiteral("–");

/// Decimals that leave `digits` significant ones: 0.0921 has four with three digits, 1230 has none.
int decimalsFor(double magnitude, int digits)
{
    const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
    return std::max(0, digits - 1 - exponent);
}

/// 9.9996 becomes 10.0, not 10.00: the number of decimals is that of the rounded value.
QString fixedText(double value, int digits)
{
    int decimals = decimalsFor(std::abs(value), digits);
    const double factor = std::pow(10.0, decimals);
    const double rounded = std::round(std::abs(value) * factor) / factor;
    if (rounded > 0.0) {
        decimals = decimalsFor(rounded, digits);
    }
    return QLocale(QLocale::English).toString(value, 'f', decimals);
}

} // namespace

QString numberText(double value, int significantDigits)
{
    if (std::isnan(value)) {
        return NotThere;
    }
    if (std::isinf(value)) {
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    }
    if (value == 0.0) {
        return QStringLiteral("0");
    }
    const double magnitude = std::abs(value);
    if (magnitude >= 1e-3 && magnitude < 1e6) {
        return fixedText(value, significantDigits);
    }
    // Qt rounds before it chooses the exponent (9.9996e-4 is 1.00e-3); only its "e-03" is made shorter here.
    const QString scientific = QString::number(value, 'e', significantDigits - 1);
    const auto e = scientific.indexOf(u'e');
    return scientific.left(e) + QStringLiteral("e%1").arg(scientific.mid(e + 1).toInt());
}

QString percentText(double share)
{
    return std::isnan(share) ? NotThere : QString::number(share * 100.0, 'f', 1);
}

QString countText(std::int64_t count)
{
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(count));
}

QString siText(double value)
{
    struct Prefix {
        double factor;
        const char* symbol;
    };
    static constexpr std::array<Prefix, 4> Prefixes{{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    if (std::isnan(value)) {
        return NotThere;
    }
    for (const Prefix& prefix : Prefixes) {
        if (std::abs(value) >= prefix.factor) {
            return QStringLiteral("%1 %2").arg(fixedText(value / prefix.factor, 3), QString::fromLatin1(prefix.symbol));
        }
    }
    return value == 0.0 ? QStringLiteral("0") : fixedText(value, 3);
}

QString bytesText(std::int64_t bytes)
{
    const double mebibytes = static_cast<double>(bytes) / (1024.0 * 1024.0);
    if (mebibytes >= 1024.0) {
        return QStringLiteral("%1 GiB").arg(fixedText(mebibytes / 1024.0, 3));
    }
    return mebibytes <= 0.0 ? NotThere : QStringLiteral("%1 MiB").arg(fixedText(mebibytes, 3));
}

QString clockText(double seconds)
{
    if (!std::isfinite(seconds) || seconds > 1e7) {
        return NotThere;
    }
    const auto whole = static_cast<std::int64_t>(std::ceil(std::max(0.0, seconds)));
    const QChar zero(u'0');
    if (whole < 3600) {
        return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, zero);
    }
    return QStringLiteral("%1:%2:%3").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, zero).arg(whole % 60, 2, 10, zero);
}

QString durationText(double seconds)
{
    if (!std::isfinite(seconds)) {
        return NotThere;
    }
    if (seconds < 9.5) {
        return QStringLiteral("%1 s").arg(fixedText(std::max(seconds, 0.01), seconds < 1.0 ? 1 : 2));
    }
    if (seconds < 120.0) {
        return QStringLiteral("%1 s").arg(std::lround(seconds));
    }
    if (seconds < 7200.0) {
        return QStringLiteral("%1 min").arg(std::lround(seconds / 60.0));
    }
    return QStringLiteral("%1 h").arg(std::lround(seconds / 3600.0));
}

} // namespace lockstep::ui
