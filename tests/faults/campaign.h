// What tests of faults share: how many trials of each fault there are, the losses that a run printed.
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>

namespace lockstep::tests {

/// LOCKSTEP_FAULT_TRIALS, and where it is not set `usual`.
[[nodiscard]] inline int trialCount(int usual)
{
    const int asked = qEnvironmentVariableIntValue("LOCKSTEP_FAULT_TRIALS");
    return asked > 0 ? asked : usual;
}

/// Of the first run in what `lockstep run --json` printed.
[[nodiscard]] inline QJsonArray lossesIn(const QByteArray& json)
{
    return QJsonDocument::fromJson(json)["runs"][0]["series"]["loss"]["value"].toArray();
}

} // namespace lockstep::tests
