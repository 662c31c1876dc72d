// `lockstep pytorch`.
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/run/read_runs.h"
#include "cli/verbs.h"
#include "exchange/script/pytorch_files.h"
#include "language/language.h"

#include <QFileInfo>

#include <algorithm>
#include <array>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array PytorchOptions{
    Option{"--only", "NAME", LS_TR("CommandLine", "the variant; needed where the experiment has several")},
    Option{"--out", "FILE.py",
        LS_TR("CommandLine", "the script; FILE.data beside it gets the weights and the order of samples")},
    Option{"--set", "KEY=VALUE", LS_TR("CommandLine", "sets a parameter; may be repeated")},
    Option{"--trust", "", LS_TR("CommandLine", "uses the folders that a spec file names; needed only once for each")},
    HelpOption,
};

/// Of the first repeat.
[[nodiscard]] Result<experiment::RunSpec> oneRun(const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto runs, readRuns(arguments));
    std::string names;
    for (const experiment::RunSpec& run : runs) {
        names += run.repeat > 0 ? "" : (names.empty() ? "" : ", ") + run.name;
    }
    const bool isOne
        = std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return run.name == runs.front().name; });
    return isOne
        ? Result<experiment::RunSpec>(runs.front())
        : refusal("--only", LS_TR("Messages", "a script is of one variant; choose one of %1"), {verbatim(names)});
}

[[nodiscard]] Result<int> writeScript(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages",
            "pytorch: needs one preset or spec file, for example: lockstep pytorch aggregation --only ring --out "
            "ring.py"));
    }
    const QString out = arguments.value(u"--out"_s);
    if (out.isEmpty()) {
        return failure(LS_TR("Messages", "pytorch: needs --out FILE.py"));
    }
    LOCKSTEP_TRY_ASSIGN(const auto run, oneRun(arguments));
    LOCKSTEP_TRY(exchange::writePytorch(run, out));
    return printOrFail(QFileInfo(out).absoluteFilePath().toStdString() + "\n");
}

} // namespace

int pytorchCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("pytorch", words, PytorchOptions,
        LS_TR("CommandLine",
            "lockstep pytorch PRESET|SPEC.json --only NAME --out FILE.py: writes a run as a script for "
            "torch.distributed, with the same losses"),
        writeScript);
}

} // namespace lockstep::cli
