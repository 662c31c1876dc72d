// bundle, import.
#include "base/translate.h"
#include "session/commands/arguments.h"
#include "session/commands/chosen_runs.h"
#include "session/commands/interrupts.h"
#include "session/commands/verbs.h"

#include "session/bundle/import_bundle.h"
#include "session/bundle/write_bundle.h"
#include "session/export/series_csv.h"
#include "session/language.h"
#include "session/reference/import_reference.h"
#include "session/store/run_store.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>

#include <array>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr std::array BundleOptions{
    Option{"--out", "FILE", LS_TR("CommandLine", "the bundle, usually NAME.lockstep; a file of that name is replaced")},
    Option{"--dry-run", "", LS_TR("CommandLine", "only prints what the bundle would contain")},
    Option{"--with-names", "", LS_TR("CommandLine", "keeps host and user names, and the ids of GPUs")},
    Option{"--json", "", LS_TR("CommandLine", "prints JSON")},
    Option{"--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs")},
    Option{"--help", "", LS_TR("CommandLine", "this text")}};
constexpr std::array ImportOptions{
    Option{"--follow", "",
        LS_TR("CommandLine",
            "reads a recording while ranks write it, until all have ended; the run is in the store at once")},
    Option{"--spec", "FILE", LS_TR("CommandLine", "also writes a bundle's experiment there, for lockstep run")},
    Option{"--json", "", LS_TR("CommandLine", "prints JSON")},
    Option{"--store", "DIR", LS_TR("CommandLine", "the folder that keeps the runs")},
    Option{"--help", "", LS_TR("CommandLine", "this text")}};

[[nodiscard]] Result<std::unique_ptr<RunStore>> openedStore(const Arguments& arguments)
{
    return RunStore::open(storeOf(arguments));
}

[[nodiscard]] int printDraft(const BundleDraft& draft, const Arguments& arguments)
{
    return printOrFail(arguments.has(u"--json"_s) ? draft.manifest().toJson().toStdString() : draft.listing());
}

[[nodiscard]] int writeBundle(const Arguments& arguments)
{
    const QString out = arguments.value(u"--out"_s);
    const auto store = openedStore(arguments);
    if (!store) {
        return refuse(store.error());
    }
    const auto runs = chosenRuns(**store, arguments.positional());
    if (!runs) {
        return refuse(runs.error());
    }
    const auto draft
        = BundleDraft::create(**store, *runs, arguments.has(u"--with-names"_s) ? Names::Keep : Names::LeaveOut);
    if (!draft) {
        return refuse(draft.error());
    }
    if (arguments.has(u"--dry-run"_s)) {
        return printDraft(*draft, arguments);
    }
    std::fprintf(stderr, "lockstep: %s\n%s", told(LS_TR("CommandLine", "%1 will contain"), {out.toStdString()}).c_str(),
        draft->listing().c_str());
    if (const auto written = draft->write(out); !written) {
        return refuse(written.error());
    }
    return printOrFail(
        arguments.has(u"--json"_s) ? draft->manifest().toJson().toStdString() : out.toStdString() + "\n");
}

[[nodiscard]] Json idsOf(const std::vector<RunId>& ids)
{
    Json list = Json::array();
    for (const RunId& id : ids) {
        list.push_back(id.text);
    }
    return list;
}

[[nodiscard]] Json namesOf(const QStringList& names)
{
    Json list = Json::array();
    for (const QString& name : names) {
        list.push_back(name.toStdString());
    }
    return list;
}

/// One experiment as it is, several as a list.
[[nodiscard]] QByteArray specsText(const std::vector<QByteArray>& specs)
{
    return specs.size() == 1 ? specs.front() : "[\n" + QByteArrayList(specs.begin(), specs.end()).join(",\n") + "]\n";
}

[[nodiscard]] int openBundle(RunStore& store, const Arguments& arguments)
{
    const QString spec = arguments.value(u"--spec"_s);
    if (!spec.isEmpty() && QFileInfo::exists(spec)) {
        return refuse({"--spec: " + spec.toStdString() + " already exists; name a new file"});
    }
    const auto imported = importBundle(store, arguments.positional().front());
    if (!imported) {
        return refuse(imported.error());
    }
    std::string lines;
    for (const RunId& id : imported->runs) {
        lines += id.text + "\n";
    }
    for (const RunId& id : imported->alreadyThere) {
        std::fprintf(stderr, "lockstep: %s\n",
            told(LS_TR("CommandLine", "run %1 is already in this store and is left unchanged"), {id.text}).c_str());
    }
    const int printed = printOrFail(!arguments.has(u"--json"_s)
            ? lines
            : Json{{"version", 1}, {"runs", idsOf(imported->runs)}, {"already_there", idsOf(imported->alreadyThere)},
                  {"views", namesOf(imported->views)}}
                    .dump()
                + "\n");
    if (!spec.isEmpty()) {
        if (const auto written = writeFile(spec, specsText(imported->specs)); !written) {
            return refuse(written.error());
        }
    }
    return printed;
}

/// Until every rank has ended, or Ctrl+C.
[[nodiscard]] Result<Followed> followRanks(RunStore& store, const QString& file)
{
    bool isInterrupted = false;
    Interrupts interrupts;
    QObject::connect(&interrupts, &Interrupts::interrupted, [&isInterrupted] { isInterrupted = true; });
    std::int64_t told = -1;
    QElapsedTimer sinceTold;
    return store.follow(
        file,
        [&](const Followed& read) {
            QCoreApplication::processEvents();
            const std::int64_t step = read.lastStep;
            if (step != told && (told < 0 || sinceTold.hasExpired(1000))) {
                const std::string line = step == 0
                    ? session::told(LS_TR("CommandLine", "waiting for steps in %1"), {file.toStdString()})
                    : session::told(LS_TR("CommandLine", "step %1"), {std::to_string(step)});
                std::fprintf(stderr, "lockstep: %s\n", line.c_str());
                told = step;
                sinceTold.start();
            }
            return !isInterrupted;
        },
        LongestSilence);
}

/// What was read, with the id of its run.
[[nodiscard]] Result<Followed> importedRun(RunStore& store, const Arguments& arguments)
{
    const QString& file = arguments.positional().front();
    if (arguments.has(u"--follow"_s)) {
        return followRanks(store, file);
    }
    const auto imported = importAny(store, file);
    return imported ? Result<Followed>(Followed{imported->runs.front()}) : imported.error();
}

[[nodiscard]] int openRun(RunStore& store, const Arguments& arguments)
{
    if (arguments.has(u"--spec"_s)) {
        return refuse(
            {"--spec: " + arguments.positional().front().toStdString() + " is no bundle; only a bundle has one"});
    }
    const auto imported = importedRun(store, arguments);
    if (!imported) {
        return refuse(imported.error());
    }
    const std::string& id = imported->run.text;
    const int printed
        = printOrFail(arguments.has(u"--json"_s) ? Json{{"version", 1}, {"id", id}}.dump() + "\n" : id + "\n");
    return imported->cut.empty() ? printed : refuse({imported->cut});
}

} // namespace

int bundleCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = Arguments::parse(words, BundleOptions);
    if (!arguments) {
        return refuse(during("bundle", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(told(LS_TR("CommandLine",
                               "lockstep bundle RUN... --out FILE: runs with their experiment and environment as one "
                               "file, for lockstep "
                               "import. RUN is an id, the beginning of one, or last: the newest comparison"))
            + "\n\n" + helpOf(BundleOptions));
    }
    if (arguments->positional().isEmpty()) {
        return refuse({"bundle: needs the ids of runs, or last; lockstep runs lists them"});
    }
    if (arguments->value(u"--out"_s).isEmpty() && !arguments->has(u"--dry-run"_s)) {
        return refuse({"bundle: needs --out FILE, or --dry-run"});
    }
    return writeBundle(*arguments);
}

int importCommand(const QStringList& words, const CommandContext&)
{
    const auto arguments = Arguments::parse(words, ImportOptions);
    if (!arguments) {
        return refuse(during("import", arguments.error()));
    }
    if (arguments->has(u"--help"_s)) {
        return printOrFail(
            told(LS_TR("CommandLine",
                "lockstep import FILE [--json] [--store DIR]: copies the runs of a bundle, a run file "
                "or a recording of lockstep-rank (of all its ranks: FILE, FILE.rank0) into the store, marked "
                "as imported, or the scalars of a TensorBoard event file or a CSV as the curves of a run "
                "to compare with; starts nothing"))
            + "\n\n" + helpOf(ImportOptions));
    }
    if (arguments->positional().isEmpty()) {
        return refuse({"import: needs the file of a run, a bundle, or curves (an event file or a CSV)"});
    }
    if (arguments->positional().size() > 1) {
        return refuse({"import: \"" + arguments->positional().back().toStdString() + "\" is an unexpected argument"});
    }
    const auto store = openedStore(*arguments);
    if (!store) {
        return refuse(store.error());
    }
    const QString& file = arguments->positional().front();
    if (isBundle(file) && arguments->has(u"--follow"_s)) {
        return refuse({"--follow: " + file.toStdString() + " is a bundle, not a recording of lockstep-rank"});
    }
    return isBundle(file) ? openBundle(**store, *arguments) : openRun(**store, *arguments);
}

} // namespace lockstep::session
