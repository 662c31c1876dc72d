// The arguments of `lockstep-rank`. The telemetry address and the secret come from the environment only.
#pragma once

#include "base/result.h"
#include "rendezvous/launcher.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::engine {

struct Options {
    enum class Verb { Train, Ready, Relay, Choices, Doctor, DoctorRanks, JoinWeights, ScriptFiles, Help, Version };

    Verb verb = Verb::Train;
    std::string specPath; ///< empty: the spec comes from the workbench
    std::string recordPath; ///< empty: keep no record
    std::string scriptFolder; ///< where the files of a PyTorch script go
    std::string weightsOf; ///< a checkpoint's folder
    std::string outPath; ///< where its weights go
    std::string outFormat; ///< `torch`
    std::string doctorTries; ///< `mpi:cpu`
    std::int32_t localRanks = 0; ///< 0: this process is a rank itself
    rendezvous::RankFlags place{}; ///< which rank this is, and where it meets the others
    std::int32_t readySocket = -1; ///< of a ready process (ready.h)
};

/// `arguments` without the program's name. Errors name the argument.
[[nodiscard]] Result<Options> parseOptions(std::span<const std::string_view> arguments);

[[nodiscard]] std::string_view helpText();

} // namespace lockstep::engine
