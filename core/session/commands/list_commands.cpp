// presets, parameters.
#include "session/commands/arguments.h"
#include "session/commands/verbs.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "session/language.h"

#include <array>

#include <nlohmann/json.hpp>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr Option JsonOption{"--json", "", LS_TR("CommandLine", "prints JSON")};
constexpr Option MarkdownOption{"--markdown", "", LS_TR("CommandLine", "prints the reference page")};
constexpr Option HelpOption{"--help", "", LS_TR("CommandLine", "this text")};
constexpr std::array ListOptions{JsonOption, HelpOption};
constexpr std::array ParameterOptions{JsonOption, MarkdownOption, HelpOption};

/// Options only: for verbs without positional words.
[[nodiscard]] Result<Arguments> parseList(const char* verb, const QStringList& words, std::span<const Option> options)
{
    auto arguments = Arguments::parse(words, options);
    if (!arguments) {
        return during(std::string(verb), arguments.error());
    }
    if (!arguments->positional().isEmpty()) {
        return Error{
            std::string(verb) + ": \"" + arguments->positional().back().toStdString() + "\" is an unexpected argument"};
    }
    return arguments;
}

[[nodiscard]] std::string helpFor(const char* usage, std::span<const Option> options)
{
    return "lockstep " + told(usage) + "\n\n" + helpOf(options);
}

} // namespace

int presetsCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = parseList("presets", words, ListOptions);
    if (!arguments) {
        return refuse(arguments.error());
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(helpFor(LS_TR("CommandLine", "presets [--json]: the built-in experiments"), ListOptions));
    }
    Json list = Json::array();
    std::string text;
    for (const std::string_view name : experiment::presetNames()) {
        const auto spec = experiment::preset(name);
        if (!spec) {
            return refuse(during("preset " + std::string(name), spec.error()));
        }
        std::string variants;
        for (const experiment::Variant& variant : spec->variants) {
            variants += (variants.empty() ? "" : ", ") + variant.name;
        }
        text += std::string(name) + ": " + (variants.empty() ? "one run" : variants) + "\n";
        list.push_back({{"name", std::string(name)}, {"spec", Json::parse(experiment::toJson(*spec))}});
    }
    return printOrFail(arguments->has(u"--json"_s) ? Json{{"version", 1}, {"presets", list}}.dump(2) + "\n" : text);
}

int parametersCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = parseList("parameters", words, ParameterOptions);
    if (!arguments) {
        return refuse(arguments.error());
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(helpFor(
            LS_TR("CommandLine", "parameters [--json | --markdown]: every parameter of a spec"), ParameterOptions));
    }
    if (arguments->has(u"--json"_s)) {
        const std::string json = experiment::parametersJson();
        return printOrFail(json.ends_with('\n') ? json : json + "\n");
    }
    if (arguments->has(u"--markdown"_s)) {
        return printOrFail(experiment::parametersMarkdown());
    }
    std::string text;
    for (const experiment::Parameter& row : experiment::parameters()) {
        text += std::string(row.name) + " = " + experiment::toText(row.standard)
            + (row.unit.empty() ? std::string() : std::string(" ").append(row.unit)) + "\n    " + std::string(row.help)
            + "\n    allowed: " + experiment::allowedText(row) + "\n";
    }
    return printOrFail(text);
}

} // namespace lockstep::session
