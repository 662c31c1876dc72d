#include "language/wording.h"

#include "analysis/answers/question.h"
#include "analysis/findings/run_count.h"
#include "analysis/plain_text.h"
#include "analysis/table/finding_table.h"
#include "base/text.h"
#include "base/translate.h"
#include "language/language.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockstep::language {

namespace {

std::string inLanguage(const Text& text)
{
    if (textLanguage() == TextLanguage::English || text.isVerbatim) {
        return text.english;
    }
    const auto known = catalogued(text.pattern.empty() ? text.english : text.pattern);
    if (!known || text.pattern.empty()) {
        return known.value_or(text.english);
    }
    std::vector<std::string> arguments;
    std::ranges::transform(text.arguments, std::back_inserter(arguments), inLanguage);
    return filled(*known, arguments);
}

/// The entries of which findings are made.
std::string ofFindings(std::string_view text)
{
    for (const char* context : {"Findings", "Parameters"}) {
        if (std::string found = translated(context, text); found != text) {
            return found;
        }
    }
    return translated("Figures", text);
}

} // namespace

std::string worded(const Text& text)
{
    return analysis::cleanText(inLanguage(text));
}

std::string findingSentence(const analysis::Finding& finding)
{
    analysis::Finding own = finding;
    if (!own.why.empty()) {
        own.arguments.back() = worded(own.why);
    }
    return analysis::cleanLine(analysis::sentence(own, ofFindings));
}

analysis::TextTable findingTable(const analysis::Finding& finding)
{
    return analysis::tableOf(finding, ofFindings);
}

std::string questionOf(const std::vector<analysis::RunRecord>& runs)
{
    const auto question = analysis::questionOf(runs);
    return question ? analysis::cleanLine(textOf(*question, textLanguage() == TextLanguage::Chinese, ofFindings))
                    : std::string();
}

std::string runCount(const std::vector<const analysis::RunRecord*>& runs, analysis::Interfered which)
{
    return analysis::runCount(runs, which, [](std::string_view text) { return translated("Findings", text); });
}

std::string runCount(const std::vector<analysis::RunRecord>& runs, analysis::Interfered which)
{
    std::vector<const analysis::RunRecord*> all;
    std::ranges::transform(runs, std::back_inserter(all), [](const analysis::RunRecord& run) { return &run; });
    return runCount(all, which);
}

} // namespace lockstep::language
