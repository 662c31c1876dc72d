// `lockstep lab check` and `lockstep lab format`.
#include "base/translate.h"
#include "cli/lab/lab_commands.h"
#include "cli/verbs.h"
#include "laboratory/hand_in.h"
#include "laboratory/read_laboratory.h"
#include "language/language.h"

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

Json linesOf(const std::vector<Error>& errors)
{
    Json lines = Json::array();
    for (const Error& error : errors) {
        lines.push_back({{"where", error.subject}, {"text", error.text()}});
    }
    return lines;
}

std::size_t runsOf(const laboratory::Laboratory& lab)
{
    std::size_t count = 0;
    for (const laboratory::Step& step : lab.steps) {
        if (const auto* content = step.as<laboratory::ExperimentStep>()) {
            const auto runs = experiment::expand(content->spec);
            count += runs ? runs->size() : 0;
        }
    }
    return count;
}

double pointsOf(const laboratory::LaboratoryCheck& check)
{
    double points = 0.0;
    if (check.key) {
        for (const auto& [step, entry] : check.key->steps) {
            points += entry.points;
        }
    }
    return points;
}

/// How the key's numbers are computed: by step.
std::vector<std::pair<std::string, std::string>> computedOf(const laboratory::LaboratoryCheck& check)
{
    std::vector<std::pair<std::string, std::string>> computed;
    for (const laboratory::Step& step : check.laboratory->steps) {
        const auto* question = step.as<laboratory::QuestionStep>();
        if (!check.key || question == nullptr || question->form != laboratory::QuestionForm::Number) {
            continue;
        }
        if (const auto entry = check.key->steps.find(step.id);
            entry != check.key->steps.end() && !entry->second.answer.empty()) {
            computed.emplace_back(step.id, laboratory::shownAnswer(*check.laboratory, step, entry->second));
        }
    }
    return computed;
}

Json jsonOf(const laboratory::LaboratoryCheck& check)
{
    Json json{{"version", 1}, {"ok", check.isOk()}};
    if (check.laboratory) {
        const laboratory::Laboratory& lab = *check.laboratory;
        json.update(
            {{"laboratory", lab.id}, {"revision", lab.revision}, {"sha256", lab.sha256}, {"steps", lab.steps.size()},
                {"runs", runsOf(lab)}, {"has_key", check.key.has_value()}, {"points", pointsOf(check)}});
    }
    if (check.isOk()) {
        json["computed"] = Json::object();
        for (const auto& [step, text] : computedOf(check)) {
            json["computed"][step] = text;
        }
    }
    json["errors"] = linesOf(check.errors);
    json["remarks"] = linesOf(check.remarks);
    return json;
}

} // namespace

Result<int> checkLab(const Arguments& arguments)
{
    if (arguments.positional().size() != 1) {
        return failure(LS_TR("Messages", "lab check: needs one folder or file"));
    }
    if (laboratory::isHandIn(arguments.positional().front())) {
        return checkHandIn(arguments);
    }
    for (const char* option : {"--code", "--laboratory", "--runs"}) {
        if (arguments.has(QLatin1String(option))) {
            return refusal(option, LS_TR("Messages", "only a hand-in has it"));
        }
    }
    const auto check = laboratory::checkLaboratory(arguments.positional().front(), arguments.value(u"--key"_s));
    if (arguments.has(u"--json"_s)) {
        const int printed = printOrFail(jsonOf(check).dump(2) + "\n");
        return check.isOk() ? printed : ExitBadInput;
    }
    for (const Error& error : check.errors) {
        report(language::errorLine(during(verbatim(arguments.positional().front().toStdString()), error)));
    }
    for (const Error& remark : check.remarks) {
        report(language::told(LS_TR("CommandLine", "remark: %1"), {language::errorLine(remark)}));
    }
    if (!check.isOk()) {
        return ExitBadInput;
    }
    const laboratory::Laboratory& lab = *check.laboratory;
    std::string keys;
    for (const auto& [step, text] : computedOf(check)) {
        keys += language::told(LS_TR("CommandLine", "%1: key: %2"), {step, text}) + "\n";
    }
    return printOrFail(keys
        + language::told(LS_TR("CommandLine", "%1, revision %2: %3 steps, %4 runs; no errors"),
            {lab.id, std::to_string(lab.revision), std::to_string(lab.steps.size()), std::to_string(runsOf(lab))})
        + "\n");
}

Result<int> showLabFormat(const Arguments& arguments)
{
    LOCKSTEP_TRY(refuseWords("lab format", arguments.positional()));
    return printOrFail(arguments.has(u"--json"_s) ? laboratory::laboratorySchema() : laboratory::laboratoryReference());
}

} // namespace lockstep::cli
