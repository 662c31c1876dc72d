#include "analysis/finding.h"

#include "base/text.h"
#include "base/translate.h"

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

std::string sentence(const Finding& finding, const Translator& translate)
{
    const auto translated = [&](std::string_view text) { return translate ? translate(text) : std::string(text); };
    std::vector<std::string> arguments = finding.arguments;
    for (const std::size_t label : finding.labels) {
        arguments[label] = translated(arguments[label]);
    }
    std::string text = filled(translated(finding.pattern), arguments);
    if (finding.moreRepeats > 0) {
        text += ' '
            + filled(translated(LS_TR("Findings", "About %1 more repeats may tell.")),
                std::vector{std::to_string(finding.moreRepeats)});
    }
    if (finding.wasMachineBusy) {
        text += ' ' + translated(LS_TR("Findings", "Measured on a busy machine."));
    }
    return tidiedChinese(text);
}

} // namespace lockstep::analysis
