#include "launch/run_mps.h"

#include "base/translate.h"
#include "launch/own/own_program.h"

namespace lockstep::launch {

Result<void> RunMps::begin(
    const experiment::RunSpec& run, const SessionOptions& options, const RankChoice& choice, std::int32_t ranks)
{
    if (m_share == nullptr || !options.hosts.empty() || options.awaits || isOwnProgram(run)) {
        return {};
    }
    if (choice.mayBeForked || is(run, experiment::Backend::Mpi)) {
        return is(run, experiment::MpsMode::On) ? refusal(nameOf(&experiment::RankSettings::mps),
                   LS_TR("Refusals", "on, but this run uses the CPU; use auto or off"))
                                                : Result<void>();
    }
    LOCKSTEP_TRY_ASSIGN(m_use, m_share->begin(run, ranks));
    return {};
}

std::optional<Text> RunMps::end(const std::optional<Text>& failure) const
{
    const bool hadFault = failure && !m_use.origin.empty() && isSharedFault(*failure);
    if (m_share != nullptr) {
        m_share->end(m_use, hadFault);
    }
    return hadFault
        ? Text(
            LS_TR("Messages",
                "%1. Under MPS a GPU fault of one process ends the others on that GPU: another run may be the cause"),
            {*failure})
        : failure;
}

} // namespace lockstep::launch
