#include "ui/charts/axis_tickers.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace lockstep::ui {

namespace {

constexpr int DefaultTicks = 5; ///< of QCPAxisTicker
constexpr int MostDecades = 60; ///< enough for real data; keeps a broken range from filling the memory

/// The least number of labels in the middle of the range.
constexpr int LeastTicks = 3;

} // namespace

QVector<double> LinearTicker::createTickVector(double tickStep, const QCPRange& range)
{
    m_step = tickStep;
    m_numbers = axisNumbers(range.lower, range.upper, m_room);
    return QCPAxisTicker::createTickVector(tickStep, range);
}

QString LinearTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return m_numbers.label(tick, m_step);
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range)
{
    if (!(range.lower > 0.0) || !(range.upper > range.lower)) {
        return {};
    }
    const double decades = std::log10(range.upper / range.lower);
    m_isEven = decades < LinearDecades;
    if (m_isEven) {
        return LinearTicker::createTickVector(tickStep, range);
    }
    static const QVector<double> One{1.0};
    static const QVector<double> OneThree{1.0, 3.0};
    static const QVector<double> OneTwoFive{1.0, 2.0, 5.0};
    static const QVector<double> Whole{1.0, 2.0, 3.0, 5.0, 7.0};
    const auto inRange = [&](const QVector<double>& ticks) {
        return std::ranges::count_if(ticks, [&](double tick) { return range.contains(tick); });
    };
    const int most = std::max(LeastTicks, tickCount());
    const bool isCrowded = most < DefaultTicks;
    const std::size_t preferred = isCrowded || decades >= 2.6 ? 0 : decades < 1.6 ? 2 : 1;
    static const std::array<const QVector<double>*, 4> Finer{&One, &OneThree, &OneTwoFive, &Whole};
    QVector<double> ticks;
    for (const QVector<double>* mantissas : std::span(Finer).subspan(preferred)) {
        const double every = std::min<double>(decades, MostDecades) / (1.6 * most);
        ticks = ticksAt(*mantissas, std::max(1, static_cast<int>(std::ceil(every))), range);
        if (inRange(ticks) >= LeastTicks) {
            break;
        }
    }
    return ticks;
}

QVector<double> LogTicker::ticksAt(const QVector<double>& mantissas, int every, const QCPRange& range)
{
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
    if (last - first + 1 < LeastTicks) { // one or two powers do not show the scale
        return LogTicker::createTickVector(tickStep, range);
    }
    const int most = tickCount() < DefaultTicks ? tickCount() : 12;
    setEven(false);
    const int every = std::max(1, (last - first + most - 1) / most);
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

QString LogTicker::getTickLabel(double tick, const QLocale& locale, QChar format, int precision)
{
    if (m_isEven) {
        return LinearTicker::getTickLabel(tick, locale, format, precision);
    }
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
