// How a text is split into samples; validation, plans and the engine share this.
#pragma once

#include <algorithm>
#include <cstdint>

namespace lockstep::experiment {

/// Length of resources/text/shakespeare.txt, the text used when `dataset.path` is empty.
inline constexpr std::int64_t BuiltInTextBytes = 317026;

/// Numbers of samples.
struct TextWindows {
    std::int64_t train = 0;
    std::int64_t test = 0; ///< the last tenth of the windows, at least one; they follow those of training
};

/// A window is context + 1 bytes: the last `context` bytes are the labels of the first. Windows do not overlap; the
/// rest of the text is not used.
[[nodiscard]] constexpr TextWindows textWindows(std::int64_t bytes, std::int64_t context)
{
    const std::int64_t windows = bytes / (context + 1);
    const std::int64_t test = windows < 2 ? 0 : std::max<std::int64_t>(1, windows / 10);
    return {windows - test, test};
}

} // namespace lockstep::experiment
