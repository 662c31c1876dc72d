#include "cli/arguments.h"
#include "cli/run/carry_out.h"
#include "cli/run/rank_places.h"
#include "cli/run/read_runs.h"
#include "cli/verbs.h"
#include "language/language.h"
#include "language/wording.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"

#include <array>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array RunOptions{
    RanksOption,
    SetOption,
    VaryOption,
    OnlyOption,
    TrustOption,
    LaunchOption,
    HostsOption,
    ListenOption,
    WorkbenchFileOption,
    Option{"--out", "DIR", LS_TR("CommandLine", "writes result.json, the curves as CSV and the charts into DIR")},
    Option{"--json", "", LS_TR("CommandLine", "prints the results as JSON on stdout")},
    StoreOption,
    Option{"--help", "", LS_TR("CommandLine", "this text, and every parameter")},
};

[[nodiscard]] std::string runHelpText()
{
    const std::string names = listed(experiment::presetNames(), {}, " ");
    std::string text
        = language::told(
              LS_TR("CommandLine",
                  "lockstep run PRESET|SPEC.json [options]\nlockstep run [-n N] [options] -- COMMAND...\n\nRuns every "
                  "variant of an experiment, each in its own processes; those that are compared take turns. The "
                  "command is your own program, such as `python3 train.py --lr 0.1`, unchanged.\nPresets: %1, and "
                  "own: one run with the defaults, for use with --set and --vary"),
              {names})
        + "\n\n" + helpOf(RunOptions) + "\n"
        + language::told(LS_TR("CommandLine",
            "--vary separates the values of a list parameter by semicolons: straggler.ranks='0;1,2'. --only\n"
            "chooses among the variants as they are written, before --vary.\n\n"
            "Parameters for --set and --vary:"))
        + "\n";
    for (const experiment::Parameter& row : experiment::parameters()) {
        text += "  " + std::string(row.name) + "=" + experiment::toText(row.standard) + "\n      "
            + language::translated("Parameters", row.help) + " "
            + language::told(LS_TR("CommandLine", "Allowed: %1."), {language::worded(experiment::allowedText(row))})
            + "\n";
    }
    return text;
}

} // namespace

int runCommand(const QStringList& words, const CommandContext& context)
{
    return withArguments("run", words, RunOptions, runHelpText, [&](const Arguments& arguments) -> Result<int> {
        if (!namesRuns(arguments)) {
            return failure(LS_TR("Messages",
                "run: needs one preset or spec file, for example: lockstep run optimizers; or a program of your own: "
                "lockstep run -n 2 -- python3 train.py"));
        }
        LOCKSTEP_TRY_ASSIGN(const auto runs, readRuns(arguments));
        return carryOut(runs, arguments, context);
    });
}

} // namespace lockstep::cli
