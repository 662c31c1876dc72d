// bundle, import.
#include "analysis/plain_text.h"
#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/chosen_runs.h"
#include "cli/verbs.h"

#include "exchange/bundle/import_bundle.h"
#include "exchange/bundle/write_bundle.h"
#include "exchange/export/series_csv.h"
#include "exchange/reference/import_reference.h"
#include "language/language.h"
#include "language/wording.h"
#include "launch/interrupts.h"
#include "store/run_store.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFileInfo>

#include <array>
#include <cstdio>

#include <nlohmann/json.hpp>

namespace lockstep::cli {

namespace {

using namespace Qt::StringLiterals;
using Json = nlohmann::ordered_json;

constexpr std::array BundleOptions{
    Option{"--out", "FILE", LS_TR("CommandLine", "the bundle, usually NAME.lockstep; a file of that name is replaced")},
    Option{"--dry-run", "", LS_TR("CommandLine", "only prints what the bundle would contain")},
    Option{"--with-names", "", LS_TR("CommandLine", "keeps host and user names, and the ids of GPUs")}, JsonOption,
    StoreOption, HelpOption};
constexpr std::array ImportOptions{
    Option{"--follow", "",
        LS_TR("CommandLine",
            "reads a recording while ranks write it, until all have ended; the run is in the store at once")},
    Option{"--spec", "FILE", LS_TR("CommandLine", "also writes a bundle's experiment there, for lockstep run")},
    JsonOption, StoreOption, HelpOption};

[[nodiscard]] Result<int> writeBundle(const Arguments& arguments)
{
    const QString out = arguments.value(u"--out"_s);
    if (arguments.positional().isEmpty()) {
        return failure(LS_TR("Messages", "bundle: needs the ids of runs, or last; lockstep runs lists them"));
    }
    if (out.isEmpty() && !arguments.has(u"--dry-run"_s)) {
        return failure(LS_TR("Messages", "bundle: needs --out FILE, or --dry-run"));
    }
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(storeOf(arguments)));
    LOCKSTEP_TRY_ASSIGN(const auto runs, chosenRuns(*store, arguments.positional()));
    LOCKSTEP_TRY_ASSIGN(const auto draft,
        exchange::BundleDraft::create(
            *store, runs, arguments.has(u"--with-names"_s) ? exchange::Names::Keep : exchange::Names::LeaveOut));
    const std::string json = draft.manifest().toJson().toStdString();
    if (arguments.has(u"--dry-run"_s)) {
        return printOrFail(arguments.has(u"--json"_s) ? json : draft.listing());
    }
    report(language::told(LS_TR("CommandLine", "%1 will contain"), {out.toStdString()}));
    std::fputs(analysis::cleanText(draft.listing()).c_str(), stderr);
    LOCKSTEP_TRY(draft.write(out));
    return printOrFail(arguments.has(u"--json"_s) ? json : out.toStdString() + "\n");
}

[[nodiscard]] Json idsOf(const std::vector<RunId>& ids)
{
    Json list = Json::array();
    for (const RunId& id : ids) {
        list.push_back(id.text);
    }
    return list;
}

[[nodiscard]] std::string linesOf(const std::vector<RunId>& ids)
{
    std::string lines;
    for (const RunId& id : ids) {
        lines += id.text + "\n";
    }
    return lines;
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

[[nodiscard]] Result<int> openBundle(store::RunStore& store, const Arguments& arguments)
{
    const QString spec = arguments.value(u"--spec"_s);
    if (!spec.isEmpty() && QFileInfo::exists(spec)) {
        return refusal(
            "--spec", LS_TR("Messages", "%1 already exists; name a new file"), {verbatim(spec.toStdString())});
    }
    LOCKSTEP_TRY_ASSIGN(const auto imported, exchange::importBundle(store, arguments.positional().front()));
    for (const RunId& id : imported.alreadyThere) {
        report(
            language::told(LS_TR("CommandLine", "run %1 is already in this store and is left unchanged"), {id.text}));
    }
    const int printed = printOrFail(!arguments.has(u"--json"_s)
            ? linesOf(imported.runs)
            : Json{{"version", 1}, {"runs", idsOf(imported.runs)}, {"already_there", idsOf(imported.alreadyThere)},
                  {"views", namesOf(imported.views)}}
                    .dump()
                + "\n");
    if (!spec.isEmpty()) {
        LOCKSTEP_TRY(exchange::writeFile(spec, specsText(imported.specs)));
    }
    return printed;
}

/// Until every rank has ended, or Ctrl+C.
[[nodiscard]] Result<store::Followed> followRanks(store::RunStore& store, const QString& file)
{
    bool isInterrupted = false;
    launch::Interrupts interrupts;
    QObject::connect(&interrupts, &launch::Interrupts::interrupted, [&isInterrupted] { isInterrupted = true; });
    std::int64_t reported = -1;
    QElapsedTimer sinceReport;
    return store.follow(
        file,
        [&](const store::Followed& read) {
            QCoreApplication::processEvents();
            const std::int64_t step = read.lastStep;
            if (step != reported && (reported < 0 || sinceReport.hasExpired(1000))) {
                report(step == 0 ? language::told(LS_TR("CommandLine", "waiting for steps in %1"), {file.toStdString()})
                                 : language::told(LS_TR("CommandLine", "step %1"), {std::to_string(step)}));
                reported = step;
                sinceReport.start();
            }
            return !isInterrupted;
        },
        store::LongestSilence);
}

/// What was read of a recording while ranks wrote it.
[[nodiscard]] Result<int> followNamed(store::RunStore& store, const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto read, followRanks(store, arguments.positional().front()));
    const std::string& id = read.run.text;
    const int printed
        = printOrFail(arguments.has(u"--json"_s) ? Json{{"version", 1}, {"id", id}}.dump() + "\n" : id + "\n");
    return read.cut.empty() ? printed : refuse(failureOf(read.cut));
}

/// Files and folders of any kinds; says what could not be imported beside what was.
[[nodiscard]] Result<int> openFiles(store::RunStore& store, const Arguments& arguments)
{
    LOCKSTEP_TRY_ASSIGN(const auto imported, exchange::importAny(store, arguments.positional()));
    for (const Text& remark : imported.remarks) {
        report(language::worded(remark));
    }
    const bool isOne = arguments.positional().size() == 1 && imported.runs.size() == 1;
    const Json json = isOne
        ? Json{{"version", 1}, {"id", imported.runs.front().text}}
        : Json{{"version", 1}, {"runs", idsOf(imported.runs)}, {"already_there", idsOf(imported.alreadyThere)}};
    int code = printOrFail(arguments.has(u"--json"_s) ? json.dump() + "\n" : linesOf(imported.runs));
    for (const Error& error : imported.refused) {
        code = refuse(error);
    }
    return code;
}

[[nodiscard]] Result<int> importNamed(const Arguments& arguments)
{
    if (arguments.positional().isEmpty()) {
        return failure(
            LS_TR("Messages", "import: needs files of runs, bundles, or curves (event files, CSV, folders of them)"));
    }
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(storeOf(arguments)));
    const QString& file = arguments.positional().front();
    const bool isOneBundle = arguments.positional().size() == 1 && exchange::isBundle(file);
    if (arguments.has(u"--follow"_s)) {
        LOCKSTEP_TRY(refuseWords("import --follow", arguments.positional().mid(1)));
        return isOneBundle
            ? Result<int>(refusal("--follow", LS_TR("Messages", "%1 is a bundle, not a recording of lockstep-rank"),
                {verbatim(file.toStdString())}))
            : followNamed(*store, arguments);
    }
    if (arguments.has(u"--spec"_s) && !isOneBundle) {
        return refusal(
            "--spec", LS_TR("Messages", "%1 is no bundle; only a bundle has one"), {verbatim(file.toStdString())});
    }
    return isOneBundle ? openBundle(*store, arguments) : openFiles(*store, arguments);
}

} // namespace

int bundleCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("bundle", words, BundleOptions,
        LS_TR("CommandLine",
            "lockstep bundle RUN... --out FILE: runs with their experiment and environment as one file, for lockstep "
            "import. RUN is an id, the beginning of one, or last: the newest comparison"),
        writeBundle);
}

int importCommand(const QStringList& words, const CommandContext&)
{
    return withArguments("import", words, ImportOptions,
        LS_TR("CommandLine",
            "lockstep import FILE... [--json] [--store DIR]: copies the runs of bundles, run files "
            "and recordings of lockstep-rank (of all its ranks: FILE, FILE.rank0) into the store, marked "
            "as imported. Scalars of TensorBoard event files, and columns of CSV or TSV files (also .gz), become "
            "runs to compare with; a folder is read with those in it. Starts nothing"),
        importNamed);
}

} // namespace lockstep::cli
