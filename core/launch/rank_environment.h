// A rank's environment: its place as torchrun sets it, where telemetry goes, and the secret. Never in argv, which every
// user of the machine can read.
#pragma once

#include "base/ids.h"
#include "experiment/spec.h"
#include "wire/secret.h"

#include <QProcessEnvironment>

#include <cstdint>

namespace lockstep::launch {

/// Where the ranks of one run find the workbench and each other.
struct Rendezvous {
    RunId run;
    std::int32_t worldSize = 1;
    std::uint16_t telemetryPort = 0;
    std::uint16_t masterPort = 0;
    wire::Secret secret{};
    QString checkpoints{}; ///< the folder where the ranks keep them
    QString masterAddress{QStringLiteral("127.0.0.1")};
    QString mpsPipes{}; ///< where they find MPS; empty: where this process would
    bool isMadeByScript = false; ///< a user's own program, started once, makes its ranks
};

/// 256 bits from the operating system.
[[nodiscard]] wire::Secret makeSecret();

/// A port of 127.0.0.1 that was free a moment ago, for the ranks' own rendezvous; 0 if there is none.
[[nodiscard]] std::uint16_t freePort();

/// What all ranks of a run have in common; `environment` may be that of another host.
void insertJob(QProcessEnvironment& environment, const Rendezvous& where, const experiment::RunSpec& run);
/// The environment of this process plus what all ranks of a run have in common; thread counts are set here because
/// OpenMP and OpenBLAS read them while they are being loaded.
[[nodiscard]] QProcessEnvironment jobEnvironment(const Rendezvous& where, const experiment::RunSpec& run);
/// The same for one rank.
[[nodiscard]] QProcessEnvironment rankEnvironment(
    const Rendezvous& where, const experiment::RunSpec& run, std::int32_t rank);

} // namespace lockstep::launch
