// What tests of faults share: how many trials of each fault there are, what programs print, what is stored.
#pragma once

#include "program/programs.h"
#include "store/run_store.h"

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>

#include <cstdint>

namespace lockstep::tests {

/// Campaigns are run in full, not a sample of them.
[[nodiscard]] inline bool isLong()
{
    return qEnvironmentVariableIsSet("LOCKSTEP_LONG");
}

/// LOCKSTEP_FAULT_TRIALS, and where it is not set `usual`.
[[nodiscard]] inline int trialCount(int usual)
{
    const int asked = qEnvironmentVariableIntValue("LOCKSTEP_FAULT_TRIALS");
    return asked > 0 ? asked : usual;
}

/// What the rank program prints for one of its options; empty if it does not end.
[[nodiscard]] inline QByteArray toldByRanks(const char* option)
{
    QProcess rank;
    rank.start(RankProgram, {QString::fromLatin1(option)});
    return rank.waitForFinished(60'000) ? rank.readAllStandardOutput() : QByteArray();
}

/// Of the first run in what `lockstep run --json` printed.
[[nodiscard]] inline QJsonArray lossesIn(const QByteArray& json)
{
    return QJsonDocument::fromJson(json)["runs"][0]["series"]["loss"]["value"].toArray();
}

/// Stored of all ranks together; -1: the run cannot be read.
[[nodiscard]] inline std::int64_t stepsOf(const store::RunStore& store, const RunId& id)
{
    std::int64_t steps = 0;
    const auto replayed = store.replay(id, [&steps](const store::Delta& delta) {
        for (const auto& [rank, batch] : delta.steps) {
            steps += static_cast<std::int64_t>(batch.rows.size());
        }
        return true;
    });
    return replayed ? steps : -1;
}

} // namespace lockstep::tests
