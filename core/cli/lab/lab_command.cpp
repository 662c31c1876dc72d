// `lockstep lab`.
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/lab/lab_commands.h"
#include "cli/pages/verb_usage.h"
#include "cli/run/read_runs.h"
#include "cli/verbs.h"
#include "language/language.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr Option LabOutOption{"--out", "FILE", LS_TR("CommandLine", "what is written; without it a name beside PATH")};
constexpr std::array LabNewOptions{
    Option{"--out", "DIR", LS_TR("CommandLine", "the new folder; without it the experiment's name")}, JsonOption,
    HelpOption};
constexpr std::array LabCheckOptions{
    Option{"--key", "FILE", LS_TR("CommandLine", "the key; without it the folder's key.json")},
    Option{"--code", "CODE",
        LS_TR("CommandLine", "of a hand-in: looks for a seal code that was collected; may be repeated")},
    Option{"--laboratory", "ID", LS_TR("CommandLine", "of a hand-in: the laboratory that it must be of")},
    Option{"--runs", "DIR", LS_TR("CommandLine", "of a hand-in: puts its runs into a store of their own")}, JsonOption,
    HelpOption};
constexpr std::array LabHandOutOptions{
    Option{"--key", "FILE", LS_TR("CommandLine", "the key; without it the folder's key.json")}, LabOutOption,
    JsonOption, HelpOption};
constexpr std::array LabListOptions{JsonOption, StoreOption, HelpOption};
constexpr std::array LabHandInOptions{LabOutOption, JsonOption, StoreOption, HelpOption};
constexpr std::array LabTryOptions{
    Option{"--lab", "LAB", LS_TR("CommandLine", "the laboratory: a folder, a .lab, or the id of one of the program's")},
    Option{"--step", "STEP", LS_TR("CommandLine", "the code step; not needed where the laboratory has one")},
    JsonOption, HelpOption};
constexpr std::array LabRunOptions{Option{"--step", "STEP", LS_TR("CommandLine", "the experiment step")},
    Option{"--work", "ID", LS_TR("CommandLine", "the work that was begun; without it the one on this laboratory")},
    SetOption,
    Option{"--preview", "", LS_TR("CommandLine", "for its author: without work and without its predictions")},
    Option{"--number", "NUMBER",
        LS_TR("CommandLine", "the student's number: begins the work where there is none; of --preview without it 0")},
    Option{"--name", "NAME", LS_TR("CommandLine", "the student's name, of work that is begun")},
    Option{"--out", "DIR", LS_TR("CommandLine", "writes result.json, the curves as CSV and the charts into DIR")},
    JsonOption, StoreOption, HelpOption};
constexpr std::array LabFormatOptions{
    Option{"--json", "", LS_TR("CommandLine", "prints the JSON schema instead of the page")}, HelpOption};

struct LabVerb {
    std::string_view name;
    std::span<const Option> options;
    std::string_view usage;
    Result<int> (*carryOut)(const Arguments&); ///< null: runLab(), which needs the context
};

constexpr std::array LabVerbs{
    LabVerb{"new", LabNewOptions,
        LS_TR(
            "CommandLine", "lockstep lab new PRESET|SPEC.json [--out DIR]: writes a folder to start a laboratory from"),
        newLab},
    LabVerb{"check", LabCheckOptions,
        LS_TR("CommandLine",
            "lockstep lab check PATH [--key FILE] [--code CODE]: names what is wrong with a laboratory (a folder or "
            ".lab) or "
            "a hand-in, a line each"),
        checkLab},
    LabVerb{"hand-out", LabHandOutOptions,
        LS_TR("CommandLine",
            "lockstep lab hand-out FOLDER [--out NAME.lab]: writes the laboratory for students, and NAME.key beside "
            "it"),
        handOutLab},
    LabVerb{"hand-in", LabHandInOptions,
        LS_TR("CommandLine",
            "lockstep lab hand-in ID [--out FILE.handin]: writes the work on a laboratory for the lecturer, without "
            "names of hosts and users"),
        handInLab},
    LabVerb{"try", LabTryOptions,
        LS_TR("CommandLine",
            "lockstep lab try FILE --lab LAB [--step STEP]: checks the code of a step; exit code 0 for right, 1 for "
            "wrong"),
        tryCode},
    LabVerb{"run", LabRunOptions,
        LS_TR("CommandLine",
            "lockstep lab run LAB --step STEP [--number NUMBER] [--set KEY=VALUE] [--preview]: runs an experiment step "
            "as the window does"),
        nullptr},
    LabVerb{"list", LabListOptions,
        LS_TR("CommandLine", "lockstep lab list: the laboratories of the program, and the work that was begun"),
        listLabs},
    LabVerb{"format", LabFormatOptions,
        LS_TR("CommandLine", "lockstep lab format: the reference page of laboratory.json"), showLabFormat},
};

std::string labHelp()
{
    std::string text;
    for (const LabVerb& verb : LabVerbs) {
        text += language::told(verb.usage) + "\n";
    }
    return text;
}

} // namespace

int labCommand(const QStringList& words, const CommandContext& context)
{
    const auto carryOut = [&context](const LabVerb& verb) -> std::function<Result<int>(const Arguments&)> {
        return verb.carryOut != nullptr ? std::function<Result<int>(const Arguments&)>(verb.carryOut)
                                        : [&context](const Arguments& arguments) { return runLab(arguments, context); };
    };
    if (UsageCollector* collector = UsageCollector::active()) {
        collector->add({"lab", {}, labHelp(), {}});
        for (const LabVerb& verb : LabVerbs) {
            static_cast<void>(
                withArguments("lab " + std::string(verb.name), {}, verb.options, verb.usage, carryOut(verb)));
        }
        return ExitDone;
    }
    if (words.isEmpty() || words.front() == u"--help"_s || words.front() == u"-h"_s) {
        return printOrFail(labHelp());
    }
    const std::string name = words.front().toStdString();
    const auto verb = std::ranges::find(LabVerbs, name, &LabVerb::name);
    if (verb == LabVerbs.end()) {
        return refuse(failure(LS_TR("Messages", "lab: \"%1\" is not one of %2"),
            {verbatim(name), verbatim(listed(LabVerbs, &LabVerb::name))}));
    }
    return withArguments("lab " + name, words.mid(1), verb->options, verb->usage, carryOut(*verb));
}

} // namespace lockstep::cli
