// `lockstep man` and `lockstep completion`.
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/pages/completions.h"
#include "cli/pages/manual_pages.h"
#include "cli/verbs.h"
#include "launch/machine/machine_facts.h"

#include <QDateTime>
#include <QDir>
#include <QSaveFile>
#include <QTimeZone>

#include <array>
#include <optional>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;

constexpr int HelpLimitMs = 60'000;
constexpr std::array ManOptions{
    Option{"--out", "DIR", LS_TR("CommandLine", "the folder to write to (default: the current one)")},
    Option{"--rank", "FILE", LS_TR("CommandLine", "also writes the page of lockstep-rank, which is this program")},
    HelpOption};
constexpr std::array CompletionOptions{
    Option{"--rank", "FILE", LS_TR("CommandLine", "those of lockstep-rank, which is this program")}, HelpOption};

/// Of the program that --rank names; nothing if it is not given.
[[nodiscard]] Result<std::optional<VerbUsage>> rankUsageOf(const Arguments& arguments)
{
    if (!arguments.has(u"--rank"_s)) {
        return std::optional<VerbUsage>();
    }
    const QString program = arguments.value(u"--rank"_s);
    const launch::ProgramOutput help = launch::outputOf(program, {u"--help"_s}, HelpLimitMs);
    if (!help.out.starts_with("lockstep-rank: ")) {
        return failure(LS_TR("Messages", "--rank: %1 does not answer --help as lockstep-rank does"),
            {verbatim(program.toStdString())});
    }
    return std::optional(rankUsage(help.out));
}

/// The day of SOURCE_DATE_EPOCH, by which builds repeat each other's bytes, else today.
[[nodiscard]] std::string pageDate()
{
    bool isSet = false;
    const qlonglong seconds = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&isSet);
    const QDateTime day
        = isSet ? QDateTime::fromSecsSinceEpoch(seconds, QTimeZone::utc()) : QDateTime::currentDateTimeUtc();
    return day.toString(u"yyyy-MM-dd"_s).toStdString();
}

[[nodiscard]] Result<int> writePages(const Arguments& arguments, const CommandContext& context)
{
    LOCKSTEP_TRY(refuseWords("man", arguments.positional()));
    LOCKSTEP_TRY_ASSIGN(const auto rank, rankUsageOf(arguments));
    const PageFoot foot{pageDate(), LOCKSTEP_VERSION};
    std::vector<ManualPage> pages = pagesOfVerbs(verbUsages(context), foot);
    if (rank) {
        pages.push_back(pageOfRank(*rank, foot));
    }
    const QDir folder(arguments.value(u"--out"_s, u"."_s));
    if (!folder.mkpath(u"."_s)) {
        return refusal(
            "--out", LS_TR("Refusals", "the folder %1 cannot be made"), {verbatim(folder.path().toStdString())});
    }
    for (const ManualPage& page : pages) {
        QSaveFile file(folder.filePath(QString::fromStdString(page.name)));
        const auto size = static_cast<qint64>(page.text.size());
        if (!file.open(QIODevice::WriteOnly) || file.write(page.text.data(), size) != size || !file.commit()) {
            return failure(LS_TR("Messages", "%1 cannot be written: %2"),
                {verbatim(file.fileName().toStdString()), verbatim(file.errorString().toStdString())});
        }
        printPath(file.fileName());
    }
    return ExitDone;
}

struct Shell {
    std::string_view name;
    std::string (*script)(const CompletedProgram&);
};
constexpr std::array Shells{Shell{"bash", bashCompletion}, Shell{"zsh", zshCompletion}, Shell{"fish", fishCompletion}};

[[nodiscard]] Result<int> printCompletion(const Arguments& arguments, const CommandContext& context)
{
    const std::string name = arguments.positional().size() == 1 ? arguments.positional().front().toStdString() : "";
    const auto* shell = std::ranges::find(Shells, name, &Shell::name);
    if (shell == Shells.end()) {
        return failure(LS_TR("Messages", "completion: needs one of %1"), {verbatim(listed(Shells, &Shell::name))});
    }
    LOCKSTEP_TRY_ASSIGN(const auto rank, rankUsageOf(arguments));
    if (rank) {
        return printOrFail(shell->script({"lockstep-rank", {&*rank, 1}}));
    }
    const std::vector<VerbUsage> usages = verbUsages(context);
    return printOrFail(shell->script({"lockstep", usages}));
}

} // namespace

int manCommand(const QStringList& words, const CommandContext& context)
{
    return withArguments("man", words, ManOptions,
        LS_TR("CommandLine", "lockstep man [--out DIR] [--rank FILE]: writes the manual pages, made from the verbs"),
        [&](const Arguments& arguments) { return writePages(arguments, context); });
}

int completionCommand(const QStringList& words, const CommandContext& context)
{
    return withArguments("completion", words, CompletionOptions,
        LS_TR("CommandLine",
            "lockstep completion bash|zsh|fish: prints the completions for this shell, such as for "
            "~/.local/share/bash-completion/completions/lockstep"),
        [&](const Arguments& arguments) { return printCompletion(arguments, context); });
}

} // namespace lockstep::cli
