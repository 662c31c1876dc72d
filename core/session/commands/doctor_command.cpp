#include "session/commands/arguments.h"
#include "session/commands/doctor_report.h"
#include "session/commands/verbs.h"
#include "session/language.h"
#include "session/store/run_store.h"

#include <array>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr std::array DoctorOptions{
    Option{"--json", "", LS_TR("CommandLine", "prints JSON")},
    Option{"--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs")},
    Option{"--help", "", LS_TR("CommandLine", "this text")},
};

} // namespace

int doctorCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = Arguments::parse(words, DoctorOptions);
    if (!arguments) {
        return refuse(during("doctor", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(
            told(LS_TR("CommandLine", "lockstep doctor [--json]: what this machine has, tested rather than assumed"))
            + "\n\n" + helpOf(DoctorOptions));
    }
    const MachineReport report = examineMachine(storeOf(*arguments));
    return printOrFail(arguments->has(u"--json"_s) ? report.json : reportText(report));
}

} // namespace lockstep::session
