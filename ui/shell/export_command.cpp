#include "ui/shell/export_command.h"

#include "session/export/series_csv.h"
#include "session/store/run_store.h"
#include "ui/export/paper_files.h"
#include "ui/models/charts/chart_model.h"
#include "ui/shell/chosen_runs.h"
#include "ui/shell/parameter_options.h"
#include "ui/timeline/timeline_export.h"
#include "ui/timeline/timeline_scene.h"

#include <QCommandLineParser>
#include <QDir>

#include <cstdio>

namespace lockstep::ui {

namespace {

constexpr int Done = 0;
constexpr int BadInput = 2;

int refuse(const QString& line)
{
    std::fprintf(stderr, "lockstep: %s\n", qUtf8Printable(line));
    return BadInput;
}

struct Request {
    std::vector<analysis::RunRecord> runs;
    std::vector<const ChartKind*> charts;
    bool hasTimeline = false;
    int timelineSteps = 0; ///< 0: all
    std::vector<PaperFormat> formats;
    PaperOptions paper;
    bool showsSeeds = false;
    ParameterOptions parameters;
    Interfered interfered = Interfered::LeaveOut;
    QString store;
    QString out;
};

const QString Timeline = QStringLiteral("timeline");

/// Every name that `--chart` takes.
QString chartNames()
{
    QStringList names;
    for (const ChartKind& kind : chartKinds()) {
        names += QLatin1String(kind.id);
    }
    return (names << Timeline).join(QStringLiteral(", "));
}

Result<std::vector<const ChartKind*>> readCharts(const QString& text)
{
    std::vector<const ChartKind*> kinds;
    for (const QString& name : text.split(u',', Qt::SkipEmptyParts)) {
        if (const ChartKind* kind = findChart(name)) {
            kinds.push_back(kind);
        } else if (name != Timeline) {
            return Error{"--chart: " + name.toStdString() + " is no chart; allowed: " + chartNames().toStdString()};
        }
    }
    return kinds;
}

/// Every name that `--format` takes.
QString formatNames()
{
    QStringList names;
    for (const PaperFormat format : PaperFormats) {
        names += nameOf(format).toLower();
    }
    return names.join(QStringLiteral(", "));
}

Result<std::vector<PaperFormat>> readFormats(const QString& text)
{
    std::vector<PaperFormat> formats;
    for (const QString& name : text.split(u',', Qt::SkipEmptyParts)) {
        const auto format = formatFromName(name);
        if (!format) {
            return Error{"--format: " + name.toStdString() + " is no format; allowed: " + formatNames().toStdString()};
        }
        formats.push_back(*format);
    }
    return formats;
}

Result<double> readNumber(const QCommandLineParser& parser, const QString& name, double low, double high)
{
    bool isNumber = false;
    const double value = parser.value(name).toDouble(&isNumber);
    if (!isNumber || value < low || value > high) {
        return Error{"--" + name.toStdString() + ": " + parser.value(name).toStdString() + " is not a number in ["
            + QString::number(low).toStdString() + ", " + QString::number(high).toStdString() + "]"};
    }
    return value;
}

void addOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Writes charts of stored runs as files."));
    parser.addPositionalArgument(
        QStringLiteral("RUN"), QStringLiteral("an id, the beginning of one, or `last`"), QStringLiteral("RUN..."));
    parser.addHelpOption();
    const auto add = [&](const char* name, const QString& help, const char* value, const char* standard) {
        parser.addOption({QString::fromLatin1(name), help, QString::fromLatin1(value), QString::fromLatin1(standard)});
    };
    add("chart", chartNames() + QStringLiteral(" (several with commas)"), "CHARTS", "loss,accuracy");
    add("format", formatNames() + QStringLiteral(" (several with commas)"), "FORMATS", "pdf");
    add("out", QStringLiteral("the folder to write to"), "DIR", ".");
    add("store", QStringLiteral("the run store"), "DIR", "");
    add("width", QStringLiteral("in mm"), "MM", "183");
    add("height", QStringLiteral("in mm"), "MM", "110");
    add("font", QStringLiteral("in pt"), "PT", "8");
    add("dpi", QStringLiteral("of a PNG"), "N", "300");
    add("repeats", QStringLiteral("mean: the mean of repeats with its 95 % band; each: a curve a seed"), "HOW", "mean");
    addParameterOptions(parser);
    parser.addOption({QStringLiteral("with-interfered"),
        QStringLiteral("counts runs that were paused, slowed down or had their link changed by hand as repeats")});
    add("steps", QStringLiteral("how many of a run's last steps its timeline shows; 0 for all"), "N", "8");
}

Result<Request> readRequest(const QCommandLineParser& parser)
{
    Request request;
    LOCKSTEP_TRY_ASSIGN(auto charts, readCharts(parser.value(QStringLiteral("chart"))));
    LOCKSTEP_TRY_ASSIGN(auto formats, readFormats(parser.value(QStringLiteral("format"))));
    request.charts = std::move(charts);
    request.hasTimeline = parser.value(QStringLiteral("chart")).split(u',').contains(Timeline);
    request.formats = std::move(formats);
    const auto width = readNumber(parser, QStringLiteral("width"), 30, 1000);
    const auto height = readNumber(parser, QStringLiteral("height"), 20, 1000);
    const auto font = readNumber(parser, QStringLiteral("font"), 4, 36);
    const auto dpi = readNumber(parser, QStringLiteral("dpi"), 50, 1200);
    const auto steps = readNumber(parser, QStringLiteral("steps"), 0, 1e9);
    for (const auto* each : {&width, &height, &font, &dpi, &steps}) {
        if (!*each) {
            return each->error();
        }
    }
    request.paper.widthMm = *width;
    request.paper.heightMm = *height;
    request.paper.fontPt = *font;
    request.paper.dpi = static_cast<int>(*dpi);
    request.timelineSteps = static_cast<int>(*steps);
    LOCKSTEP_TRY_ASSIGN(request.parameters, readParameterOptions(parser, request.charts));
    const QString repeats = parser.value(QStringLiteral("repeats"));
    if (repeats != QStringLiteral("mean") && repeats != QStringLiteral("each")) {
        return Error{"--repeats: " + repeats.toStdString() + " is neither mean nor each"};
    }
    request.showsSeeds = repeats == QStringLiteral("each");
    request.interfered = parser.isSet(QStringLiteral("with-interfered")) ? Interfered::Include : Interfered::LeaveOut;
    request.out = parser.value(QStringLiteral("out"));
    request.store = parser.value(QStringLiteral("store"));
    if (request.store.isEmpty()) {
        request.store = session::RunStore::defaultFolder();
    }
    LOCKSTEP_TRY_ASSIGN(const auto store, session::RunStore::open(request.store));
    LOCKSTEP_TRY_ASSIGN(request.runs, chosenRuns(*store, parser.positionalArguments()));
    return request;
}

/// A ChartSpec or a Drawing.
template <typename Picture>
Result<void> write(const Request& request, const Picture& picture)
{
    PaperOptions paper = request.paper;
    paper.specJson = picture.specJson;
    for (const PaperFormat format : request.formats) {
        LOCKSTEP_TRY_ASSIGN(const auto files, renderFiles(picture, format, paper, picture.id));
        LOCKSTEP_TRY_ASSIGN(const auto paths, writePaperFiles(QDir(request.out).filePath(files.front().name), files));
        for (const QString& path : paths) {
            std::printf("%s\n", qUtf8Printable(path));
        }
    }
    return {};
}

/// One file for each of the chart's choices.
Result<void> writeChoices(const Request& request, ChartModel& model)
{
    if (model.kind().parameters != nullptr) {
        LOCKSTEP_TRY(applyParameterOptions(model, request.parameters));
    }
    if (model.choices().empty()) {
        return Error{std::string("--chart: ") + model.kind().id + ": " + model.kind().choices->none};
    }
    LOCKSTEP_TRY_ASSIGN(const auto wanted, wantedChoices(model, request.parameters));
    for (const ChartChoice& choice : wanted) {
        ChartOptions options = model.options();
        options.choice = choice.value;
        model.setOptions(options);
        LOCKSTEP_TRY(write(request, model.fullChart()));
    }
    return {};
}

/// One file a run: a timeline is of one run.
Result<void> writeTimelines(const Request& request, const std::vector<std::unique_ptr<RunFeed>>& feeds)
{
    for (const auto& feed : feeds) {
        const TimelineModel& model = feed->timeline();
        if (model.isEmpty()) {
            return Error{"run " + feed->id().text + " has no spans to draw"};
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

} // namespace

int exportCommand(const QStringList& arguments)
{
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QStringList{QStringLiteral("lockstep export")} + arguments)) {
        return refuse(parser.errorText());
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::printf("%s", qUtf8Printable(parser.helpText()));
        return Done;
    }
    const auto request = readRequest(parser);
    if (!request) {
        return refuse(QString::fromStdString(request.error().message));
    }
    if (!QDir().mkpath(request->out)) {
        return refuse(QStringLiteral("--out: the folder %1 cannot be made").arg(request->out));
    }
    const auto feeds = storedFeeds(request->store, request->runs);
    if (!feeds) {
        return refuse(QString::fromStdString(feeds.error().message));
    }
    std::vector<RunFeed*> shown;
    for (const auto& feed : *feeds) {
        shown.push_back(feed.get());
    }
    for (const ChartKind* kind : request->charts) {
        ChartModel model(*kind);
        ChartOptions options = model.options();
        options.showsSeeds = request->showsSeeds;
        options.interfered = request->interfered;
        model.setOptions(options);
        model.setFeeds(shown);
        const auto written
            = kind->choices != nullptr ? writeChoices(*request, model) : write(*request, model.fullChart());
        if (!written) {
            return refuse(QString::fromStdString(written.error().message));
        }
    }
    if (request->hasTimeline) {
        if (auto written = writeTimelines(*request, *feeds); !written) {
            return refuse(QString::fromStdString(written.error().message));
        }
    }
    return Done;
}

} // namespace lockstep::ui
