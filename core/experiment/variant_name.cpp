#include "experiment/variant_name.h"

#include "base/translate.h"
#include "experiment/parameter.h"
#include "experiment/variant_titles.h"
#include "experiment/vary.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace lockstep::experiment {

namespace {

constexpr std::string_view ResumedMark = " from "; ///< behind the name of a run resumed from a checkpoint
constexpr std::size_t MostLabels = 3; ///< of parameters in a name

/// `learning rate` of `Learning rate`; `GPUs`, `ZeRO stage` stay.
std::string uncapitalised(std::string_view label)
{
    std::string text(label);
    const auto isSmall = [&](std::size_t at) { return at < text.size() && text[at] >= 'a' && text[at] <= 'z'; };
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z' && isSmall(1) && !text.starts_with("Ze")) {
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    }
    return text;
}

/// In English as within a sentence; the catalogue has it as the table does.
Text withinName(std::string_view label)
{
    Text text(uncapitalised(label));
    text.pattern = label;
    return text;
}

/// `step` of `steps` in English beside the number 1; the catalogue has it as the table does.
Text unitText(std::string_view unit, bool isOne)
{
    Text text(unit);
    constexpr std::size_t ShortestWord = 4; // not `s` and `ms`
    if (isOne && unit.size() >= ShortestWord && unit.ends_with('s')) {
        text.english = unit.ends_with("ies") ? std::string(unit.substr(0, unit.size() - 3)) + "y"
                                             : unit.substr(0, unit.size() - 1);
        text.pattern = unit;
    }
    return text;
}

/// `epoch` of `an epoch` behind `Synchronize every`.
Text zeroText(const Parameter& parameter)
{
    constexpr std::string_view Article = "an ";
    Text text(parameter.zero);
    if (parameter.label.ends_with(" every") && parameter.zero.starts_with(Article)) {
        text.english = parameter.zero.substr(Article.size());
        text.pattern = parameter.zero;
    }
    return text;
}

Text labelText(const Parameter& parameter, bool beginsName)
{
    return isOwnParameter(parameter.name) ? verbatim(parameter.label)
        : beginsName                      ? Text(parameter.label)
                                          : withinName(parameter.label);
}

std::optional<Text> choiceLabel(const Parameter& parameter, const Value& value)
{
    const auto choice = std::ranges::find(parameter.choices, toText(value), &Choice::name);
    return choice == parameter.choices.end() ? std::nullopt : std::optional(Text(choice->label));
}

/// Labels that say nothing without their parameter's: each has a pattern, so that other languages have their own words.
constexpr std::array<std::pair<std::string_view, const char*>, 8> BareChoices{{
    {"None", LS_TR("VariantTitles", "%1 none")},
    {"Off", LS_TR("VariantTitles", "%1 off")},
    {"Automatic", LS_TR("VariantTitles", "%1 automatic")},
    {"Linear", LS_TR("VariantTitles", "%1 linear")},
    {"Square root", LS_TR("VariantTitles", "%1 square root")},
    {"Constant", LS_TR("VariantTitles", "%1 constant")},
    {"Both", LS_TR("VariantTitles", "%1 both")},
    {"Each rank", LS_TR("VariantTitles", "%1 each rank")},
}};

/// What another language says with the words of neither the parameter nor the choice.
constexpr std::array<const char*, 2> Phrases{
    LS_TR("VariantTitles", "Offload none"), LS_TR("VariantTitles", "Schedule constant")};

/// `Offload none`: of a parameter's label and its choice's.
Text choiceInWords(const Text& label, const Text& choice)
{
    const auto bare = std::ranges::find(BareChoices, choice.english, &decltype(BareChoices)::value_type::first);
    if (bare == BareChoices.end()) {
        return choice;
    }
    Text text(bare->second, {label});
    const auto phrase = std::ranges::find_if(
        Phrases, [&text](std::string_view each) { return uncapitalised(each) == uncapitalised(text.english); });
    if (phrase != Phrases.end()) {
        text.pattern = *phrase;
        text.arguments.clear();
    }
    return text;
}

/// `1+3` of a list: commas separate the parts of a name.
std::string valueText(const Value& value)
{
    std::string text = toText(value);
    if (!std::holds_alternative<std::string>(value)) {
        std::ranges::replace(text, ',', '+');
    }
    return text;
}

Text joined(Text first, Text second)
{
    return {LS_TR("VariantTitles", "%1, %2"), {std::move(first), std::move(second)}};
}

/// `Ring, 4 ranks`: other languages set the parts behind the first apart from it.
Text joinedAll(std::vector<Text> parts)
{
    constexpr std::array Patterns{LS_TR("VariantTitles", "%1, %2"), LS_TR("VariantTitles", "%1, %2, %3"),
        LS_TR("VariantTitles", "%1, %2, %3, %4")};
    if (parts.empty()) {
        return {};
    }
    while (parts.size() > Patterns.size() + 1) {
        Text last = std::move(parts.back());
        parts.pop_back();
        parts.back() = joined(std::move(parts.back()), std::move(last));
    }
    const char* pattern = Patterns.at(std::max<std::size_t>(2, parts.size()) - 2);
    return parts.size() == 1 ? std::move(parts.front()) : Text(pattern, std::move(parts));
}

/// `Optimizer, learning rate`: of equal rank.
Text listedAll(std::vector<Text> parts)
{
    Text all = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        std::string english = all.english + ", " + parts[i].english;
        all = Text(LS_TR("VariantTitles", "%1 and %2"), {std::move(all), std::move(parts[i])});
        all.english = std::move(english);
    }
    return all;
}

/// `optimizer` of `optimizer.lr`.
std::string_view kindOf(std::string_view name)
{
    return name.substr(0, name.find('.'));
}

/// A part of a name: the parameter and the value that it gives.
using Part = std::pair<const Parameter*, Value>;

bool isSlowRank(const Part& part)
{
    return part.first->name.starts_with("straggler.");
}

/// `rank 3 +5 ms`, `all ranks ×2`, from all settings of stragglers; nothing where they are not among the settings. An
/// empty list of ranks means all.
std::optional<Text> slowRank(const Assignment& settings)
{
    const auto numberOf = [&](const char* name, double other) {
        const auto found = settings.find(name);
        const auto* number = found == settings.end() ? nullptr : std::get_if<double>(&found->second);
        return number == nullptr ? other : *number;
    };
    const auto ranks = settings.find("straggler.ranks");
    if (ranks == settings.end()) {
        return std::nullopt;
    }
    const double delay = numberOf("straggler.delay_ms", 0.0);
    const double factor = numberOf("straggler.factor", 1.0);
    const bool isSlower = factor != 1.0 && factor != 0.0;
    if (delay == 0.0 && !isSlower) {
        return Text(LS_TR("VariantTitles", "no slow rank"));
    }
    const std::string list = valueText(ranks->second);
    const Text who = list.empty() ? Text(LS_TR("VariantTitles", "all ranks"))
                                  : Text(LS_TR("VariantTitles", "rank %1"), {verbatim(list)});
    const Text more = verbatim(toText(delay));
    const Text times = verbatim(toText(factor));
    return delay == 0.0 ? Text(LS_TR("VariantTitles", "%1 ×%2"), {who, times})
        : isSlower      ? Text(LS_TR("VariantTitles", "%1 +%2 ms ×%3"), {who, more, times})
                        : Text(LS_TR("VariantTitles", "%1 +%2 ms"), {who, more});
}

/// One text a part; those of stragglers together make one.
std::vector<Text> wordsOf(const std::vector<Part>& parts, const Assignment& settings, bool beginsName)
{
    std::vector<Text> texts;
    const std::optional<Text> slow = slowRank(settings);
    bool hasSlow = false;
    for (const Part& part : parts) {
        if (!slow || !isSlowRank(part)) {
            texts.push_back(inWords(*part.first, part.second, beginsName && texts.empty()));
        } else if (!std::exchange(hasSlow, true)) {
            texts.push_back(*slow);
        }
    }
    return texts;
}

/// The setting that this word of a name gives, if it has the same value. `isAlone`: a name without other words may be
/// the value of any choice. Where it fits several settings, one of the kind of those `behind` or no default is meant.
std::optional<Part> partOf(
    std::string_view word, const Assignment& settings, bool isAlone, const std::vector<Part>& behind)
{
    std::optional<Part> found;
    const auto isOfKind = [&behind](const Parameter& row) {
        return std::ranges::any_of(
            behind, [&row](const Part& part) { return kindOf(part.first->name) == kindOf(row.name); });
    };
    for (const auto& [name, value] : settings) {
        const Parameter* row = findParameter(name);
        if (row == nullptr) {
            continue;
        }
        const bool isUsual = row->standard == value;
        const bool isValue = isAlone && !isUsual && !row->choices.empty() && toText(value) == word;
        if (!isValue && !isNamedBy(word, *row, value)) {
            continue;
        }
        const bool applies = isUsed(*row, settings);
        const bool isMeant = applies && (!isUsual || isOfKind(*row));
        if (isMeant || !found || (applies && !isUsed(*found->first, settings))) {
            found = Part(row, value);
        }
        if (isMeant) {
            break;
        }
    }
    return found;
}

struct PresetNames {
    About about;
    std::map<std::string, Text, std::less<>> variants; ///< what its variants are called, by name
};

/// By the title above, else by the choice or number of ranks that names it, else, if it is a key, by all that it sets.
std::optional<Text> titleOfVariant(const Variant& variant)
{
    const auto* title = std::ranges::find(VariantTitles, variant.name, &decltype(VariantTitles)::value_type::first);
    if (title != VariantTitles.end()) {
        return Text(title->second);
    }
    std::vector<Part> parts;
    for (const auto& [name, value] : variant.values) {
        const Parameter& row = *findParameter(name);
        const bool isName = toText(value) == variant.name;
        if (isName && (!row.choices.empty() || row.fills == &RankSettings::worldSize)) {
            return inWords(row, value, true);
        }
        parts.emplace_back(&row, value);
    }
    const bool isKey = variant.name.find_first_of("_=") != std::string::npos;
    return isKey && !parts.empty() ? std::optional(joinedAll(wordsOf(parts, variant.values, true))) : std::nullopt;
}

const PresetNames* presetNamesOf(std::string_view experiment)
{
    static const auto all = [] {
        std::map<std::string, PresetNames, std::less<>> made;
        for (const std::string_view name : presetNames()) {
            const auto spec = preset(name);
            if (!spec) {
                continue;
            }
            PresetNames& names = made[std::string(name)];
            names.about = spec->about;
            for (const Variant& variant : spec->variants) {
                if (auto title = titleOfVariant(variant)) {
                    names.variants.emplace(variant.name, *std::move(title));
                }
            }
        }
        return made;
    }();
    const auto found = all.find(experiment);
    return found == all.end() ? nullptr : &found->second;
}

/// `B faulty` and `B right` of a laboratory that hides a fault; other names as they were typed.
Text nameOfPair(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, const char*>, 2> Pairs{{
        {" right", LS_TR("VariantTitles", "%1, without a fault")},
        {" faulty", LS_TR("VariantTitles", "%1, with a fault")},
    }};
    for (const auto& [ending, pattern] : Pairs) {
        if (name.size() == ending.size() + 1 && name.ends_with(ending)) {
            return {pattern, {verbatim(name.substr(0, 1))}};
        }
    }
    return verbatim(name);
}

/// Of a whole name, or of what stands before the parts that vary() added.
Text titleOrName(const PresetNames* names, std::string_view name)
{
    const auto title = names == nullptr ? decltype(names->variants.end())() : names->variants.find(name);
    return names == nullptr || title == names->variants.end() ? nameOfPair(name) : title->second;
}

Text inParts(const PresetNames* names, std::string_view name, const Assignment& settings)
{
    std::vector<Part> parts;
    std::string_view rest = name;
    while (!rest.empty()) {
        const std::size_t blank = rest.rfind(' ');
        const std::string_view word = blank == std::string_view::npos ? rest : rest.substr(blank + 1);
        auto part = partOf(word, settings, word.size() == name.size(), parts);
        if (!part) {
            break;
        }
        parts.insert(parts.begin(), *std::move(part));
        rest = rest.substr(0, blank == std::string_view::npos ? 0 : blank);
        if (names != nullptr && names->variants.contains(rest)) {
            break;
        }
    }
    // The variant that `SGD` names is no longer one of SGD where the optimizer is varied.
    const bool isVaried = std::ranges::any_of(parts, [&rest](const Part& part) {
        return std::ranges::any_of(
            part.first->choices, [&rest](const Choice& choice) { return choice.name == rest || choice.label == rest; });
    });
    std::vector<Text> texts = wordsOf(parts, settings, rest.empty() || isVaried);
    if (!rest.empty() && !isVaried) {
        texts.insert(texts.begin(), titleOrName(names, rest));
    }
    return joinedAll(std::move(texts));
}

/// What the variants set for themselves, if not all have the same value: in the table's order.
std::vector<const Parameter*> variedIn(const Spec& spec)
{
    std::map<std::string, std::set<std::string>> values;
    for (const Variant& variant : spec.variants) {
        for (const auto& [name, value] : variant.values) {
            values[name].insert(toText(value));
        }
    }
    std::vector<const Parameter*> varied;
    for (const auto& [name, texts] : values) {
        const bool isInAll = std::ranges::all_of(
            spec.variants, [&key = name](const Variant& variant) { return variant.values.contains(key); });
        if (texts.size() > 1 || !isInAll) {
            varied.push_back(findParameter(name));
        }
    }
    // Rows lie in one array; those of a script are none of them, and stay in their order behind.
    const auto placeOf = [](const Parameter* row) {
        const auto all = parameters();
        return isOwnParameter(row->name) ? std::ssize(all) : row - all.data();
    };
    std::ranges::stable_sort(varied, {}, placeOf);
    return varied;
}

/// Of its script or module, else of the program.
std::string programName(const std::string& command)
{
    const auto words = programWords(command);
    if (!words) {
        return command;
    }
    auto named = std::ranges::find_if(*words, [](const auto& word) { return word.ends_with(".py"); });
    if (const auto module = std::ranges::find(*words, "-m"); named == words->end() && words->end() - module > 1) {
        named = std::next(module);
    }
    named = named == words->end() ? words->begin() : named;
    return named->substr(named->rfind('/') + 1);
}

} // namespace

Text inWords(const Parameter& parameter, const Value& value, bool beginsName)
{
    const Text label = labelText(parameter, beginsName);
    const Text text = verbatim(valueText(value));
    if (const auto choice = choiceLabel(parameter, value)) {
        return choiceInWords(label, *choice);
    }
    if (const auto* isOn = std::get_if<bool>(&value)) {
        return *isOn ? Text(LS_TR("VariantTitles", "%1 on"), {label}) : Text(LS_TR("VariantTitles", "%1 off"), {label});
    }
    if (text.english == "0" && !parameter.zero.empty()) {
        return {LS_TR("VariantTitles", "%1 %2"), {label, zeroText(parameter)}};
    }
    if (parameter.fills == &RankSettings::worldSize) {
        return text.english == "1" ? Text(LS_TR("VariantTitles", "1 rank"))
                                   : Text(LS_TR("VariantTitles", "%1 ranks"), {text});
    }
    if (parameter.unit.empty() || parameter.label.ends_with(" " + std::string(parameter.unit))) {
        return {LS_TR("VariantTitles", "%1 %2"), {label, text}};
    }
    const Text unit = unitText(parameter.unit, text.english == "1");
    return uncapitalised(parameter.label) == parameter.unit
        ? Text(LS_TR("VariantTitles", "%1 %2"), {text, unit})
        : Text(LS_TR("VariantTitles", "%1 %2 %3"), {label, text, unit});
}

Text variantName(std::string_view experiment, std::string_view name, const Assignment& settings)
{
    const std::size_t resumed = name.rfind(ResumedMark);
    if (resumed != std::string_view::npos) {
        return {LS_TR("VariantTitles", "%1 from %2"),
            {variantName(experiment, name.substr(0, resumed), settings),
                verbatim(name.substr(resumed + ResumedMark.size()))}};
    }
    const PresetNames* names = presetNamesOf(experiment);
    const bool isTitled = names != nullptr && names->variants.contains(name);
    return isTitled ? titleOrName(names, name) : inParts(names, name, settings);
}

Text variantName(const RunSpec& run)
{
    return variantName(run.experiment, run.name, run.settings);
}

Text settingInWords(const std::string& setting, const Assignment& settings)
{
    const Parameter* row = findParameter(setting);
    if (row == nullptr) {
        return verbatim(setting + " " + toText(settings.at(setting)));
    }
    return wordsOf({Part(row, settings.at(setting))}, settings, false).front();
}

const About& aboutPreset(std::string_view name)
{
    static const About none;
    const PresetNames* names = presetNamesOf(name);
    return names == nullptr ? none : names->about;
}

const std::string& textOf(const Wording& wording, bool isChinese)
{
    const std::string& wanted = isChinese ? wording.zh : wording.en;
    return !wanted.empty() ? wanted : isChinese ? wording.en : wording.zh;
}

std::string experimentKey(const std::string& experiment, const Wording& title)
{
    const bool isPresets = title == Wording() || title == aboutPreset(experiment).title;
    return isPresets ? experiment : experiment + '\n' + title.en + '\n' + title.zh;
}

std::string experimentKey(const RunSpec& run)
{
    return experimentKey(run.experiment, run.title);
}

Text nameByVariation(const Spec& spec)
{
    const Assignment settings = withDefaults(spec.base, spec.variants.empty() ? Assignment() : spec.variants[0].values);
    std::vector<const Parameter*> varied = variedIn(spec);
    const auto chosen = [&](const std::string& name) {
        const Parameter& row = *findParameter(name);
        return choiceLabel(row, settings.at(name)).value_or(verbatim(toText(settings.at(name))));
    };
    if (varied.empty()) {
        return is(RunSpec{spec.experiment, {}, 0, settings}, Strategy::Own)
            ? verbatim(programName(toText(settings.at("rank.program"))))
            : joined(chosen("optimizer.name"), chosen("net.name"));
    }
    std::vector<Text> parts;
    // What all have in common of that kind: `Adam` of its learning rate.
    const std::string kind = std::string(kindOf(varied.front()->name)) + ".name";
    const bool isVaried = std::ranges::any_of(varied, [&](const Parameter* row) { return row->name == kind; });
    if (!isVaried && settings.contains(kind) && findParameter(kind) != nullptr) {
        parts.push_back(chosen(kind));
    }
    varied.resize(std::min(varied.size(), MostLabels));
    for (const Parameter* row : varied) {
        parts.push_back(labelText(*row, parts.empty()));
    }
    return isVaried || parts.size() == varied.size() ? listedAll(std::move(parts)) : joinedAll(std::move(parts));
}

} // namespace lockstep::experiment
