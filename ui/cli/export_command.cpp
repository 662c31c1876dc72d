#include "ui/cli/export_command.h"

#include "base/translate.h"
#include "cli/arguments.h"
#include "cli/pages/verb_usage.h"
#include "cli/verbs.h"
#include "language/language.h"
#include "language/wording.h"
#include "store/run_store.h"
#include "ui/cli/export_request.h"
#include "ui/cli/parameter_options.h"
#include "ui/cli/stored_feeds.h"
#include "ui/export/figure_boxes.h"
#include "ui/export/paper_files.h"
#include "ui/models/charts/chart_model.h"
#include "ui/timeline/timeline_export.h"
#include "ui/timeline/timeline_scene.h"

#include <QCommandLineParser>
#include <QDir>

#include <algorithm>
#include <cstdio>

namespace lockstep::ui {

namespace {

using cli::printPath;
using cli::refuse;

/// The picture as it can be printed; says what was changed for that, and what is still wrong.
MendedPaper forPrint(const ExportRequest& request, const Picture& picture)
{
    MendedPaper paper = mended(picture, request.paper);
    for (const std::vector<Text>* said : {&paper.changes, &paper.faults}) {
        for (const Text& each : *said) {
            cli::report(
                language::worded(Text(LS_TR("Messages", "%1: %2"), {verbatim(idOf(picture).toStdString()), each})));
        }
    }
    return paper;
}

Result<void> write(const ExportRequest& request, const Picture& picture)
{
    const MendedPaper mendedPaper = std::ranges::any_of(request.formats, showsPicture)
        ? forPrint(request, picture)
        : MendedPaper{picture, request.paper, {}, {}};
    PaperOptions paper = mendedPaper.options;
    paper.specJson = specOf(picture);
    for (const PaperFormat format : request.formats) {
        LOCKSTEP_TRY_ASSIGN(auto files, renderFiles(mendedPaper.picture, format, paper, idOf(picture)));
        for (PaperFile& file : files) {
            if (request.marksCsv && format == PaperFormat::Csv
                && !file.bytes.startsWith(QByteArrayView(Utf8Mark.data(), Utf8Mark.size()))) {
                file.bytes.prepend(Utf8Mark.data(), Utf8Mark.size());
            }
        }
        LOCKSTEP_TRY_ASSIGN(const auto paths, writePaperFiles(QDir(request.out).filePath(files.front().name), files));
        for (const QString& path : paths) {
            printPath(path);
        }
    }
    return {};
}

/// One for each of the chart's choices, if it has some.
Result<std::vector<ChartSpec>> chartsOf(
    const ExportRequest& request, const ChartKind& kind, const std::vector<RunFeed*>& shown)
{
    ChartModel model(kind);
    ChartOptions options = model.options();
    options.showsSeeds = request.showsSeeds;
    options.interfered = request.interfered;
    model.setOptions(options);
    model.setFeeds(shown);
    if (kind.choices == nullptr) {
        return std::vector<ChartSpec>{model.fullChart()};
    }
    if (kind.parameters != nullptr) {
        LOCKSTEP_TRY(applyParameterOptions(model, request.parameters));
    }
    if (model.choices().empty()) {
        return refusal(std::string("--chart: ") + kind.id, kind.choices->none);
    }
    LOCKSTEP_TRY_ASSIGN(const auto wanted, wantedChoices(model, request.parameters));
    std::vector<ChartSpec> charts;
    for (const ChartChoice& choice : wanted) {
        options = model.options();
        options.choice = choice.value;
        model.setOptions(options);
        charts.push_back(model.fullChart());
    }
    return charts;
}

/// One file a run: a timeline is of one run.
Result<void> writeTimelines(const ExportRequest& request, const std::vector<std::unique_ptr<RunFeed>>& feeds)
{
    for (const auto& feed : feeds) {
        const TimelineModel& model = feed->timeline();
        if (model.isEmpty()) {
            return refusal("run " + feed->id().text, LS_TR("Refusals", "has no spans to draw"));
        }
        const TimelineWindow window = request.timelineSteps == 0 ? model.whole() : model.newest(request.timelineSteps);
        TimelineScene scene = timelineScene(*feed, window, TimelineColours::MicroBatch);
        Drawing drawing = timelineDrawing(*feed, std::move(scene));
        if (feeds.size() > 1) {
            drawing.id += u'-' + QString::fromStdString(feed->id().text);
        }
        LOCKSTEP_TRY(write(request, drawing));
    }
    return {};
}

Result<void> writeAll(const ExportRequest& request, const std::vector<std::unique_ptr<RunFeed>>& feeds,
    const std::vector<RunFeed*>& shown)
{
    std::vector<ChartSpec> panels;
    for (const ChartKind* kind : request.charts) {
        LOCKSTEP_TRY_ASSIGN(auto charts, chartsOf(request, *kind, shown));
        for (ChartSpec& chart : charts) {
            if (request.panelColumns > 0) {
                panels.push_back(std::move(chart));
            } else {
                LOCKSTEP_TRY(write(request, chart));
            }
        }
    }
    if (!panels.empty()) {
        LOCKSTEP_TRY(write(request, panelsOf(std::move(panels), request.panelColumns)));
    }
    return request.hasTimeline ? writeTimelines(request, feeds) : Result<void>();
}

Result<void> writeData(const ExportRequest& request)
{
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(request.store));
    for (const exchange::DataFormat format : request.dataFormats) {
        for (const analysis::RunRecord& run : request.runs) {
            LOCKSTEP_TRY_ASSIGN(const auto files, exchange::dataFiles(*store, run.id, format, request.traceSteps));
            LOCKSTEP_TRY(exchange::writeFiles(request.out, files, request.existing));
            for (const exchange::NewFile& file : files) {
                printPath(QDir(request.out).filePath(file.path));
            }
        }
    }
    return {};
}

Result<void> write(const ExportRequest& request)
{
    LOCKSTEP_TRY(writeData(request));
    if (request.formats.empty()) {
        return {};
    }
    LOCKSTEP_TRY_ASSIGN(const auto feeds, storedFeeds(request.store, request.runs));
    std::vector<RunFeed*> shown;
    for (const auto& feed : feeds) {
        shown.push_back(feed.get());
    }
    LOCKSTEP_TRY(writeAll(request, feeds, shown));
    cli::report(language::runCount(request.runs, request.interfered));
    return {};
}

cli::VerbUsage exportUsage()
{
    cli::VerbUsage usage{"export", {}, std::string("lockstep export RUN... [options]\n\n") + ExportDescription, {}};
    usage.text += "\n\nRUN is an id, the beginning of one, or `last`: the newest comparison.\n";
    for (const QCommandLineOption& option : exportOptions()) {
        usage.options.push_back({"--" + option.names().constFirst().toStdString(), option.valueName().toStdString(),
            option.description().toStdString()});
    }
    usage.options.push_back({"--help", {}, language::told(cli::HelpOption.help)});
    return usage;
}

} // namespace

int exportCommand(const QStringList& arguments)
{
    if (cli::UsageCollector* collector = cli::UsageCollector::active()) {
        collector->add(exportUsage());
        return ExitDone;
    }
    QCommandLineParser parser;
    addExportOptions(parser);
    if (!parser.parse(QStringList{QStringLiteral("lockstep export")} + arguments)) {
        return refuse(failureOf(verbatim(parser.errorText().toStdString())));
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::printf("%s", qUtf8Printable(parser.helpText()));
        return ExitDone;
    }
    const auto request = readExportRequest(parser);
    if (!request) {
        return refuse(request.error());
    }
    if (!QDir().mkpath(request->out)) {
        return refuse(refusal(
            "--out", LS_TR("Refusals", "the folder %1 cannot be made"), {verbatim(request->out.toStdString())}));
    }
    const auto written = write(*request);
    return written ? ExitDone : refuse(written.error());
}

} // namespace lockstep::ui
