#include "ui/models/form/titles.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "ui/models/form/experiment_document.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>

#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace lockstep::ui {

namespace {

/// Other presets have their titles in their files.
constexpr std::array<std::pair<std::string_view, const char*>, 8> ExperimentTitles{{
    {"optimizers", QT_TRANSLATE_NOOP("ExperimentTitles", "Optimizers")},
    {"aggregation", QT_TRANSLATE_NOOP("ExperimentTitles", "Aggregation")},
    {"partitioning", QT_TRANSLATE_NOOP("ExperimentTitles", "Partitioning")},
    {"scaling", QT_TRANSLATE_NOOP("ExperimentTitles", "Scaling")},
    {"model-parallel", QT_TRANSLATE_NOOP("ExperimentTitles", "Model")},
    {"sharding", QT_TRANSLATE_NOOP("ExperimentTitles", "Sharding")},
    {"collectives", QT_TRANSLATE_NOOP("ExperimentTitles", "Collectives")},
    {experiment::OwnExperiment, QT_TRANSLATE_NOOP("ExperimentTitles", "Own experiment")},
}};

/// Of variants that differ in more than one choice, or in a number; others have the label of their choice.
constexpr std::array<std::pair<std::string_view, const char*>, 31> Titles{{
    {"p2p", QT_TRANSLATE_NOOP("VariantTitles", "Pipeline (send/receive)")},
    {"rpc", QT_TRANSLATE_NOOP("VariantTitles", "Pipeline (RPC)")},
    {"grid", QT_TRANSLATE_NOOP("VariantTitles", "Grid")},
    {"recompute", QT_TRANSLATE_NOOP("VariantTitles", "Data parallel, recomputing")},
    {"zero-1", QT_TRANSLATE_NOOP("VariantTitles", "ZeRO-1")},
    {"zero-2", QT_TRANSLATE_NOOP("VariantTitles", "ZeRO-2")},
    {"zero-3", QT_TRANSLATE_NOOP("VariantTitles", "ZeRO-3")},
    {"2", QT_TRANSLATE_NOOP("VariantTitles", "2 ranks")},
    {"4", QT_TRANSLATE_NOOP("VariantTitles", "4 ranks")},
    {"8", QT_TRANSLATE_NOOP("VariantTitles", "8 ranks")},
    {"2-weak", QT_TRANSLATE_NOOP("VariantTitles", "2 ranks, weak")},
    {"4-weak", QT_TRANSLATE_NOOP("VariantTitles", "4 ranks, weak")},
    {"8-weak", QT_TRANSLATE_NOOP("VariantTitles", "8 ranks, weak")},
    {"link", QT_TRANSLATE_NOOP("VariantTitles", "Link, 2 ranks")},
    {"link-4", QT_TRANSLATE_NOOP("VariantTitles", "Link, 4 ranks")},
    {"link-8", QT_TRANSLATE_NOOP("VariantTitles", "Link, 8 ranks")},
    {"dirichlet-0.05", QT_TRANSLATE_NOOP("VariantTitles", "Dirichlet 0.05")},
    {"dirichlet-0.5", QT_TRANSLATE_NOOP("VariantTitles", "Dirichlet 0.5")},
    {"dirichlet-5", QT_TRANSLATE_NOOP("VariantTitles", "Dirichlet 5")},
    {"random-2", QT_TRANSLATE_NOOP("VariantTitles", "Random, 2 ranks")},
    {"p2p-1", QT_TRANSLATE_NOOP("VariantTitles", "Pipeline, 1 micro-batch")},
    {"p2p-2", QT_TRANSLATE_NOOP("VariantTitles", "Pipeline, 2 micro-batches")},
    {"p2p-8", QT_TRANSLATE_NOOP("VariantTitles", "Pipeline, 8 micro-batches")},
    {"all_reduce-slow", QT_TRANSLATE_NOOP("VariantTitles", "All-reduce, rank 1 +5 ms")},
    {"all_gather-slow", QT_TRANSLATE_NOOP("VariantTitles", "All-gather, rank 1 +5 ms")},
    {"ring-slow", QT_TRANSLATE_NOOP("VariantTitles", "Ring, rank 1 +5 ms")},
    {"tree-slow", QT_TRANSLATE_NOOP("VariantTitles", "Tree, rank 1 +5 ms")},
    {"parameter_server-slow", QT_TRANSLATE_NOOP("VariantTitles", "Parameter server, rank 1 +5 ms")},
    {"parameter_server_async-slow", QT_TRANSLATE_NOOP("VariantTitles", "Asynchronous server, rank 1 +5 ms")},
    {"small buckets", QT_TRANSLATE_NOOP("VariantTitles", "Small buckets")},
    {"warm-up", QT_TRANSLATE_NOOP("VariantTitles", "Warm-up")},
}};

/// The text to translate, with its context.
struct Title {
    const char* context = nullptr;
    std::string text;
};

/// The label of the choice that gives the variant its name; no context: there is none.
Title choiceOf(const experiment::Variant& variant)
{
    for (const auto& [parameterName, value] : variant.values) {
        const experiment::Parameter* parameter = experiment::findParameter(parameterName);
        if (parameter == nullptr || experiment::toText(value) != variant.name) {
            continue;
        }
        for (const experiment::Choice& choice : parameter->choices) {
            if (choice.name == variant.name) {
                return {"Parameters", std::string(choice.label)};
            }
        }
    }
    return {};
}

/// What a preset says of itself, and the titles of its variants by name.
struct Preset {
    experiment::Wording title;
    std::map<std::string, Title> variants;
};

Preset presetOf(const experiment::Spec& preset)
{
    Preset made{preset.about.title, {}};
    for (const experiment::Variant& variant : preset.variants) {
        Title title = choiceOf(variant);
        for (const auto& [name, text] : Titles) {
            if (name == variant.name) {
                title = {"VariantTitles", text};
            }
        }
        if (title.context != nullptr) {
            made.variants[variant.name] = title;
        }
    }
    return made;
}

const std::map<std::string, Preset>& allPresets()
{
    static const std::map<std::string, Preset> all = [] {
        std::map<std::string, Preset> made;
        for (const std::string_view name : experiment::presetNames()) {
            made[std::string(name)] = presetOf(*experiment::preset(name));
        }
        return made;
    }();
    return all;
}

} // namespace

QString experimentTitle(const std::string& experiment)
{
    for (const auto& [name, title] : ExperimentTitles) {
        if (name == experiment) {
            return QCoreApplication::translate("ExperimentTitles", title);
        }
    }
    const auto about = allPresets().find(experiment);
    const QString title = about == allPresets().end() ? QString() : wordingText(about->second.title);
    return title.isEmpty() ? shownName(experiment) : title;
}

QString variantTitle(const std::string& experiment, const std::string& name)
{
    const std::string first = name.substr(0, name.rfind(" from ")); // of a run that was resumed
    const auto preset = allPresets().find(experiment);
    if (preset != allPresets().end()) {
        if (const auto title = preset->second.variants.find(first); title != preset->second.variants.end()) {
            return QCoreApplication::translate(title->second.context, title->second.text.c_str())
                + shownName(name.substr(first.size()));
        }
    }
    return shownName(name);
}

analysis::RunRecord titled(analysis::RunRecord record)
{
    record.spec.name = variantTitle(record.spec.experiment, record.spec.name).toStdString();
    return record;
}

} // namespace lockstep::ui
