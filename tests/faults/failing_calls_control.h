// Lets one system call of this process fail: fakes/failing_calls.h.
#pragma once

#include "fakes/failing_calls.h"

#include <array>
#include <cerrno>

#include <dlfcn.h>

namespace lockstep::tests {

struct FailingError {
    const char* name;
    int number;
};
/// As LOCKSTEP_FAIL names them.
inline constexpr std::array<FailingError, 7> FailingErrors{
    {{"EINTR", EINTR}, {"EAGAIN", EAGAIN}, {"short", fakes::ShortTransfer}, {"ECONNRESET", ECONNRESET},
        {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM}}};

/// Of this process, where the library is preloaded.
class FailingCalls {
public:
    [[nodiscard]] static bool areThere() { return dlsym(RTLD_DEFAULT, "lockstepArm") != nullptr; }

    /// While it lives, the `at`-th call fails that can fail with `error`.
    FailingCalls(int error, long at, fakes::Fails who)
    {
        reinterpret_cast<fakes::Arm>(dlsym(RTLD_DEFAULT, "lockstepArm"))(error, at, who);
    }
    FailingCalls(const FailingCalls&) = delete;
    FailingCalls& operator=(const FailingCalls&) = delete;
    ~FailingCalls() { static_cast<void>(disarm()); }

    /// Gives how many calls could have failed.
    [[nodiscard]] static long disarm()
    {
        return reinterpret_cast<fakes::Disarm>(dlsym(RTLD_DEFAULT, "lockstepDisarm"))();
    }
};

} // namespace lockstep::tests
