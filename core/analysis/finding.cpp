#include "analysis/finding.h"

#include "base/text.h"
#include "base/translate.h"

#include <algorithm>
#include <span>

namespace lockstep::analysis {

std::string_view nameOf(Role role)
{
    switch (role) {
    case Role::Headline:
        return "headline";
    case Role::Evidence:
        return "evidence";
    case Role::Caveat:
        return "caveat";
    }
    return {};
}

std::string fewOf(const std::vector<std::string>& names)
{
    const bool haveCommas = std::ranges::any_of(names, [](const std::string& name) {
        return name.find(", ") != std::string::npos || name.find("，") != std::string::npos;
    });
    const std::string separator = haveCommas ? "; " : ", ";
    const bool areAll = names.size() <= MostNamed + 1; // "and one more" is no shorter than its name
    const std::string first
        = listed(std::span(names).first(areAll ? names.size() : MostNamed), std::identity(), separator);
    return !areAll ? first + separator + "… (" + std::to_string(names.size()) + ")" : first;
}

std::string endsOf(std::vector<ValueAndText> named)
{
    if (named.size() <= MostNamed + 1) {
        return fewOf(named, &ValueAndText::second);
    }
    std::ranges::stable_sort(named, {}, &ValueAndText::first);
    return named.front().second + "; … (" + std::to_string(named.size()) + "); " + named.back().second;
}

namespace {

/// Outside of brackets.
std::vector<std::string> splitAt(std::string_view text, std::string_view separator)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '[' || text[i] == '(' ? 1 : text[i] == ']' || text[i] == ')' ? -1 : 0;
        if (depth == 0 && text.substr(i).starts_with(separator)) {
            parts.emplace_back();
            i += separator.size() - 1;
        } else {
            parts.back() += text[i];
        }
    }
    return parts;
}

/// `8` of `… (8)`, `2` and `3` of `Adam (2/3)`; none of other text.
std::vector<std::string> countsIn(std::string_view part)
{
    const std::size_t open = part.rfind('(');
    if (open == std::string_view::npos || !part.ends_with(')')) {
        return {};
    }
    std::vector<std::string> counts = splitAt(part.substr(open + 1, part.size() - open - 2), "/");
    const auto isNumber = [](const std::string& text) {
        constexpr std::size_t MostDigitsOfCount = 9;
        return !text.empty() && text.size() <= MostDigitsOfCount
            && text.find_first_not_of("0123456789") == std::string::npos;
    };
    return std::ranges::all_of(counts, isNumber) ? counts : std::vector<std::string>();
}

/// What fewOf() made, as the language writes a list: with its marks, and how many more there are.
std::string listIn(const std::string& argument, const std::function<std::string(std::string_view)>& translated)
{
    const bool haveCommas = argument.find("; ") != std::string::npos;
    std::vector<std::string> parts = splitAt(argument, haveCommas ? "; " : ", ");
    const auto numberIn = [](const std::string& part) {
        const std::vector<std::string> counts = countsIn(part);
        return part.starts_with("… (") && counts.size() == 1 ? counts.front() : std::string();
    };
    if (parts.size() == 3 && !numberIn(parts[1]).empty()) {
        return filled(translated(LS_TR("Findings", "from %1 to %2")), std::vector{parts[0], parts[2]});
    }
    const std::string all = parts.size() > 1 ? numberIn(parts.back()) : std::string();
    if (!all.empty()) {
        parts.pop_back();
    }
    const std::string pattern = translated(haveCommas ? LS_TR("Findings", "%1; %2") : LS_TR("Findings", "%1, %2"));
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        text = filled(pattern, std::vector{text, parts[i]});
    }
    if (all.empty()) {
        return text;
    }
    const std::string more = std::to_string(std::stoul(all) - std::min<std::size_t>(std::stoul(all), parts.size()));
    return filled(translated(LS_TR("Findings", "%1 and %2 more")), std::vector{text, more});
}

/// `Adam (2 of 3 runs)` of `Adam (2/3)`.
std::string inRunsIn(const std::string& list, const std::function<std::string(std::string_view)>& translated)
{
    const std::string_view separator = list.find("; ") != std::string::npos ? "; " : ", ";
    return listed(
        splitAt(list, separator),
        [&](const std::string& part) {
            const std::vector<std::string> counts = countsIn(part);
            return counts.size() == 2 ? filled(translated(LS_TR("Findings", "%1 (%2 of %3 runs)")),
                       std::vector{part.substr(0, part.rfind(" (")), counts[0], counts[1]})
                                      : part;
        },
        separator);
}

/// Within an English sentence: `learning rate`; names of people and abbreviations keep their letters.
std::string labelWithin(std::string label)
{
    const auto isLower = [](char letter) { return letter >= 'a' && letter <= 'z'; };
    const bool isName = label.starts_with("Dirichlet") || label.starts_with("ZeRO") || label.starts_with("Adam")
        || label.starts_with("Nesterov");
    if (label.size() > 1 && label[0] >= 'A' && label[0] <= 'Z' && isLower(label[1]) && !isName) {
        label[0] = static_cast<char>(label[0] - 'A' + 'a');
    }
    return label;
}

/// Whether the place `%1`, ... begins a sentence of the pattern.
bool beginsSentence(std::string_view pattern, std::size_t argument)
{
    const std::size_t at = pattern.find("%" + std::to_string(argument + 1));
    return at == 0 || at == std::string_view::npos || (at > 1 && pattern[at - 2] == '.');
}

} // namespace

std::string sentence(const Finding& finding, const Translator& translate)
{
    const auto translated = [&](std::string_view text) { return translate ? translate(text) : std::string(text); };
    std::vector<std::string> arguments = finding.arguments;
    if (finding.kind == "optimizers.not_learned" || finding.kind == "answer.diverged") {
        arguments.front() = inRunsIn(arguments.front(), translated);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool isLabel = std::ranges::find(finding.labels, i) != finding.labels.end();
        const bool isWhy = !finding.why.empty() && i + 1 == arguments.size();
        if (isLabel) {
            arguments[i] = translated(arguments[i]);
            arguments[i] = beginsSentence(finding.pattern, i) ? arguments[i] : labelWithin(arguments[i]);
        } else if (!isWhy) {
            arguments[i] = listIn(arguments[i], translated);
        }
    }
    std::string text = filled(translated(finding.pattern), arguments);
    for (const std::string_view stop : {".", "。"}) {
        if (!finding.clauses.empty() && text.ends_with(stop)) {
            text.resize(text.size() - stop.size());
        }
    }
    for (const Finding& clause :
        finding.clauses) { // another pattern than that of lists, which Chinese writes otherwise
        text = filled(translated(LS_TR("Findings", "%2, %1")), std::vector{sentence(clause, translate), text});
    }
    text = finding.clauses.empty() ? text : filled(translated(LS_TR("Findings", "%1.")), std::vector{text});
    if (finding.moreRepeats > 0) {
        const std::string_view pattern = finding.moreRepeats == 1
            ? LS_TR("Findings", "About one more repeat may tell.")
            : LS_TR("Findings", "About %1 more repeats may tell.");
        text += ' ' + filled(translated(pattern), std::vector{std::to_string(finding.moreRepeats)});
    }
    if (finding.hasDoubtful) {
        text += ' '
            + translated(
                LS_TR("Findings", "* came out faster than this machine's cores allow: do not trust these times."));
    }
    if (finding.wasMachineBusy) {
        text += ' ' + translated(LS_TR("Findings", "Measured on a busy machine."));
    }
    return tidiedChinese(text);
}

} // namespace lockstep::analysis
