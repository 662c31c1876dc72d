#include "cli/arguments.h"

#include "base/edit_distance.h"
#include "cli/pages/verb_usage.h"
#include "cli/verbs.h"
#include "language/language.h"
#include "store/run_store.h"

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::cli {

namespace {

[[nodiscard]] Text allowed(std::span<const Option> options)
{
    return options.empty() ? Text(LS_TR("Messages", "none")) : verbatim(listed(options, &Option::name));
}

[[nodiscard]] VerbUsage usageOf(const std::string& verb, std::span<const Option> options, std::string help)
{
    const std::string table = helpOf(options);
    if (const std::size_t at = help.find(table); at != std::string::npos) {
        help.erase(at, table.size());
    }
    VerbUsage usage{verb, {}, help, {}};
    for (const Option& option : options) {
        usage.options.push_back({std::string(option.name), std::string(option.value), language::told(option.help)});
    }
    return usage;
}

} // namespace

Result<Arguments> Arguments::parse(const QStringList& words, std::span<const Option> options)
{
    std::vector<std::string> texts;
    for (const QString& word : words) {
        texts.push_back(word.toStdString());
    }
    const auto refuse = [options](CommandLine::Problem problem, std::string_view name, const Option* option) -> Error {
        switch (problem) {
        case CommandLine::Problem::UnknownOption:
            return refusal(std::string(name), LS_TR("Refusals", "unknown option; allowed: %1"), {allowed(options)});
        case CommandLine::Problem::TakesNoValue:
            return refusal(std::string(name), LS_TR("Refusals", "takes no value"));
        case CommandLine::Problem::NeedsValue:
            break;
        }
        return refusal(std::string(name), LS_TR("Refusals", "needs a value, %1"), {verbatim(option->value)});
    };
    LOCKSTEP_TRY_ASSIGN(const auto parsed, CommandLine::parse(texts, options, refuse));
    return Arguments(parsed);
}

QStringList Arguments::listOf(const std::vector<std::string>& texts)
{
    QStringList list;
    for (const std::string& text : texts) {
        list += QString::fromStdString(text);
    }
    return list;
}

QString storeOf(const Arguments& arguments)
{
    return arguments.value(QStringLiteral("--store"), store::RunStore::defaultFolder());
}

int withArguments(const std::string& verb, const QStringList& words, std::span<const Option> options,
    std::string_view usage, const std::function<Result<int>(const Arguments&)>& carryOut)
{
    const auto help = [&] { return language::told(usage) + "\n\n" + helpOf(options); };
    return withArguments(verb, words, options, help, carryOut);
}

int withArguments(const std::string& verb, const QStringList& words, std::span<const Option> options,
    const std::function<std::string()>& help, const std::function<Result<int>(const Arguments&)>& carryOut)
{
    if (UsageCollector* collector = UsageCollector::active()) {
        collector->add(usageOf(verb, options, help()));
        return ExitDone;
    }
    const auto arguments = Arguments::parse(words, options);
    if (!arguments) {
        return refuse(during(verbatim(verb), arguments.error()));
    }
    if (arguments->has(QStringLiteral("--help"))) {
        return printOrFail(help());
    }
    const auto code = carryOut(*arguments);
    return code ? *code : refuse(code.error());
}

Result<void> refuseWords(const std::string& verb, const QStringList& words)
{
    return words.isEmpty() ? Result<void>()
                           : failure(LS_TR("Messages", "%1: \"%2\" is an unexpected argument"),
                               {verbatim(verb), verbatim(words.back().toStdString())});
}

std::string helpOf(std::span<const Option> options)
{
    std::string text;
    for (const Option& option : options) {
        std::string left
            = "  " + std::string(option.name) + (option.value.empty() ? "" : " ") + std::string(option.value);
        left.resize(std::max<std::size_t>(left.size() + 2, 26), ' ');
        text += left + language::told(option.help) + "\n";
    }
    return text;
}

QString closest(const QString& word, const QStringList& candidates)
{
    QString best;
    qsizetype smallest = std::max<qsizetype>(2, word.size() / 3) + 1;
    for (const QString& candidate : candidates) {
        const auto away = static_cast<qsizetype>(editDistance(word, candidate));
        if (away < smallest) {
            smallest = away;
            best = candidate;
        }
    }
    return best;
}

} // namespace lockstep::cli
