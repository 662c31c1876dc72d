#include "ui/models/host_clocks_text.h"

#include "ui/models/number_text.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

class ClockTexts {
    Q_DECLARE_TR_FUNCTIONS(HostClocks)
};

constexpr double NsPerMs = 1e6;
constexpr double NsPerSecond = 1e9;

QString signedText(double value, const QString& digits)
{
    return (std::signbit(value) ? QStringLiteral("\u2212") : QStringLiteral("+")) + digits;
}

/// Seconds to a tenth of a millisecond, or milliseconds.
QString offsetText(std::int64_t ns)
{
    const auto value = static_cast<double>(ns);
    const double size = std::abs(value);
    return size >= NsPerSecond
        ? ClockTexts::tr("%1 s").arg(signedText(value, QString::number(size / NsPerSecond, 'f', 4)))
        : ClockTexts::tr("%1 ms").arg(signedText(value, QString::number(size / NsPerMs, 'f', 3)));
}

/// Rounded up: it is a bound.
QString clockErrorText(std::int64_t ns)
{
    constexpr double Steps = 100.0;
    const double ms = std::ceil(static_cast<double>(ns) / NsPerMs * Steps) / Steps;
    return ClockTexts::tr("%1 ms").arg(QString::number(ms, 'f', 2));
}

} // namespace

QString hostClocksText(const std::vector<analysis::HostClock>& clocks)
{
    QStringList hosts;
    for (const analysis::HostClock& clock : clocks) {
        hosts += ClockTexts::tr("%1 %2 ± %3")
                     .arg(shownName(clock.host), offsetText(clock.aheadNs), clockErrorText(clock.errorNs));
    }
    return hosts.isEmpty() ? QString() : ClockTexts::tr("Clocks: %1").arg(hosts.join(QStringLiteral(", ")));
}

QString hostClocksHelp(const std::vector<analysis::HostClock>& clocks)
{
    if (clocks.empty()) {
        return {};
    }
    const auto largest = std::ranges::max_element(clocks, {}, &analysis::HostClock::errorNs);
    return ClockTexts::tr(
        "By how much each host's clock was ahead of rank 0's. All times are on rank 0's clock. Events on different "
        "hosts that are less than %1 apart may have happened in the opposite order.")
        .arg(clockErrorText(largest->errorNs));
}

} // namespace lockstep::ui
