#include "ui/charts/axis_names.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lockstep::ui {

QString brokenName(const QString& name, std::size_t bars)
{
    constexpr std::size_t FewBars = 4;
    constexpr qsizetype LongName = 9;
    static const QRegularExpression joint(QStringLiteral("[_ -]"));
    const bool isBroken = name.size() > LongName && bars > FewBars && !name.contains(u'\n');
    const qsizetype middle = isBroken ? name.indexOf(joint, name.size() / 3) : -1;
    return middle < 0 ? name : name.left(middle + 1) + u'\n' + name.mid(middle + 1);
}

namespace {

// Of names that would touch; steeper ones are hard to read.
constexpr double LeastSlant = 35.0 * std::numbers::pi / 180.0;
constexpr double MostSlant = 60.0 * std::numbers::pi / 180.0;

/// Whether a line of a name would touch the same line of the next name that has one; names are `slot` apart.
bool wouldOverlap(const std::vector<QString>& names, double slot, const QFontMetricsF& metrics)
{
    const double gap = metrics.horizontalAdvance(u' ');
    std::vector<double> endOf; ///< by line: where the last one ends
    for (std::size_t i = 0; i < names.size(); ++i) {
        const QStringList lines = brokenName(names[i], names.size()).split(u'\n');
        for (qsizetype line = 0; line < lines.size(); ++line) {
            const double half = metrics.horizontalAdvance(lines[line]) / 2.0;
            const double middle = static_cast<double>(i) * slot;
            endOf.resize(std::max(endOf.size(), static_cast<std::size_t>(line) + 1), -slot);
            double& end = endOf[static_cast<std::size_t>(line)];
            if (half > 0.0 && middle - half < end + gap) {
                return true;
            }
            end = half > 0.0 ? middle + half : end;
        }
    }
    return false;
}

} // namespace

double slantOf(const std::vector<QString>& names, double slot, const QFontMetricsF& metrics)
{
    if (!wouldOverlap(names, slot, metrics)) {
        return 0.0;
    }
    double sine = std::sin(LeastSlant);
    double since = 0.0; ///< slots since the last name
    for (const QString& name : names) {
        const auto lines = static_cast<double>(name.count(u'\n') + 1);
        sine = name.isEmpty() || since == 0.0 ? sine : std::max(sine, lines * metrics.height() / (since * slot));
        since = name.isEmpty() && since > 0.0 ? since + 1.0 : name.isEmpty() ? 0.0 : 1.0;
    }
    return std::asin(std::min(std::sin(MostSlant), sine));
}

double reachToTheLeft(const std::vector<QString>& names, double slot, double slant, const QFontMetricsF& metrics)
{
    double most = 0.0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (const QString& line : names[i].split(u'\n')) {
            const double reach = metrics.horizontalAdvance(line) * std::cos(slant);
            most = std::max(most, reach - (static_cast<double>(i) + 0.5) * slot);
        }
    }
    return most;
}

} // namespace lockstep::ui
