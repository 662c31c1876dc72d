#include "base/translate.h"
#include "experiment/spec.h"

#include <utility>

namespace lockstep::experiment {

Result<std::vector<std::string>> programWords(std::string_view command)
{
    std::vector<std::string> words;
    char quote = 0;
    bool isInWord = false;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (c == quote) {
            quote = 0;
            continue;
        }
        if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            isInWord = false;
            continue;
        }
        if (!std::exchange(isInWord, true)) {
            words.emplace_back();
        }
        if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
            words.back() += command[++i];
        } else {
            words.back() += c;
        }
    }
    if (quote != 0) {
        return refusal("rank.program", LS_TR("Refusals", "a quote is not closed in: %1"), {verbatim(command)});
    }
    if (words.empty() || words.front().empty()) {
        return refusal("rank.program",
            LS_TR("Refusals", "strategy.name own needs the command that starts each rank, such as python3 train.py"));
    }
    return words;
}

} // namespace lockstep::experiment
