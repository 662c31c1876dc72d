#include "session/commands/arguments.h"
#include "session/commands/interrupts.h"
#include "session/commands/run_progress.h"
#include "session/commands/run_results.h"
#include "session/commands/verbs.h"

#include "experiment/parameter.h"
#include "experiment/spec.h"
#include "session/session.h"
#include "session/store/run_store.h"

#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>

#include <array>
#include <cstdio>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using analysis::RunStatus;

constexpr std::array RunOptions{
    Option{"--set", "KEY=VALUE", "sets a parameter in every variant; may be given often"},
    Option{"--only", "NAME[,NAME]", "runs only these variants"},
    Option{"--out", "DIR", "writes result.json, the curves as CSV and the charts into DIR"},
    Option{"--json", "", "prints the results as JSON on stdout"},
    Option{"--store", "DIR", "the folder that keeps the runs"},
    Option{"--help", "", "this text, and every parameter"},
};
constexpr qint64 LargestSpec = 4 << 20;

[[nodiscard]] std::string helpText()
{
    std::string text = "lockstep run PRESET|SPEC.json [options]\n\nRuns every variant of an experiment, one after the "
                       "other, each as processes of its own.\nPresets:";
    for (const std::string_view name : experiment::presetNames()) {
        text.append(" ").append(name);
    }
    text += "\n\n" + helpOf(RunOptions) + "\nParameters for --set:\n";
    for (const experiment::Parameter& row : experiment::parameters()) {
        text += "  " + std::string(row.name) + "=" + experiment::toText(row.standard) + "\n      "
            + std::string(row.help) + " Allowed: " + experiment::allowedText(row) + ".\n";
    }
    return text;
}

[[nodiscard]] Result<experiment::Spec> readSpec(const QString& what)
{
    QStringList names;
    for (const std::string_view name : experiment::presetNames()) {
        names += QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    }
    if (names.contains(what)) {
        return experiment::preset(what.toStdString());
    }
    QFile file(what);
    if (!file.exists()) {
        const QString meant = closest(what, names);
        return Error{std::string("\"") + what.toStdString() + "\" is neither a preset ("
            + names.join(u", "_s).toStdString() + ") nor a file"
            + (meant.isEmpty() ? "" : std::string("; did you mean \"") + meant.toStdString() + "\"?")};
    }
    if (QFileInfo(what).isDir() || !file.open(QIODevice::ReadOnly)) {
        return Error{what.toStdString()
            + ": cannot be read: " + (QFileInfo(what).isDir() ? "it is a folder" : file.errorString().toStdString())};
    }
    if (file.size() > LargestSpec) {
        return Error{what.toStdString() + ": is larger than 4 MiB, which no spec is"};
    }
    auto spec = experiment::parseSpec(file.readAll().toStdString());
    return spec ? spec : Result<experiment::Spec>(Error{what.toStdString() + ": " + spec.error().message});
}

[[nodiscard]] Result<std::vector<experiment::RunSpec>> readRuns(const Arguments& arguments)
{
    auto spec = readSpec(arguments.positional().front());
    if (!spec) {
        return spec.error();
    }
    std::vector<experiment::Override> overrides;
    for (const QString& set : arguments.values(u"--set"_s)) {
        const qsizetype equals = set.indexOf(u'=');
        if (equals <= 0) {
            return Error{"--set: \"" + set.toStdString() + "\" is not KEY=VALUE"};
        }
        overrides.push_back({set.left(equals).toStdString(), set.mid(equals + 1).toStdString()});
    }
    std::vector<std::string> only;
    for (const QString& names : arguments.values(u"--only"_s)) {
        for (const QString& name : names.split(u',', Qt::SkipEmptyParts)) {
            only.push_back(name.toStdString());
        }
    }
    const auto chosen = experiment::customise(std::move(*spec), overrides, only);
    return chosen ? experiment::expand(*chosen) : Result<std::vector<experiment::RunSpec>>(chosen.error());
}

/// Runs them all; Ctrl+C stops cleanly, a second one kills.
[[nodiscard]] std::vector<RunId> runAll(Session& session, const std::vector<experiment::RunSpec>& runs)
{
    QEventLoop loop;
    QObject::connect(&session, &Session::allEnded, &loop, &QEventLoop::quit);
    Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, &session, [&session](int count) {
        std::fprintf(stderr, count == 1 ? "lockstep: stopping; once more to kill\n" : "lockstep: killing\n");
        if (count == 1) {
            session.stopAll();
        } else {
            session.killAll();
        }
    });
    std::vector<RunId> ids = session.start(runs);
    const RunProgress progress(session, ids);
    loop.exec();
    return ids;
}

[[nodiscard]] int exitCodeOf(const Session& session, const std::vector<RunId>& ids)
{
    int code = ExitDone;
    for (const RunId& id : ids) {
        const analysis::RunRecord record = session.record(id);
        if (record.status == RunStatus::Finished) {
            continue;
        }
        const bool isRefused = session.isRefused(id);
        // The line of a refusal begins with the parameter at fault.
        const std::string line = isRefused ? record.message
                                           : record.spec.name + " " + std::string(analysis::nameOf(record.status))
                + (record.message.empty() ? "" : ": " + record.message);
        std::fprintf(stderr, "lockstep: %s\n", line.c_str());
        if (isRefused) {
            code = ExitBadInput;
        } else if (code == ExitDone) {
            code = ExitRunFailed;
        }
    }
    return code;
}

[[nodiscard]] Result<void> makeOutputFolder(const QString& folder)
{
    if (!QDir().mkpath(folder) || !QFileInfo(folder).isWritable()) {
        return Error{"--out: " + folder.toStdString() + " is not a folder that can be written"};
    }
    return {};
}

} // namespace

int runCommand(const QStringList& words, const CommandContext& context)
{
    const auto arguments = Arguments::parse(words, RunOptions);
    if (!arguments) {
        return refuse("run: " + arguments.error().message);
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(helpText());
    }
    if (arguments->positional().size() != 1) {
        return refuse("run: needs one preset or spec file, for example: lockstep run optimizers");
    }
    const auto runs = readRuns(*arguments);
    if (!runs) {
        return refuse(runs.error().message);
    }
    const QString out = arguments->value(u"--out"_s);
    if (arguments->has(u"--out"_s)) {
        if (const auto made = makeOutputFolder(out); !made) {
            return refuse(made.error().message);
        }
    }
    SessionOptions options;
    options.storeFolder = arguments->has(u"--store"_s) ? arguments->value(u"--store"_s) : RunStore::defaultFolder();
    options.programStartNs = context.programStartNs;
    const auto store = RunStore::open(options.storeFolder);
    if (!store) {
        return refuse(store.error().message);
    }

    std::vector<analysis::RunRecord> records;
    int code = ExitDone;
    {
        Session session(options);
        const std::vector<RunId> ids = runAll(session, *runs);
        code = exitCodeOf(session, ids);
        for (const RunId& id : ids) {
            auto stored = (*store)->load(id);
            analysis::RunRecord known = session.record(id);
            if (stored) {
                // A full disk may have kept the end out of the file.
                stored->status = known.status;
                stored->message = known.message;
                stored->summary = known.summary;
                known = std::move(*stored);
            }
            records.push_back(std::move(known));
        }
    }
    const Results results{records, out, options.storeFolder};
    const bool wantsJson = arguments->has(u"--json"_s);
    const int printed = printOrFail(wantsJson ? resultsAsJson(results) : resultsAsTable(results));
    int saved = ExitDone;
    if (!out.isEmpty()) {
        if (const auto written = writeResults(results, context); !written) {
            saved = refuse(written.error().message);
        }
    }
    // What became of the runs matters more than what became of their files.
    return code != ExitDone ? code : printed != ExitDone ? printed : saved;
}

} // namespace lockstep::session
