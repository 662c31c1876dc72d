#include "ui/cli/export_request.h"

#include "base/translate.h"
#include "store/run_store.h"
#include "ui/cli/stored_feeds.h"

#include <QCommandLineParser>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

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
            return refusal("--chart", LS_TR("Refusals", "%1 is not a chart; allowed: %2"),
                {verbatim(name.toStdString()), verbatim(chartNames().toStdString())});
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
    for (const exchange::DataFormat format : exchange::DataFormats) {
        names += QLatin1StringView(exchange::nameOf(format));
    }
    return names.join(QStringLiteral(", "));
}

Result<void> readFormats(const QString& text, ExportRequest& request)
{
    for (const QString& name : text.split(u',', Qt::SkipEmptyParts)) {
        if (const auto format = formatFromName(name)) {
            request.formats.push_back(*format);
        } else if (const auto data = exchange::dataFormatFromName(name)) {
            request.dataFormats.push_back(*data);
        } else {
            return refusal("--format", LS_TR("Refusals", "%1 is not a format; allowed: %2"),
                {verbatim(name.toStdString()), verbatim(formatNames().toStdString())});
        }
    }
    return {};
}

/// Options of charts have no effect on whole runs: refused where nothing is drawn.
Result<void> checkChartOptions(const QCommandLineParser& parser, const ExportRequest& request)
{
    if (!request.formats.empty()) {
        return {};
    }
    for (const char* option : {"chart", "width", "height", "font", "dpi", "panels", "legend", "x-range", "y-range",
             "no-raw", "repeats", "paper", "bom"}) {
        if (parser.isSet(QLatin1StringView(option))) {
            return refusal(std::string("--") + option,
                LS_TR("Refusals",
                    "applies only to charts, but --format names no chart format; formats allowed with it: %1"),
                {verbatim("svg, pdf, png, csv, pgfplots")});
        }
    }
    return {};
}

Result<double> readNumber(const QCommandLineParser& parser, const QString& name, double low, double high)
{
    bool isNumber = false;
    const double value = parser.value(name).toDouble(&isNumber);
    if (!isNumber || value < low || value > high) {
        return refusal("--" + name.toStdString(), LS_TR("Refusals", "%1 is not a number in [%2, %3]"),
            {verbatim(parser.value(name).toStdString()), verbatim(QString::number(low).toStdString()),
                verbatim(QString::number(high).toStdString())});
    }
    return value;
}

constexpr std::array LegendNames{"above", "below", "top-right", "bottom-right", "none"};

QString legendNames()
{
    QStringList names;
    for (const char* each : LegendNames) {
        names += QLatin1String(each);
    }
    return names.join(QStringLiteral(", "));
}

Result<LegendPlace> readLegend(const QString& name)
{
    const auto found = std::find_if(
        LegendNames.begin(), LegendNames.end(), [&](const char* each) { return name == QLatin1String(each); });
    if (found == LegendNames.end()) {
        return refusal("--legend", LS_TR("Refusals", "%1 is not a legend position; allowed: %2"),
            {verbatim(name.toStdString()), verbatim(legendNames().toStdString())});
    }
    return static_cast<LegendPlace>(found - LegendNames.begin());
}

/// Width of a figure and size of its letters, as the guides for authors have them.
struct PaperPreset {
    const char* name;
    double widthMm;
    double fontPt;
};
constexpr std::array PaperPresets{PaperPreset{"nature", 89.0, 7.0}, PaperPreset{"nature-wide", 183.0, 7.0},
    PaperPreset{"ieee", 88.9, 8.0}, PaperPreset{"ieee-wide", 181.0, 8.0}, PaperPreset{"acm", 84.5, 8.0},
    PaperPreset{"acm-wide", 177.8, 8.0}, PaperPreset{"thesis", 150.0, 10.0}};

QString presetNames()
{
    QStringList names;
    for (const PaperPreset& each : PaperPresets) {
        names += QLatin1String(each.name);
    }
    return names.join(QStringLiteral(", "));
}

/// Of what no separate option sets.
Result<void> readPreset(const QCommandLineParser& parser, PaperOptions& paper)
{
    const QString name = parser.value(QStringLiteral("paper"));
    if (name.isEmpty()) {
        return {};
    }
    const auto* found
        = std::ranges::find_if(PaperPresets, [&](const PaperPreset& each) { return name == QLatin1String(each.name); });
    if (found == PaperPresets.end()) {
        return refusal("--paper", LS_TR("Refusals", "%1 is not a paper; allowed: %2"),
            {verbatim(name.toStdString()), verbatim(presetNames().toStdString())});
    }
    paper.widthMm = parser.isSet(QStringLiteral("width")) ? paper.widthMm : found->widthMm;
    paper.fontPt = parser.isSet(QStringLiteral("font")) ? paper.fontPt : found->fontPt;
    return {};
}

/// `LOW:HIGH`; an empty end is fitted to the data.
Result<AxisEnds> readEnds(const QCommandLineParser& parser, const QString& name)
{
    AxisEnds ends;
    const QString text = parser.value(name);
    if (text.isEmpty()) {
        return ends;
    }
    const QStringList parts = text.split(u':');
    const auto read = [&](qsizetype at, std::optional<double>& end) {
        bool isNumber = parts[at].isEmpty();
        if (!isNumber) {
            end = parts[at].toDouble(&isNumber);
        }
        return isNumber;
    };
    if (parts.size() != 2 || !read(0, ends.low) || !read(1, ends.high)) {
        return refusal("--" + name.toStdString(),
            LS_TR("Refusals", "%1 is not LOW:HIGH, two numbers of which one may be left out"),
            {verbatim(text.toStdString())});
    }
    return ends;
}

Result<void> readPaper(const QCommandLineParser& parser, ExportRequest& request)
{
    const auto width = readNumber(parser, QStringLiteral("width"), 30, 1000);
    const auto height = readNumber(parser, QStringLiteral("height"), 20, 1000);
    const auto font = readNumber(parser, QStringLiteral("font"), 4, 36);
    const auto dpi = readNumber(parser, QStringLiteral("dpi"), 50, 1200);
    const auto steps = readNumber(parser, QStringLiteral("steps"), 0, 1e9);
    const auto panels = readNumber(parser, QStringLiteral("panels"), 0, 6);
    for (const auto* each : {&width, &height, &font, &dpi, &steps, &panels}) {
        if (!*each) {
            return each->error();
        }
    }
    request.paper.widthMm = *width;
    request.paper.heightMm = *height;
    request.paper.fontPt = *font;
    LOCKSTEP_TRY(readPreset(parser, request.paper));
    request.paper.dpi = static_cast<int>(*dpi);
    request.timelineSteps = static_cast<int>(*steps);
    request.traceSteps = parser.isSet(QStringLiteral("steps")) ? request.timelineSteps : 0;
    request.panelColumns = static_cast<int>(*panels);
    LOCKSTEP_TRY_ASSIGN(request.paper.legend, readLegend(parser.value(QStringLiteral("legend"))));
    LOCKSTEP_TRY_ASSIGN(request.paper.x, readEnds(parser, QStringLiteral("x-range")));
    LOCKSTEP_TRY_ASSIGN(request.paper.y, readEnds(parser, QStringLiteral("y-range")));
    request.marksCsv = parser.isSet(QStringLiteral("bom"));
    if (parser.isSet(QStringLiteral("no-raw"))) {
        request.paper.rawTraces = PaperOptions::RawTraces::LeftOut;
    }
    return {};
}

} // namespace

QList<QCommandLineOption> exportOptions()
{
    QList<QCommandLineOption> options;
    const auto add = [&](const char* name, const QString& help, const char* value, const char* standard) {
        options.append({QString::fromLatin1(name), help, QString::fromLatin1(value), QString::fromLatin1(standard)});
    };
    add("chart", chartNames() + QStringLiteral(" (several with commas)"), "CHARTS", "loss,accuracy");
    add("format", formatNames() + QStringLiteral(" (several with commas)"), "FORMATS", "pdf");
    add("out", QStringLiteral("the folder to write to"), "DIR", ".");
    add("store", QStringLiteral("the run store"), "DIR", "");
    add("paper", presetNames() + QStringLiteral(": width and font size of a figure there"), "NAME", "");
    add("width", QStringLiteral("in mm"), "MM", "183");
    add("height", QStringLiteral("in mm"), "MM", "110");
    add("font", QStringLiteral("in pt"), "PT", "8");
    add("dpi", QStringLiteral("of a PNG"), "N", "300");
    add("panels", QStringLiteral("all charts in one figure with this many columns; 0: one file per chart"), "COLUMNS",
        "0");
    add("legend", legendNames(), "PLACE", "above");
    add("x-range", QStringLiteral("ends of the x axis; an empty one is fitted"), "LOW:HIGH", "");
    add("y-range", QStringLiteral("ends of the y axis"), "LOW:HIGH", "");
    options.append({QStringLiteral("bom"),
        QStringLiteral("begins every CSV with the mark of UTF-8; else only where its text is not ASCII")});
    options.append({QStringLiteral("no-raw"), QStringLiteral("leaves out the raw curves behind smoothed ones")});
    add("lang", QStringLiteral("en, zh: the language of the charts, else the system's"), "LANGUAGE", "");
    add("repeats", QStringLiteral("mean: the mean of repeats with its 95 % band; each: a curve a seed"), "HOW", "mean");
    options += parameterOptions();
    options.append({QStringLiteral("with-interfered"),
        QStringLiteral("counts runs that were paused, slowed down or had their link changed by hand as repeats")});
    add("steps",
        QStringLiteral("how many of a run's last steps its timeline shows, or a Perfetto trace has (there: all, if not "
                       "given); 0 for all"),
        "N", "8");
    options.append({QStringLiteral("overwrite"),
        QStringLiteral("replaces files of tensorboard, perfetto, json and tables that exist")});
    return options;
}

void addExportOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QString::fromLatin1(ExportDescription));
    parser.addPositionalArgument(
        QStringLiteral("RUN"), QStringLiteral("an id, the beginning of one, or `last`"), QStringLiteral("RUN..."));
    parser.addHelpOption();
    parser.addOptions(exportOptions());
}

Result<ExportRequest> readExportRequest(const QCommandLineParser& parser)
{
    ExportRequest request;
    LOCKSTEP_TRY_ASSIGN(auto charts, readCharts(parser.value(QStringLiteral("chart"))));
    LOCKSTEP_TRY(readFormats(parser.value(QStringLiteral("format")), request));
    LOCKSTEP_TRY(checkChartOptions(parser, request));
    request.charts = std::move(charts);
    request.hasTimeline = parser.value(QStringLiteral("chart")).split(u',').contains(Timeline);
    LOCKSTEP_TRY(readPaper(parser, request));
    LOCKSTEP_TRY_ASSIGN(request.parameters, readParameterOptions(parser, request.charts));
    const QString repeats = parser.value(QStringLiteral("repeats"));
    if (repeats != QStringLiteral("mean") && repeats != QStringLiteral("each")) {
        return refusal(
            "--repeats", LS_TR("Refusals", "%1 is neither mean nor each"), {verbatim(repeats.toStdString())});
    }
    request.showsSeeds = repeats == QStringLiteral("each");
    request.interfered = parser.isSet(QStringLiteral("with-interfered")) ? Interfered::Include : Interfered::LeaveOut;
    request.out = parser.value(QStringLiteral("out"));
    request.existing
        = parser.isSet(QStringLiteral("overwrite")) ? exchange::Existing::Replace : exchange::Existing::Refuse;
    request.store = parser.value(QStringLiteral("store"));
    if (request.store.isEmpty()) {
        request.store = store::RunStore::defaultFolder();
    }
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(request.store));
    LOCKSTEP_TRY_ASSIGN(request.runs, cli::chosenRuns(*store, parser.positionalArguments()));
    return request;
}

} // namespace lockstep::ui
