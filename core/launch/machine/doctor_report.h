// What this machine has and what works on it, tried rather than assumed: for `lockstep doctor` and the window. Any
// thread with its own event loop or none; takes seconds, because it starts rank programs.
#pragma once

#include <QString>

#include <string>
#include <vector>

namespace lockstep::launch {

/// A collective of a backend on a device, as a rank tried it just now.
struct TriedOperation {
    std::string backend; ///< `shm`
    std::string device; ///< `cpu`, `cuda`
    std::string operation; ///< `all_reduce`
    enum class Outcome { Works, BuiltFromMessages, Fails } outcome = Outcome::Fails;
    std::string error; ///< why it fails
};

struct MachineLine {
    std::string topic; ///< `processor`; empty: continues the previous line
    std::string text;
};

/// Texts are in this thread's language.
struct MachineReport {
    std::vector<MachineLine> lines;
    std::vector<TriedOperation> tried;
    std::vector<std::string> advice; ///< what to do about what is missing
    std::string json; ///< as `lockstep doctor --json` prints it; in English
};

[[nodiscard]] MachineReport examineMachine(const QString& storeFolder);
/// As `lockstep doctor` prints it.
[[nodiscard]] std::string reportText(const MachineReport& report);

} // namespace lockstep::launch
