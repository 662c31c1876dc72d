// Identifiers as types, so that a run cannot be passed where a rank is meant.
#pragma once

#ifndef Q_MOC_RUN // Qt 6.4's moc cannot read this header
#include <compare>
#endif
#include <cstdint>
#include <string>

namespace lockstep {

/// Names a run everywhere: in the store's file name, on the command line, in the window. Sorts by start time:
/// `20261120-221403-k3f9` (UTC date, time, four random characters of [a-z0-9]).
struct RunId {
    std::string text;

    auto operator<=>(const RunId&) const = default;
    [[nodiscard]] bool isEmpty() const { return text.empty(); }
};

/// 0 .. world size - 1, as in MPI.
struct Rank {
    std::int32_t number = 0;

    auto operator<=>(const Rank&) const = default;
};

/// A fresh id from the wall clock (seconds since the epoch, UTC) and 32 random bits.
[[nodiscard]] RunId makeRunId(std::int64_t wallSeconds, std::uint32_t randomBits);

/// True for the form that makeRunId gives: what may be used as a file name.
[[nodiscard]] bool isRunId(const std::string& text);

} // namespace lockstep
