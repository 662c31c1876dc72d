#include "cli/arguments.h"
#include "cli/verbs.h"
#include "language/language.h"
#include "launch/machine/doctor_report.h"
#include "store/run_store.h"

#include <array>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array DoctorOptions{
    JsonOption,
    StoreOption,
    HelpOption,
};

} // namespace

int doctorCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("doctor", words, DoctorOptions,
        LS_TR("CommandLine", "lockstep doctor [--json]: what this machine has, tested rather than assumed"),
        [](const Arguments& arguments) {
            const launch::MachineReport report = launch::examineMachine(storeOf(arguments));
            return printOrFail(arguments.has(u"--json"_s) ? report.json : reportText(report));
        });
}

} // namespace lockstep::cli
