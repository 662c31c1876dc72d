#include "ui/export/report/report_pictures.h"

#include "analysis/study/parameter_study.h"
#include "exchange/report/edits.h"
#include "experiment/parameter.h"
#include "language/language.h"
#include "language/shown_names.h"
#include "language/wording.h"
#include "ui/export/report/live_chart.h"
#include "ui/export/tex/pgfplots.h"
#include "ui/models/charts/chart_model.h"
#include "ui/models/charts/low_curves.h"
#include "ui/models/feeds/run_state.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

namespace lockstep::ui {

namespace {

constexpr int ReportPngDpi = 300;
constexpr int ScreenDpi = 192; ///< of what a screen scales to its pages

XAxis timeAxisOf(const std::string& name)
{
    return name == "epoch" ? XAxis::Epoch : name == "seconds" ? XAxis::Seconds : XAxis::Step;
}

bool hasNumbers(const ChartSpec& chart)
{
    return std::ranges::any_of(chart.series, [](const SeriesSpec& each) { return each.isVisible && !each.x.empty(); });
}

QString axisText(const AxisSpec& axis)
{
    return axis.unit.isEmpty() ? axis.label : QStringLiteral("%1 (%2)").arg(axis.label, axis.unit);
}

/// As a list in a sentence of the installed language.
QString enumerated(const QStringList& names)
{
    return names.join(QLocale().language() == QLocale::Chinese ? QStringLiteral("、") : QStringLiteral(", "));
}

/// What the picture shows, for who cannot see it: title, axes, curves.
QString descriptionOf(const ChartSpec& chart)
{
    QStringList names;
    for (const SeriesSpec& each : chart.series) {
        if (each.isVisible && !each.name.isEmpty() && !names.contains(each.name)) {
            names += each.name;
        }
    }
    QString text
        = QCoreApplication::translate("Report", "Chart: %1. Horizontal axis: %2; vertical axis: %3.")
              .arg(chart.title,
                  chart.x.label.isEmpty() ? QCoreApplication::translate("Report", "variants") : axisText(chart.x),
                  axisText(chart.y));
    if (!names.isEmpty()) {
        const bool isChinese = QLocale().language() == QLocale::Chinese;
        text += (isChinese ? QString() : QStringLiteral(" "))
            + QCoreApplication::translate("Report", "Shown are: %1.").arg(enumerated(names));
    }
    return text;
}

/// Without paths through no place, such as an error bar of a single run, which readers of SVG complain about.
std::string withoutUndrawable(const QByteArray& svg)
{
    static const QRegularExpression Path(QStringLiteral("<path\\b[^>]*\\bd=\"[^\"]*(?:nan|inf)[^\"]*\"[^>]*/>"));
    return QString::fromUtf8(svg).remove(Path).toStdString();
}

/// `baseName`: of the tables for LaTeX.
Result<report::Picture> pictureOf(const Picture& chart, const PictureNeeds& needs, const QString& baseName)
{
    const PaperOptions paper = reportPaper();
    report::Picture picture;
    picture.widthMm = paper.widthMm;
    picture.heightMm = paper.heightMm;
    if (needs.svg) {
        LOCKSTEP_TRY_ASSIGN(const QByteArray svg, render(chart, PaperFormat::Svg, paper));
        picture.svg = withoutUndrawable(svg);
    }
    if (const auto* spec = std::get_if<ChartSpec>(&chart); spec != nullptr && needs.livePoints > 0) {
        picture.live = liveChart(*spec, needs.livePoints);
    }
    if (needs.png) {
        LOCKSTEP_TRY_ASSIGN(const QByteArray png, render(chart, PaperFormat::Png, paper));
        picture.png = png.toStdString();
    }
    if (needs.tikz && !std::holds_alternative<ChartSpec>(chart)) { // no axes that PGFPlots knows: a picture
        const QByteArray path = (needs.folder + u'/' + fileNameOf(baseName)).toUtf8() + ".pdf";
        LOCKSTEP_TRY_ASSIGN(const QByteArray pdf, render(chart, PaperFormat::Pdf, paper));
        picture.data.push_back({path.toStdString(), pdf.toStdString()});
        picture.tikz = "\\includegraphics[width=\\linewidth]{" + path.toStdString() + "}";
    } else if (needs.tikz) {
        PgfPicture drawn = pgfplotsPicture(std::get<ChartSpec>(chart), paper, {fileNameOf(baseName)});
        for (const PaperFile& table : drawn.tables) {
            const QByteArray path = (needs.folder + u'/' + table.name).toUtf8();
            drawn.tex.replace('{' + table.name.toUtf8() + '}', '{' + path + '}');
            picture.data.push_back({path.toStdString(), table.bytes.toStdString()});
        }
        picture.tikz = drawn.tex.toStdString();
    }
    return picture;
}

/// The place of a figure's name among those of the kind, or the number that is written.
int choiceOf(const ChartKind& kind, const std::string& wanted)
{
    if (kind.parameters != nullptr) {
        const auto figures = analysis::studyFigures();
        const auto found = std::ranges::find_if(figures, [&](const auto* each) { return each->name == wanted; });
        return found == figures.end() ? 0 : static_cast<int>(found - figures.begin());
    }
    return QString::fromStdString(wanted).toInt();
}

/// The last number of a curve; NaN: none.
double endOf(const SeriesSpec& series)
{
    const auto last = std::find_if(series.y.rbegin(), series.y.rend(), [](double each) { return std::isfinite(each); });
    return last == series.y.rend() ? std::numeric_limits<double>::quiet_NaN() : *last;
}

/// True if a linear axis would press the lowest curves together: all end above 0, the highest far above the lowest.
bool asksForLogarithm(const ChartSpec& chart)
{
    constexpr double FarAbove = 20.0;
    double lowest = std::numeric_limits<double>::infinity();
    double highest = 0.0;
    for (const SeriesSpec& series : chart.series) {
        if (const double end = endOf(series); series.isVisible && series.isInLegend && std::isfinite(end)) {
            lowest = std::min(lowest, end);
            highest = std::max(highest, end);
        }
    }
    return lowest > 0.0 && highest > FarAbove * lowest;
}

ChartSpec specOf(const report::Chart& wanted, const std::vector<RunFeed*>& feeds, analysis::Interfered which)
{
    const ChartKind* kind = findChart(QString::fromStdString(wanted.kind));
    if (kind == nullptr) {
        return {};
    }
    ChartModel model(*kind);
    ChartOptions options = model.options();
    options.x = timeAxisOf(wanted.x);
    options.yScale = wanted.isLogarithmic ? Scale::Log : Scale::Linear;
    options.choice = choiceOf(*kind, wanted.choice);
    options.first = QString::fromStdString(wanted.first);
    options.second = QString::fromStdString(wanted.second);
    options.interfered = which;
    model.setOptions(options);
    model.setFeeds(feeds);
    ChartSpec chart = model.fullChart();
    // Curves that diverge leave a linear axis; those that hardly fall leave the others no room on it.
    if (!kind->isSmoothed || options.yScale == Scale::Log || highestLowValue(chart) || !asksForLogarithm(chart)) {
        return chart;
    }
    options.yScale = Scale::Log;
    model.setOptions(options);
    return model.fullChart();
}

/// Ends a linear axis above the curves that stay low where others rise far beyond them. The names of those that leave
/// it.
QStringList keepLowCurvesReadable(ChartSpec& chart)
{
    constexpr double Room = 1.05;
    const std::optional<double> highest = highestLowValue(chart);
    if (!highest) {
        return {};
    }
    chart.y.maximum = Room * *highest;
    QStringList leaving;
    for (const SeriesSpec& series : chart.series) {
        if (series.isVisible && series.isInLegend && !series.x.empty() && highestOf(series) > *highest) {
            leaving += series.name;
        }
    }
    return leaving;
}

/// `digits, 8,000 + 2,000 images`: the choice that it begins with is called as in the form.
template <typename Enum>
std::string withLabel(std::string text, Enum chosen, const experiment::Member& parameter)
{
    const std::string_view name = nameOf(chosen);
    const std::string_view label = parameterOf(parameter).choices[static_cast<std::size_t>(chosen)].label;
    return text.starts_with(name) ? text.replace(0, name.size(), language::translated("Parameters", label)) : text;
}

/// Of a run: what its records do not say.
report::RunFacts factsOf(const RunFeed& feed)
{
    const wire::Hello& hello = feed.state().hello;
    const wire::Prepared& facts = feed.facts();
    const experiment::Settings& settings = *feed.record().spec.settings;
    return {hello.host, facts.device.empty() ? hello.device : facts.device, hello.libtorch,
        withLabel(language::worded(unpacked(facts.dataset, facts.datasetData)), settings.dataset.name,
            &experiment::DatasetSettings::name),
        withLabel(language::worded(unpacked(facts.communication, facts.communicationData)),
            settings.aggregation.algorithm, &experiment::AggregationSettings::algorithm),
        facts.parameterCount};
}

/// What report::Chart::choice calls this choice of a kind.
std::string chosenName(const ChartKind& kind, int choice)
{
    if (kind.choices == nullptr) {
        return {};
    }
    const auto figures = analysis::studyFigures();
    const bool isFigure = kind.parameters != nullptr && choice >= 0 && choice < static_cast<int>(figures.size());
    return isFigure ? std::string(figures[static_cast<std::size_t>(choice)]->name) : std::to_string(choice);
}

} // namespace

PaperOptions reportPaper()
{
    PaperOptions paper;
    paper.widthMm = ReportFigureWidthMm;
    paper.heightMm = ReportFigureHeightMm;
    paper.dpi = ReportPngDpi;
    return paper;
}

ReportChart::ReportChart(Picture picture)
    : m_shared(std::make_shared<Shared>(Shared{std::move(picture), {}}))
{ }

const QImage& ReportChart::image() const
{
    if (m_shared->image.isNull()) {
        m_shared->image = renderImage(m_shared->picture, reportPaper(), ScreenDpi);
    }
    return m_shared->image;
}

report::Source reportSource(const std::vector<RunFeed*>& feeds, analysis::Interfered which)
{
    report::Source source;
    for (const RunFeed* feed : feeds) {
        source.runs.push_back(wholeRecord(*feed));
        source.runs.back().message = language::worded(source.runs.back().why());
        source.facts.push_back(factsOf(*feed));
    }
    source.runs = language::named(std::move(source.runs));
    source.interfered = which;
    source.language = QLocale().language() == QLocale::Chinese ? report::Language::Chinese : report::Language::English;
    source.translate = [](std::string_view context, std::string_view text) {
        return QCoreApplication::translate(std::string(context).c_str(), std::string(text).c_str()).toStdString();
    };
    source.version = QCoreApplication::applicationVersion().toStdString();
    return source;
}

namespace {

/// Its caption and description follow in `wanted`; nothing: these runs have no numbers for it.
std::optional<Picture> pictureFor(report::Chart& wanted, const std::vector<RunFeed*>& feeds, analysis::Interfered which,
    const ReportDrawings& drawings)
{
    if (const auto drawing = drawings.find(wanted.kind); drawing != drawings.end()) {
        std::optional<Drawing> drawn = drawing->second(feeds);
        if (!drawn) {
            return std::nullopt;
        }
        wanted.caption = wanted.caption.empty() ? drawn->title.toStdString() : wanted.caption;
        wanted.description = drawn->title.toStdString();
        return *std::move(drawn);
    }
    ChartSpec chart = specOf(wanted, feeds, which);
    if (!hasNumbers(chart)) {
        return std::nullopt;
    }
    wanted.caption = wanted.caption.empty() ? chart.title.toStdString() : wanted.caption;
    const ChartKind* kind = findChart(QString::fromStdString(wanted.kind));
    const QStringList leaving = kind->isOverTime ? keepLowCurvesReadable(chart) : QStringList();
    if (!leaving.isEmpty()) {
        wanted.caption += QCoreApplication::translate("Report", " (beyond the axis: %1)", "end of a caption")
                              .arg(enumerated(leaving))
                              .toStdString();
    }
    wanted.description = descriptionOf(chart).toStdString();
    return chart;
}

} // namespace

ReportCharts reportCharts(report::Report& report, const std::vector<RunFeed*>& feeds, analysis::Interfered which,
    const ReportDrawings& drawings)
{
    ReportCharts charts;
    std::vector<report::Block> blocks;
    for (report::Block& block : report.blocks) {
        if (auto* wanted = std::get_if<report::Chart>(&block.content)) {
            std::optional<Picture> picture = pictureFor(*wanted, feeds, which, drawings);
            if (!picture) {
                continue;
            }
            charts.emplace(block.key, ReportChart(*std::move(picture)));
        }
        blocks.push_back(std::move(block));
    }
    const bool isEveryChartThere = blocks.size() == report.blocks.size();
    report.blocks = std::move(blocks);
    if (!isEveryChartThere) {
        report::dropEmptySections(report);
    }
    return charts;
}

Result<report::Pictures> drawPictures(const ReportCharts& charts, const PictureNeeds& needs)
{
    report::Pictures pictures;
    PictureNeeds own = needs;
    own.livePoints /= std::max<std::size_t>(1, charts.size());
    for (const auto& [key, chart] : charts) {
        LOCKSTEP_TRY_ASSIGN(pictures[key], pictureOf(chart.picture(), own, QString::fromStdString(key)));
    }
    return pictures;
}

report::Item reportItemOf(const ChartModel& chart)
{
    const ChartOptions& options = chart.options();
    const bool isOverTime = chart.kind().isOverTime;
    const ParameterChoices parameters = chart.parameters();
    report::Item item;
    item.kind = report::ItemKind::Chart;
    item.name = chart.kind().id;
    item.x = !isOverTime ? "" : options.x == XAxis::Epoch ? "epoch" : options.x == XAxis::Seconds ? "seconds" : "step";
    item.isLogarithmic = isOverTime && options.yScale == Scale::Log;
    item.choice = chosenName(chart.kind(), options.choice);
    item.first = parameters.first.toStdString();
    item.second = parameters.second.toStdString();
    return item;
}

std::vector<std::string_view> reportChartNames()
{
    std::vector<std::string_view> names;
    for (const ChartKind& kind : chartKinds()) {
        names.emplace_back(kind.id);
    }
    names.insert(names.end(), {"net", "timeline"});
    return names;
}

} // namespace lockstep::ui
