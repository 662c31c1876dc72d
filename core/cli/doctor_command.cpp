#include "base/exit_code.h"
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "exchange/bundle/fault_bundle.h"
#include "language/language.h"
#include "launch/machine/doctor_report.h"
#include "store/run_store.h"

#include <array>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array DoctorOptions{
    JsonOption,
    Option{"--bundle", "FILE", LS_TR("CommandLine", "writes what a report of a fault needs as a zip archive")},
    Option{"--with-paths", "",
        LS_TR("CommandLine", "keeps paths, addresses, and the names of users and hosts in the bundle")},
    StoreOption,
    HelpOption,
};

Result<int> examine(const Arguments& arguments, const CommandContext& context)
{
    if (arguments.has(u"--bundle"_s)) {
        const QString file = arguments.value(u"--bundle"_s);
        LOCKSTEP_TRY(exchange::writeFaultBundle(file,
            {context.version, storeOf(arguments),
                arguments.has(u"--with-paths"_s) ? exchange::Names::Keep : exchange::Names::LeaveOut}));
        printPath(file);
        return ExitDone;
    }
    const launch::MachineReport report = launch::examineMachine(storeOf(arguments));
    return printOrFail(arguments.has(u"--json"_s) ? report.json : reportText(report));
}

} // namespace

int doctorCommand(const QStringList& words, const CommandContext& context)
{
    return withArguments("doctor", words, DoctorOptions,
        LS_TR("CommandLine",
            "lockstep doctor [--json] [--bundle FILE]: what this machine has, tested rather than assumed"),
        [&context](const Arguments& arguments) { return examine(arguments, context); });
}

} // namespace lockstep::cli
