#include "experiment/vary.h"

#include "base/typed.h"
#include "experiment/json_values.h"
#include "experiment/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace lockstep::experiment {

namespace {

bool isList(const Parameter& parameter)
{
    return parameter.type == Type::IntegerList || parameter.type == Type::RealList;
}

char separatorOf(const Parameter& parameter)
{
    return isList(parameter) ? ';' : ',';
}

/// `lr` of `optimizer.lr`.
std::string_view lastPart(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

/// Commas separate the names of `--only`, and blanks the parts of a name.
std::string valueInName(const Value& value)
{
    std::string text = toText(value);
    std::replace(text.begin(), text.end(), ',', '+');
    std::replace(text.begin(), text.end(), ' ', '_');
    return text.empty() ? "none" : text;
}

bool isNamedByValue(const Parameter& parameter)
{
    return lastPart(parameter.name) == "name";
}

/// As namePart(), with the whole key where another of the parameters ends alike.
std::string partOfName(std::span<const VariedParameter> varied, const Parameter& parameter, const Value& value)
{
    const auto isLike = [&](const VariedParameter& other) {
        return other.parameter->name != parameter.name && lastPart(other.parameter->name) == lastPart(parameter.name);
    };
    const bool isShared = std::any_of(varied.begin(), varied.end(), isLike);
    return isShared && !isNamedByValue(parameter) ? fmt::format("{}={}", parameter.name, valueInName(value))
                                                  : namePart(parameter, value);
}

std::vector<std::string> wordsOf(std::string_view name)
{
    std::vector<std::string> words;
    while (!name.empty()) {
        const std::size_t end = name.find(' ');
        words.emplace_back(name.substr(0, end));
        name.remove_prefix(end == std::string_view::npos ? name.size() : end + 1);
    }
    return words;
}

/// Whether a word of a name is the part of this parameter, with whichever value.
bool isPartOf(const Parameter& parameter, const std::string& word)
{
    if (isNamedByValue(parameter)) {
        return std::any_of(parameter.choices.begin(), parameter.choices.end(),
            [&](const Choice& choice) { return choice.name == word; });
    }
    const std::string_view key = std::string_view(word).substr(0, word.find('='));
    return key.size() < word.size() && (key == parameter.name || key == lastPart(parameter.name));
}

/// The name with other words for those of this parameter.
template <typename Change>
std::string rewritten(std::string_view name, const Parameter& parameter, Change change)
{
    std::string result;
    for (const std::string& word : wordsOf(name)) {
        const std::string kept = isPartOf(parameter, word) ? change(word) : word;
        result += (result.empty() || kept.empty() ? "" : " ") + kept;
    }
    return result;
}

/// A single process stays one rank, so that the number of ranks does not apply to it.
bool appliesIn(const Parameter& parameter, const Assignment& settings)
{
    const bool isOneRank = parameter.name == "world_size" && toText(settings.at("strategy.name")) == "single";
    return !isOneRank && applies(parameter, settings);
}

Result<void> checkVaried(const Spec& spec, std::span<const VariedParameter> varied)
{
    std::set<std::string_view> names;
    std::size_t runs = static_cast<std::size_t>(spec.repeats) * std::max<std::size_t>(1, spec.variants.size());
    for (const VariedParameter& each : varied) {
        const std::string name(each.parameter->name);
        if (!names.insert(each.parameter->name).second) {
            return refusal(std::string(name), LS_TR("Messages", "is varied twice; give all its values in one list"));
        }
        std::vector<std::string> setters;
        for (const Variant& variant : spec.variants) {
            if (variant.values.contains(name)) {
                setters.push_back(variant.name);
            }
        }
        if (!setters.empty() && spec.variants.size() > 1) {
            return refusal(std::string(name),
                LS_TR("Messages",
                    "cannot be varied, because variants set it already (%1); choose one of them with --only NAME"),
                {verbatim(listed(setters))});
        }
        runs *= each.values.size();
        if (runs > MostRuns) {
            return refusal(std::string(name),
                LS_TR("Messages", "variants times repeats give %1 runs; at most %2 are allowed"), {runs, MostRuns});
        }
    }
    return {};
}

/// The places of the values of one combination.
std::vector<std::size_t> combination(std::span<const VariedParameter> varied, std::size_t number)
{
    std::vector<std::size_t> places(varied.size());
    for (std::size_t i = varied.size(); i-- > 0;) {
        places[i] = number % varied[i].values.size();
        number /= varied[i].values.size();
    }
    return places;
}

/// The values at these places on top of the variant's own, without those that do not apply.
Variant combined(const Spec& spec, const Variant& variant, std::span<const VariedParameter> varied,
    const std::vector<std::size_t>& places, std::vector<bool>& applied)
{
    Variant made{variant.name, variant.values, variant.group, variant.isEnabled};
    for (std::size_t i = 0; i < varied.size(); ++i) {
        made.values[std::string(varied[i].parameter->name)] = varied[i].values[places[i]];
    }
    RunSpec run{spec.experiment, made.name, 0, withDefaults(spec.base, made.values)};
    dropInapplicable(run);
    for (std::size_t i = 0; i < varied.size(); ++i) {
        const std::string name(varied[i].parameter->name);
        if (!appliesIn(*varied[i].parameter, run.settings)) {
            made.values.erase(name);
            if (const auto own = variant.values.find(name); own != variant.values.end()) {
                made.values.insert(*own);
            }
            continue;
        }
        applied[i] = true;
        made.name
            += (made.name.empty() ? "" : " ") + partOfName(varied, *varied[i].parameter, varied[i].values[places[i]]);
    }
    return made;
}

} // namespace

Result<std::vector<Value>> parseValues(const Parameter& parameter, std::string_view text)
{
    std::vector<Value> values;
    for (const std::string_view item : splitTyped(text, separatorOf(parameter))) {
        LOCKSTEP_TRY_ASSIGN(auto value, parseValue(parameter, item));
        if (std::find(values.begin(), values.end(), value) != values.end()) {
            return refusal(std::string(parameter.name), LS_TR("Messages", "%1 is given twice"),
                {item.empty() ? Text(LS_TR("Messages", "an empty value")) : verbatim(item)});
        }
        values.push_back(std::move(value));
    }
    return values;
}

std::string valuesText(const Parameter& parameter, std::span<const Value> values)
{
    return listed(values, toText, std::string(1, separatorOf(parameter)));
}

Result<VariedParameter> parseVaried(std::string_view text)
{
    const std::size_t equals = findTyped(text, '=');
    if (equals == 0 || equals == std::string_view::npos) {
        return refusal("--vary", LS_TR("Messages", "\"%1\" is not KEY=VALUE,VALUE"), {verbatim(text)});
    }
    const std::string_view name = text.substr(0, equals);
    if (name == "repeats") {
        return refusal(
            "repeats", LS_TR("Messages", "cannot be varied; every variant has the same number: --set repeats=3"));
    }
    const Parameter* parameter = findParameter(name);
    if (parameter == nullptr) {
        return unknownParameter(name);
    }
    LOCKSTEP_TRY_ASSIGN(
        auto values, parseValues(*parameter, text.substr(equals + asciiTwin(text.substr(equals)).size)));
    return VariedParameter{parameter, std::move(values)};
}

Result<std::vector<Value>> valuesInRange(
    const Parameter& parameter, double first, double last, int count, Spacing spacing)
{
    const bool isInteger = parameter.type == Type::Integer;
    if (!isInteger && parameter.type != Type::Real) {
        return refusal(std::string(parameter.name),
            LS_TR("Messages", "a range needs a numeric parameter; this one takes %1"), {allowedText(parameter)});
    }
    if (count < 2 || count > static_cast<int>(MostRuns)) {
        return refusal(
            std::string(parameter.name), LS_TR("Messages", "%1 values are outside [2, %2]"), {count, MostRuns});
    }
    if (!std::isfinite(first) || !std::isfinite(last) || first == last) {
        return refusal(std::string(parameter.name), LS_TR("Messages", "a range needs two numbers that differ"));
    }
    if (spacing == Spacing::Logarithmic && (first <= 0.0 || last <= 0.0)) {
        return refusal(std::string(parameter.name), LS_TR("Messages", "a logarithmic range needs numbers above 0"));
    }
    std::vector<Value> values;
    for (int i = 0; i < count; ++i) {
        const double part = static_cast<double>(i) / (count - 1);
        double number = spacing == Spacing::Linear
            ? first + (last - first) * part
            : std::exp(std::log(first) + (std::log(last) - std::log(first)) * part);
        if (i == 0 || i == count - 1) {
            number = i == 0 ? first : last;
        } else {
            number = std::stod(fmt::format("{:.3g}", number));
        }
        const Value value = isInteger ? Value(static_cast<std::int64_t>(std::llround(number))) : Value(number);
        LOCKSTEP_TRY(checkValue(parameter, value));
        if (std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
        }
    }
    return values;
}

Result<Spec> vary(Spec spec, std::span<const VariedParameter> varied)
{
    if (varied.empty()) {
        return spec;
    }
    LOCKSTEP_TRY(checkVaried(spec, varied));
    std::size_t combinations = 1;
    for (const VariedParameter& each : varied) {
        combinations *= each.values.size();
    }
    const std::vector<Variant> nameless{{"", {}}};
    std::vector<Variant> made;
    std::set<std::string> names;
    std::vector<bool> applied(varied.size(), false);
    for (const Variant& variant : spec.variants.empty() ? nameless : spec.variants) {
        for (std::size_t number = 0; number < combinations; ++number) {
            Variant one = combined(spec, variant, varied, combination(varied, number), applied);
            one.name = one.name.empty() ? spec.experiment : one.name;
            if (names.insert(one.name).second) {
                made.push_back(std::move(one));
            }
        }
    }
    for (std::size_t i = 0; i < varied.size(); ++i) {
        if (!applied[i]) {
            return SettingWithoutEffect{std::string(varied[i].parameter->name), {}, true}.error();
        }
    }
    spec.variants = std::move(made);
    return spec;
}

std::string namePart(const Parameter& parameter, const Value& value)
{
    return isNamedByValue(parameter) ? valueInName(value)
                                     : fmt::format("{}={}", lastPart(parameter.name), valueInName(value));
}

bool isNamedBy(std::string_view word, const Parameter& parameter, const Value& value)
{
    if (isNamedByValue(parameter)) {
        return word == valueInName(value);
    }
    const std::string_view key = word.substr(0, word.find('='));
    return key.size() < word.size() && (key == parameter.name || key == lastPart(parameter.name))
        && word.substr(key.size() + 1) == valueInName(value);
}

std::string withoutNamePart(std::string_view name, const Parameter& parameter)
{
    return rewritten(name, parameter, [](const std::string&) { return std::string(); });
}

std::string withNamePart(std::string_view name, const Parameter& parameter, const Value& value)
{
    return rewritten(name, parameter, [&](const std::string& word) {
        return isNamedByValue(parameter) ? valueInName(value) : word.substr(0, word.find('=') + 1) + valueInName(value);
    });
}

std::vector<std::size_t> randomSample(std::size_t count, std::size_t wanted, Seed seed)
{
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    Random random(seed);
    random.shuffle(std::span<std::size_t>(numbers));
    numbers.resize(std::min(count, wanted));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

} // namespace lockstep::experiment
