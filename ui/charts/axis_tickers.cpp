#include "ui/charts/axis_tickers.h"

#include <QLocale>

#include <cmath>

namespace lockstep::ui {

namespace {

constexpr int MostDecades = 60; ///< enough for real data; keeps a broken range from filling the memory

QString decimalText(double tick, int decimals)
{
    // A true minus, so that it is as wide as a plus; and no "-0".
    QString text = QLocale(QLocale::English).toString(std::fabs(tick), 'f', decimals);
    const bool isNegative = tick < 0.0 && text.contains(QRegularExpression(QStringLiteral("[1-9]")));
    return isNegative ? u'\u2212' + text : text;
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

} // namespace

QVector<double> LinearTicker::createTickVector(double tickStep, const QCPRange& range)
{
    m_step = tickStep;
    return QCPAxisTicker::createTickVector(tickStep, range);
}

QString LinearTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    const double magnitude = std::max(std::fabs(tick), m_step);
    if (magnitude >= 1e9 || m_step < 1e-6) {
        return QString::number(tick, 'g', 4);
    }
    // As many decimals as the step has digits after the point: 0.25 has two.
    int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(m_step) + 1e-9)));
    const double scaled = m_step * std::pow(10.0, decimals);
    if (std::fabs(scaled - std::round(scaled)) > 1e-6) {
        ++decimals;
    }
    return decimalText(tick, decimals);
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range)
{
    if (!(range.lower > 0.0) || !(range.upper > range.lower)) {
        return {};
    }
    const double decades = std::log10(range.upper / range.lower);
    if (decades < 0.7) {
        return QCPAxisTicker::createTickVector(tickStep, range);
    }
    static const QVector<double> One{1.0};
    static const QVector<double> OneTwoFive{1.0, 2.0, 5.0};
    static const QVector<double> OneThree{1.0, 3.0};
    const QVector<double>& mantissas = decades < 1.6 ? OneTwoFive : decades < 2.6 ? OneThree : One;
    const int every = std::max(1, static_cast<int>(std::ceil(std::min<double>(decades, MostDecades) / 8.0)));
    QVector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = std::min(first + MostDecades, static_cast<int>(std::ceil(std::log10(range.upper))));
    for (int exponent = first; exponent <= last; ++exponent) {
        for (const double mantissa : mantissas) {
            if (exponent % every == 0) {
                ticks.append(mantissa * std::pow(10.0, exponent));
            }
        }
    }
    return ticks;
}

QVector<double> BinaryTicker::createTickVector(double tickStep, const QCPRange& range)
{
    if (!(range.lower > 0.0) || !(range.upper > range.lower)) {
        return {};
    }
    const int first = static_cast<int>(std::ceil(std::log2(range.lower)));
    const int last = static_cast<int>(std::floor(std::log2(range.upper)));
    if (last <= first) { // one power of two does not show the scale
        return LogTicker::createTickVector(tickStep, range);
    }
    const int every = std::max(1, (last - first + 11) / 12);
    QVector<double> ticks;
    for (int exponent = first; exponent <= last; ++exponent) {
        if (exponent % every == 0) {
            ticks.append(std::ldexp(1.0, exponent));
        }
    }
    return ticks;
}

int LogTicker::getSubTickCount(double)
{
    return 0;
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    const double exponent = std::log10(tick);
    if (exponent < -3.5 || exponent > 5.5) {
        const int whole = static_cast<int>(std::floor(exponent + 1e-9));
        const double mantissa = tick / std::pow(10.0, whole);
        const QString power = powerText(whole);
        return std::fabs(mantissa - 1.0) < 1e-6 ? power
                                                : QString::number(mantissa, 'g', 3) + QStringLiteral("·") + power;
    }
    const QString text = QLocale(QLocale::English).toString(tick, 'g', 4);
    return text.contains(u'e', Qt::CaseInsensitive) ? QLocale(QLocale::English).toString(tick, 'f', 0) : text;
}

namespace {

template <typename Ticker>
QSharedPointer<QCPAxisTicker> madeFor(const AxisSpec& axis)
{
    return axis.isCount ? QSharedPointer<QCPAxisTicker>(new CountTicker<Ticker>)
                        : QSharedPointer<QCPAxisTicker>(new Ticker);
}

} // namespace

QSharedPointer<QCPAxisTicker> tickerOf(const AxisSpec& axis)
{
    return axis.scale == Scale::Linear ? madeFor<LinearTicker>(axis)
        : axis.base == 2               ? madeFor<BinaryTicker>(axis)
                                       : madeFor<LogTicker>(axis);
}

} // namespace lockstep::ui
