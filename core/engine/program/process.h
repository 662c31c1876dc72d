// What a rank asks of the operating system for itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::engine {

/// Keeps freed memory in the process: with the standard settings every step maps and unmaps its activations, and the
/// page faults cost up to 40 % of a step. Call before the first tensor.
void keepFreedMemory();

/// Writing to a dead rank's socket is an error that names it, not a signal that ends this process: Gloo expects that,
/// as in Python.
void ignoreBrokenPipes();

/// Asks the kernel to kill this process with its parent; false if the parent is already gone.
[[nodiscard]] bool endWithParent();

[[nodiscard]] std::string hostName();

/// A port of 127.0.0.1 that was free a moment ago; 0 if there is none.
[[nodiscard]] std::uint16_t freePort();
/// The same of every address of this host.
[[nodiscard]] std::uint16_t freePortOfHost();

/// Empty if the variable is not set.
[[nodiscard]] std::string environment(const char* variable);

} // namespace lockstep::engine
