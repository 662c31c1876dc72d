// What the harnesses have in common. Each reads what others wrote, and must not crash, whatever the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

/// Called with each input, by libFuzzer or by replay.cpp. Returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace lockstep::fuzz {

/// Ends the program if `holds` is false, as a sanitizer does; `what` says what should hold.
void require(bool holds, const char* what);

/// A folder for the files of a reader that takes a path; removed at the end of the program. One for all inputs: they
/// come one after the other.
[[nodiscard]] const std::string& workFolder();
/// Replaces `<workFolder>/name`.
void writeFile(const std::string& name, std::span<const std::uint8_t> bytes);

} // namespace lockstep::fuzz
