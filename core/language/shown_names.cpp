#include "language/shown_names.h"

#include "analysis/statistics/run_groups.h"
#include "base/text.h"
#include "base/translate.h"
#include "experiment/variant_name.h"
#include "language/language.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace lockstep::language {

namespace {

/// Of the table's labels and units, of titles and patterns; the text itself where it has no translation.
std::string translatedName(const std::string& text)
{
    for (const char* context : {"VariantTitles", "Parameters", "ZeroTexts"}) {
        if (std::string found = translated(context, text); found != text) {
            return found;
        }
    }
    return text;
}

/// `SGD, learning rate 0.01`
std::string inParts(const std::string& name, const Text& part)
{
    const std::string pattern = translatedName(LS_TR("VariantTitles", "%1, %2"));
    return tidiedChinese(filled(pattern, std::vector<std::string>{name, inWords(part)}));
}

} // namespace

std::string inWords(const Text& name)
{
    if (textLanguage() == TextLanguage::English || name.isVerbatim) {
        return name.english;
    }
    if (name.pattern.empty()) {
        return translatedName(name.english);
    }
    std::vector<std::string> arguments;
    std::ranges::transform(name.arguments, std::back_inserter(arguments), inWords);
    return tidiedChinese(filled(translatedName(name.pattern), arguments));
}

std::string shownName(const experiment::RunSpec& run)
{
    const std::string title = run.name == run.experiment ? inLanguage(run.title) : std::string();
    return title.empty() ? inWords(experiment::variantName(run)) : title;
}

std::string shownName(std::string_view experiment, std::string_view name, const experiment::Assignment& settings)
{
    return inWords(experiment::variantName(experiment, name, settings));
}

std::string inLanguage(const experiment::Wording& wording)
{
    return experiment::textOf(wording, textLanguage() == TextLanguage::Chinese);
}

std::string experimentTitle(const std::string& experiment, const experiment::Wording& title)
{
    for (const experiment::Wording& each : {title, experiment::aboutPreset(experiment).title}) {
        if (std::string text = inLanguage(each); !text.empty()) {
            return text;
        }
    }
    return experiment == experiment::OwnExperiment
        ? translated("ExperimentTitles", LS_TR("ExperimentTitles", "Own experiment"))
        : experiment;
}

std::string experimentTitle(const experiment::RunSpec& run)
{
    return experimentTitle(run.experiment, run.title);
}

experiment::Wording nameByVariation(const experiment::Spec& spec)
{
    const Text name = experiment::nameByVariation(spec);
    const TextsIn chinese(TextLanguage::Chinese);
    return {name.english, inWords(name)};
}

std::vector<analysis::RunRecord> named(std::vector<analysis::RunRecord> records)
{
    std::map<std::string, std::vector<const analysis::RunRecord*>> variants; // of each name, one run of each
    for (const analysis::RunRecord& record : records) {
        auto& alike = variants[record.spec.name];
        const auto isRepeat
            = [&record](const analysis::RunRecord* each) { return analysis::areRepeats(*each, record); };
        if (std::ranges::none_of(alike, isRepeat)) {
            alike.push_back(&record);
        }
    }
    for (analysis::RunRecord& record : records) {
        const auto& alike = variants[record.spec.name];
        const auto other = std::ranges::find_if(
            alike, [&record](const analysis::RunRecord* each) { return !analysis::areRepeats(*each, record); });
        const Text apart = other == alike.end() ? Text() : analysis::settingApart(record, **other);
        const std::string name = shownName(record.spec);
        record.spec.shown = apart.empty() ? name : inParts(name, apart);
    }
    return records;
}

} // namespace lockstep::language
