#include "cli/verbs.h"

#include "analysis/plain_text.h"
#include "base/clock.h"
#include "base/proc_files.h"
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/pages/verb_usage.h"
#include "language/language.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string_view>

#include <unistd.h>

namespace lockstep::cli {

namespace {

using Command = int (*)(const QStringList&, const CommandContext&);

int exportCommand(const QStringList& words, const CommandContext& context)
{
    return context.exportCharts
        ? context.exportCharts(words)
        : refuse(refusal("export", LS_TR("Refusals", "this build has no charts; build the desktop with ./run")));
}

int reportCommand(const QStringList& words, const CommandContext& context)
{
    return context.writeReport
        ? context.writeReport(words)
        : refuse(failure(LS_TR("Messages", "report: this build has no charts; build the desktop with ./run")));
}

int desktopCommand(const QStringList& words, const CommandContext& context)
{
    return context.changeDesktop
        ? context.changeDesktop(words)
        : refuse(refusal("desktop", LS_TR("Refusals", "this build has no window; build the desktop with ./run")));
}

struct Verb {
    std::string_view name;
    std::string_view help;
    Command command;
};

constexpr std::array Verbs{
    Verb{"run", "runs a preset or a spec and prints its results", &runCommand},
    Verb{"export", "draws charts of stored runs, and writes runs for TensorBoard, Perfetto and others", &exportCommand},
    Verb{"runs", "lists the stored runs", &runsCommand},
    Verb{"presets", "lists the built-in experiments", &presetsCommand},
    Verb{"parameters", "lists every parameter: range, default, meaning", &parametersCommand},
    Verb{"bundle", "puts runs with their experiment into one file", &bundleCommand},
    Verb{"import", "copies a bundle, run file, recording or curves into the store", &importCommand},
    Verb{"bench", "measures collectives: latency, bandwidth, correctness", &benchCommand},
    Verb{"queue", "experiments in line: add, list, move, pause, stop, and carry them out", &queueCommand},
    Verb{"resume", "resumes a run from its newest checkpoint", &resumeCommand},
    Verb{"weights", "joins the weights of a checkpoint for Python", &weightsCommand},
    Verb{"doctor", "reports what this machine has and what is missing", &doctorCommand},
    Verb{"report", "writes a report of stored runs: docx, PDF, HTML, Markdown, LaTeX", &reportCommand},
    Verb{"pytorch", "writes a run as a script for torch.distributed, with the same losses", &pytorchCommand},
    Verb{"launch", "writes the files by which Slurm, MPI, torchrun or containers start runs", &launchCommand},
    Verb{"lab", "laboratories: new, check, hand-out, hand-in, list, format", &labCommand},
    Verb{"desktop", "adds the workbench to the menu of your desktop, or removes it", &desktopCommand},
    Verb{"grade", "marks the hand-ins of a class: marks, roster, feedback", &gradeCommand},
    Verb{"hosts", "asks over ssh what the hosts for runs have, and checks them", &hostsCommand},
    Verb{"man", "writes the manual pages of both programs", &manCommand},
    Verb{"completion", "prints the completions for bash, zsh or fish", &completionCommand},
};

[[nodiscard]] std::string verbsHelpText()
{
    std::string text = "lockstep: a workbench for distributed machine learning\n\n"
                       "  lockstep                opens the desktop\n";
    for (const Verb& verb : Verbs) {
        std::string left = "  lockstep " + std::string(verb.name);
        left.resize(26, ' ');
        text += left + std::string(verb.help) + "\n";
    }
    return text
        + "\nlockstep VERB --help says more; --lang en|zh goes with every verb. Results go to stdout, progress and "
          "messages to stderr.\n"
          "Exit codes: 0 done, 2 bad input, 3 a run failed.\n";
}

[[nodiscard]] int unknownVerb(const QString& word)
{
    if (word == QLatin1String("tensorboard") || word == QLatin1String("perfetto")) {
        return refuse(refusal(word.toStdString(),
            LS_TR("Refusals", "a format, not a verb: lockstep export RUN --format %1 --out DIR"),
            {verbatim(word.toStdString())}));
    }
    QStringList names;
    for (const Verb& verb : Verbs) {
        names += QString::fromUtf8(verb.name.data(), static_cast<qsizetype>(verb.name.size()));
    }
    const QString meant = closest(word, names);
    return refuse(meant.isEmpty()
            ? refusal({}, LS_TR("Refusals", "unknown verb \"%1\" (lockstep --help lists them all)"),
                {verbatim(word.toStdString())})
            : refusal({},
                LS_TR("Refusals", "unknown verb \"%1\"; did you mean \"%2\"? (lockstep --help lists them all)"),
                {verbatim(word.toStdString()), verbatim(meant.toStdString())}));
}

} // namespace

std::vector<VerbUsage> verbUsages(const CommandContext& context)
{
    UsageCollector collector;
    std::vector<std::size_t> starts;
    for (const Verb& verb : Verbs) {
        starts.push_back(collector.usages().size());
        static_cast<void>(verb.command({}, context));
    }
    std::vector<VerbUsage> usages = collector.usages();
    for (std::size_t place = 0; place < Verbs.size(); ++place) {
        usages.at(starts[place]).summary = Verbs[place].help;
    }
    return usages;
}

int runVerb(const QStringList& given, const CommandContext& context)
{
    QStringList words = given;
    const auto language = language::takeLanguage(words);
    if (!language) {
        return refuse(language.error());
    }
    language::installTexts(*language);
    if (words.isEmpty()) {
        return printOrFail(verbsHelpText());
    }
    const QString& word = words.front();
    if (word == QLatin1String("--help") || word == QLatin1String("-h") || word == QLatin1String("help")) {
        return printOrFail(verbsHelpText());
    }
    if (word == QLatin1String("--version")) {
        return printOrFail("lockstep " + context.version.toStdString() + "\n");
    }
    const auto verb = std::find_if(
        Verbs.begin(), Verbs.end(), [name = word.toStdString()](const Verb& each) { return each.name == name; });
    if (verb == Verbs.end()) {
        return unknownVerb(word);
    }
    return verb->command(words.mid(1), context);
}

bool isVerb(std::string_view word)
{
    return std::any_of(Verbs.begin(), Verbs.end(), [word](const Verb& each) { return each.name == word; });
}

std::int64_t processStartNs()
{
    const auto process = processTicks(readProcFile("/proc/self/stat"));
    const long ticksPerSecond = sysconf(_SC_CLK_TCK);
    timespec sinceBoot{};
    if (!process || ticksPerSecond <= 0 || clock_gettime(CLOCK_BOOTTIME, &sinceBoot) != 0) {
        return monotonicNs();
    }
    const std::int64_t start = process->startedAt * (1'000'000'000 / ticksPerSecond);
    const std::int64_t now = std::int64_t{sinceBoot.tv_sec} * 1'000'000'000 + sinceBoot.tv_nsec;
    return monotonicNs() - std::max<std::int64_t>(0, now - start);
}

int refuse(const Error& error)
{
    report(language::errorLine(error));
    return ExitBadInput;
}

void report(const std::string& line)
{
    std::fprintf(stderr, "lockstep: %s\n", analysis::cleanText(line).c_str());
}

bool print(const std::string& text)
{
    const bool isJson = text.starts_with('{') || text.starts_with('[');
    const std::string clean = isJson ? analysis::cleanJson(text) : analysis::cleanText(text);
    return std::fwrite(clean.data(), 1, clean.size(), stdout) == clean.size() && std::fflush(stdout) == 0;
}

void printPath(const QString& path)
{
    [[maybe_unused]] const bool isPrinted = print(path.toStdString() + '\n'); // the file is what counts
}

int printOrFail(const std::string& text)
{
    return print(text) ? ExitDone : refuse(refusal({}, LS_TR("Refusals", "the output could not be written to stdout")));
}

} // namespace lockstep::cli
