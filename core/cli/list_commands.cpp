// presets, parameters.
#include "cli/arguments.h"
#include "cli/verbs.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "language/language.h"

#include <array>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr Option MarkdownOption{"--markdown", "", LS_TR("CommandLine", "prints the reference page")};
constexpr std::array ListOptions{JsonOption, HelpOption};
constexpr std::array ParameterOptions{JsonOption, MarkdownOption, HelpOption};

[[nodiscard]] Result<int> listPresets(const Arguments& arguments)
{
    LOCKSTEP_TRY(refuseWords("presets", arguments.positional()));
    Json list = Json::array();
    std::string text;
    for (const std::string_view name : experiment::presetNames()) {
        const auto spec = experiment::preset(name);
        if (!spec) {
            return during({LS_TR("Messages", "preset %1"), {verbatim(name)}}, spec.error());
        }
        const std::string variants = listed(spec->variants, &experiment::Variant::name);
        text += std::string(name) + ": " + (variants.empty() ? "one run" : variants) + "\n";
        list.push_back({{"name", std::string(name)}, {"spec", Json::parse(experiment::toJson(*spec))}});
    }
    return printOrFail(arguments.has(u"--json"_s) ? Json{{"version", 1}, {"presets", list}}.dump(2) + "\n" : text);
}

[[nodiscard]] Result<int> listParameters(const Arguments& arguments)
{
    LOCKSTEP_TRY(refuseWords("parameters", arguments.positional()));
    if (arguments.has(u"--json"_s)) {
        const std::string json = experiment::parametersJson();
        return printOrFail(json.ends_with('\n') ? json : json + "\n");
    }
    if (arguments.has(u"--markdown"_s)) {
        return printOrFail(experiment::parametersMarkdown());
    }
    std::string text;
    for (const experiment::Parameter& row : experiment::parameters()) {
        text += std::string(row.name) + " = " + experiment::toText(row.standard)
            + (row.unit.empty() ? std::string() : std::string(" ").append(row.unit)) + "\n    " + std::string(row.help)
            + "\n    allowed: " + experiment::allowedText(row).english + "\n";
    }
    return printOrFail(text);
}

} // namespace

int presetsCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("presets", words, ListOptions,
        LS_TR("CommandLine", "lockstep presets [--json]: the built-in experiments"), listPresets);
}

int parametersCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("parameters", words, ParameterOptions,
        LS_TR("CommandLine", "lockstep parameters [--json | --markdown]: every parameter of a spec"), listParameters);
}

} // namespace lockstep::cli
