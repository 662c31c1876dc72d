#include "cli/run/confirm_runs.h"

#include "base/translate.h"
#include "cli/verbs.h"
#include "language/language.h"
#include "launch/trust.h"

#include <algorithm>

namespace lockstep::cli {

Result<void> confirmRuns(
    std::span<experiment::RunSpec> runs, std::span<const std::string> typed, const Arguments& arguments)
{
    launch::Trust trust;
    const std::vector<launch::Risk> open = trust.uncovered(runs);
    for (const launch::Risk& risk : open) {
        const bool isTyped = std::ranges::find(typed, risk.parameter) != typed.end();
        if (!isTyped && !arguments.has(QStringLiteral("--trust"))) {
            return failure(
                LS_TR("Messages", "%1; it came with the file: add --trust if you know what it does"), {risk.text()});
        }
    }
    if (const auto kept = trust.add(open); !kept) {
        report(language::told(
            LS_TR("CommandLine", "the confirmation could not be saved: %1"), {language::errorLine(kept.error())}));
    }
    launch::confirm(runs);
    return {};
}

} // namespace lockstep::cli
