#include "session/commands/confirm_runs.h"

#include "base/translate.h"
#include "session/language.h"
#include "session/launch/trust.h"

#include <algorithm>
#include <cstdio>

namespace lockstep::session {

Result<void> confirmRuns(
    std::span<experiment::RunSpec> runs, std::span<const std::string> typed, const Arguments& arguments)
{
    Trust trust;
    const std::vector<Risk> open = trust.uncovered(runs);
    for (const Risk& risk : open) {
        const bool isTyped = std::ranges::find(typed, risk.parameter) != typed.end();
        if (!isTyped && !arguments.has(QStringLiteral("--trust"))) {
            return Error{risk.text() + "; it came with the file: add --trust if you know what it does"};
        }
    }
    if (const auto kept = trust.add(open); !kept) {
        std::fprintf(stderr, "lockstep: %s\n",
            told(LS_TR("CommandLine", "the confirmation could not be saved: %1"), {errorLine(kept.error())}).c_str());
    }
    confirm(runs);
    return {};
}

} // namespace lockstep::session
