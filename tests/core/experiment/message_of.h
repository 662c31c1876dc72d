// The error of a result, as a test compares it.
#pragma once

#include <QString>

namespace lockstep::tests {

/// Empty if there is none.
inline QString messageOf(const auto& result)
{
    return result.isOk() ? QString() : QString::fromStdString(result.error().message);
}

} // namespace lockstep::tests
