// Settings of a run as a test writes them: "strategy.name=data world_size=2".
#pragma once

#include "experiment/spec.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace lockstep {

/// `overrides`, and after them those of `settings`.
inline std::vector<experiment::Override> withSettings(
    std::vector<experiment::Override> overrides, const QString& settings)
{
    for (const QString& each : settings.split(u' ', Qt::SkipEmptyParts)) {
        overrides.push_back({each.section(u'=', 0, 0).toStdString(), each.section(u'=', 1).toStdString()});
    }
    return overrides;
}

} // namespace lockstep
