// What the workbench and a ready rank process send each other, over a SOCK_SEQPACKET pair that no other process has:
// one record a packet. Both run on one machine; Loaded says whether they were built from the same sources.
//
// Workbench: a ForkRequest, followed by the run's spec as JSON, with three descriptors (SCM_RIGHTS): the environment of
// the rank as NAME=VALUE entries that end with a zero byte each, its stdout, its stderr. The ready process hands the
// first on unread, because the secret is in it.
// Ready process: ReadyReports, the first of them Loaded.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::wire {

struct ForkRequest {
    std::uint32_t id = 0; ///< names the rank in the reports about it
};
inline constexpr std::size_t ForkDescriptors = 3;
inline constexpr std::size_t MostForkBytes = 128u << 10; ///< a request with its spec

struct ReadyReport {
    enum class Kind : std::uint32_t {
        Loaded, ///< value: the ProtocolVersion
        Started, ///< value: the process id
        NotStarted, ///< value: errno
        Exited, ///< value: the exit code
        Killed ///< value: the signal
    };
    Kind kind = Kind::Loaded;
    std::uint32_t id = 0; ///< of the request; 0 in Loaded
    std::int32_t value = 0;
};

} // namespace lockstep::wire
