// `lockstep-rank --relay`: the ranks of one host for a workbench on another, which has started this process by ssh or
// srun. What both say is in wire/relay_messages.h. No port is opened: a rank gets a socket whose other end is here. It
// ends its ranks at the end of its stdin, or when it has not heard from the workbench, and itself when none is left.
#pragma once

namespace lockstep::engine {

/// Gives the program's exit code.
[[nodiscard]] int relayRanks();

} // namespace lockstep::engine
