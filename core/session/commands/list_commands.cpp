// runs, presets, parameters, import.
#include "session/commands/arguments.h"
#include "session/commands/verbs.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "session/store/run_store.h"

#include <QDateTime>

#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr Option JsonOption{"--json", "", "prints JSON"};
constexpr Option MarkdownOption{"--markdown", "", "prints the reference page"};
constexpr Option StoreOption{"--store", "DIR", "the folder that keeps the runs"};
constexpr Option HelpOption{"--help", "", "this text"};
constexpr std::array ListOptions{JsonOption, HelpOption};
constexpr std::array ParameterOptions{JsonOption, MarkdownOption, HelpOption};
constexpr std::array StoreOptions{JsonOption, StoreOption, HelpOption};

[[nodiscard]] QString folderOf(const Arguments& arguments)
{
    return arguments.has(u"--store"_s) ? arguments.value(u"--store"_s) : RunStore::defaultFolder();
}

[[nodiscard]] QDateTime dateOf(const analysis::RunRecord& run)
{
    return QDateTime::fromMSecsSinceEpoch(run.createdNs / 1'000'000);
}

[[nodiscard]] Json summaryOf(const analysis::Summary& summary)
{
    // NaN is written as null.
    return {{"final_loss", summary.finalLoss}, {"test_accuracy", summary.testAccuracy},
        {"ms_per_step", summary.msPerStep}, {"samples_per_s", summary.samplesPerSecond}, {"steps", summary.steps},
        {"train_seconds", summary.trainSeconds}, {"interfered", analysis::namesOf(summary.interference)}};
}

[[nodiscard]] std::string runsAsJson(const std::vector<analysis::RunRecord>& runs)
{
    Json list = Json::array();
    for (const analysis::RunRecord& run : runs) {
        list.push_back({{"id", run.id.text}, {"experiment", run.spec.experiment}, {"name", run.spec.name},
            {"label", run.label}, {"repeat", run.spec.repeat}, {"status", std::string(analysis::nameOf(run.status))},
            {"message", run.message}, {"created", dateOf(run).toUTC().toString(Qt::ISODate).toStdString()},
            {"summary", summaryOf(run.summary)}});
    }
    return Json{{"version", 1}, {"runs", list}}.dump(2) + "\n";
}

[[nodiscard]] QString fixedText(double value, int digits)
{
    return std::isfinite(value) ? QString::number(value, 'f', digits) : u"-"_s;
}

/// After the line of a run that was changed by hand while it went on: `  changed: paused, slowed`.
[[nodiscard]] QString changedText(const analysis::RunRecord& run)
{
    QStringList names;
    for (const std::string& name : analysis::namesOf(run.summary.interference)) {
        names += QString::fromStdString(name);
    }
    return names.isEmpty() ? QString() : u"  changed: "_s + names.join(u", "_s);
}

[[nodiscard]] std::string runsAsTable(const std::vector<analysis::RunRecord>& runs, const QString& folder)
{
    if (runs.empty()) {
        return "no runs in " + folder.toStdString() + " yet: lockstep run optimizers creates three\n";
    }
    QString text = u"%1 %2 %3 %4 %5 %6 %7\n"_s.arg(u"id"_s, -22)
                       .arg(u"started"_s, -17)
                       .arg(u"experiment"_s, -12)
                       .arg(u"name"_s, -16)
                       .arg(u"status"_s, -12)
                       .arg(u"loss"_s, 9)
                       .arg(u"accuracy"_s, 9);
    for (const analysis::RunRecord& run : runs) {
        const QString name = QString::fromStdString(run.label.empty() ? run.spec.name : run.label);
        const std::string_view status = analysis::nameOf(run.status);
        text += u"%1 %2 %3 %4 %5 %6 %7%8\n"_s.arg(QString::fromStdString(run.id.text), -22)
                    .arg(dateOf(run).toString(u"yyyy-MM-dd hh:mm"_s), -17)
                    .arg(QString::fromStdString(run.spec.experiment), -12)
                    .arg(name, -16)
                    .arg(QString::fromUtf8(status.data(), static_cast<qsizetype>(status.size())), -12)
                    .arg(fixedText(run.summary.finalLoss, 4), 9)
                    .arg(fixedText(run.summary.testAccuracy, 4), 9)
                    .arg(changedText(run));
    }
    return text.toStdString();
}

/// Options only: for verbs without positional words.
[[nodiscard]] Result<Arguments> parseList(
    const char* verb, const QStringList& words, std::span<const Option> options, qsizetype positional)
{
    auto arguments = Arguments::parse(words, options);
    if (!arguments) {
        return during(std::string(verb), arguments.error());
    }
    if (arguments->positional().size() > positional) {
        return Error{
            std::string(verb) + ": \"" + arguments->positional().back().toStdString() + "\" is an unexpected argument"};
    }
    return arguments;
}

[[nodiscard]] std::string helpFor(const char* usage, std::span<const Option> options)
{
    return "lockstep " + std::string(usage) + "\n\n" + helpOf(options);
}

} // namespace

int runsCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = parseList("runs", words, StoreOptions, 0);
    if (!arguments) {
        return refuse(arguments.error());
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(helpFor("runs [--json] [--store DIR]: the stored runs, newest first", StoreOptions));
    }
    const auto store = RunStore::open(folderOf(*arguments));
    if (!store) {
        return refuse(store.error());
    }
    const std::vector<analysis::RunRecord> runs = (*store)->list();
    return printOrFail(arguments->has(u"--json"_s) ? runsAsJson(runs) : runsAsTable(runs, (*store)->folder()));
}

int presetsCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = parseList("presets", words, ListOptions, 0);
    if (!arguments) {
        return refuse(arguments.error());
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(helpFor("presets [--json]: the built-in experiments", ListOptions));
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
    const auto arguments = parseList("parameters", words, ParameterOptions, 0);
    if (!arguments) {
        return refuse(arguments.error());
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(helpFor("parameters [--json | --markdown]: every parameter of a spec", ParameterOptions));
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

int importCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = parseList("import", words, StoreOptions, 1);
    if (!arguments) {
        return refuse(arguments.error());
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(
            helpFor("import FILE [--json] [--store DIR]: copies a run file into the store", StoreOptions));
    }
    if (arguments->positional().isEmpty()) {
        return refuse({"import: needs the file of a run"});
    }
    const auto store = RunStore::open(folderOf(*arguments));
    if (!store) {
        return refuse(store.error());
    }
    const auto id = (*store)->import(arguments->positional().front());
    if (!id) {
        return refuse(id.error());
    }
    return printOrFail(
        arguments->has(u"--json"_s) ? Json{{"version", 1}, {"id", id->text}}.dump() + "\n" : id->text + "\n");
}

} // namespace lockstep::session
