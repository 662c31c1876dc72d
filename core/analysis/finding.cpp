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
    const std::string first
        = listed(std::span(names).first(std::min(names.size(), MostNamed)), std::identity(), separator);
    return names.size() > MostNamed ? first + separator + "… (" + std::to_string(names.size()) + ")" : first;
}

std::string sentence(const Finding& finding, const Translator& translate)
{
    const auto translated = [&](std::string_view text) { return translate ? translate(text) : std::string(text); };
    std::vector<std::string> arguments = finding.arguments;
    for (const std::size_t label : finding.labels) {
        arguments[label] = translated(arguments[label]);
    }
    std::string text = filled(translated(finding.pattern), arguments);
    if (finding.moreRepeats > 0) {
        const std::string_view pattern = finding.moreRepeats == 1
            ? LS_TR("Findings", "About one more repeat may tell.")
            : LS_TR("Findings", "About %1 more repeats may tell.");
        text += ' ' + filled(translated(pattern), std::vector{std::to_string(finding.moreRepeats)});
    }
    if (finding.wasMachineBusy) {
        text += ' ' + translated(LS_TR("Findings", "Measured on a busy machine."));
    }
    return tidiedChinese(text);
}

} // namespace lockstep::analysis
