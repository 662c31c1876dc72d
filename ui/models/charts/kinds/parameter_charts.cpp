#include "ui/models/charts/kinds/parameter_charts.h"

#include "analysis/figures/figure_estimate.h"
#include "analysis/study/parameter_study.h"
#include "ui/models/number_text.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

namespace lockstep::ui {

namespace {

using analysis::Figure;
using analysis::ParameterStudy;
using analysis::StudyLine;
using analysis::StudyParameter;
using analysis::StudyPoint;
using experiment::Parameter;
using experiment::Value;

class ParameterTexts {
    Q_DECLARE_TR_FUNCTIONS(ParameterCharts)
};

constexpr double Missing = std::numeric_limits<double>::quiet_NaN();

QString translated(const char* context, std::string_view text)
{
    const QByteArray bytes(text.data(), static_cast<qsizetype>(text.size()));
    return bytes.isEmpty() ? QString() : QCoreApplication::translate(context, bytes);
}

QString parameterLabel(const Parameter& parameter)
{
    return translated("Parameters", parameter.label);
}

QString valueText(const Parameter& parameter, const Value& value)
{
    if (const auto* isOn = std::get_if<bool>(&value)) {
        return *isOn ? ParameterTexts::tr("on") : ParameterTexts::tr("off");
    }
    const std::string text = experiment::toText(value);
    const auto choice = std::ranges::find(parameter.choices, std::string_view(text), &experiment::Choice::name);
    return choice == parameter.choices.end() ? shownName(text) : translated("Parameters", choice->label);
}

double studyNumber(const Value& value)
{
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

analysis::RunPointers recordsOf(const Feeds& feeds)
{
    analysis::RunPointers records;
    for (const RunFeed* feed : feeds) {
        if (!isSweep(*feed)) {
            records.push_back(&feed->record());
        }
    }
    return records;
}

/// The chosen figure, or the first that the runs have.
const Figure& figureOf(const ChartInput& input)
{
    const auto figures = analysis::studyFigures();
    return *figures[chosenOf(figureChoices(input.all), input.options, figures.size())];
}

ParameterStudy studyOf(const ChartInput& input, const Figure& figure)
{
    return analysis::parameterStudy(recordsOf(input.visible), figure, input.options.first.toStdString(),
        input.options.second.toStdString(), input.options.interfered);
}

/// Lowest and highest number of seeds of a point.
std::pair<std::size_t, std::size_t> seedsOf(const ParameterStudy& study)
{
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::size_t most = 0;
    for (const StudyLine& line : study.lines) {
        for (const StudyPoint& point : line.points) {
            least = std::min(least, point.n);
            most = std::max(most, point.n);
        }
    }
    return {least, most};
}

/// What the points are, and what a reader must know before comparing them.
void addRemarks(ChartSpec& chart, const ParameterStudy& study)
{
    const auto [least, most] = seedsOf(study);
    QStringList parts{chart.remark};
    if (most < 2) {
        parts += ParameterTexts::tr("One seed per setting, so no intervals");
    } else if (least == most) {
        parts += ParameterTexts::tr("Mean over %1 seeds with its 95 % CI").arg(most);
    } else {
        parts += ParameterTexts::tr("Mean over %1 to %2 seeds with its 95 % CI").arg(least).arg(most);
    }
    QStringList together;
    for (const Parameter* each : study.together) {
        together += parameterLabel(*each);
    }
    if (!together.isEmpty()) {
        QStringList with{parameterLabel(*study.first->parameter)};
        with += study.second ? QStringList{parameterLabel(*study.second->parameter)} : QStringList();
        const QString comma = ParameterTexts::tr(", ", "between names");
        parts += ParameterTexts::tr("Changes together with %1: %2").arg(with.join(comma), together.join(comma));
    }
    parts.removeAll(QString());
    chart.remark = parts.join(QStringLiteral(" · "));
    QStringList notes;
    if (study.unfinished > 0) {
        notes += ParameterTexts::tr("Unfinished runs left out: %1").arg(study.unfinished);
    }
    if (study.interfered > 0) {
        notes += ParameterTexts::tr("Runs changed by hand left out: %1").arg(study.interfered);
    }
    chart.note = notes.join(QStringLiteral(" · "));
}

/// "95.2 %", and on a second line "[94.6, 95.7]". Bytes always have their unit.
QString pointText(const StudyPoint& point, const Figure& figure, const QString& unit)
{
    const auto texts = analysis::estimateTexts(
        figure, {point.mean / figure.scale, point.low / figure.scale, point.high / figure.scale, point.n});
    QString text = QString::fromStdString(texts.mean);
    if (!unit.isEmpty() && std::isfinite(point.mean) && figure.kind != analysis::FigureKind::Bytes) {
        text += u' ' + unit;
    }
    return texts.low.empty() ? text
                             : text
            + QStringLiteral("\n[%1, %2]").arg(QString::fromStdString(texts.low), QString::fromStdString(texts.high));
}

/// What distinguishes the line: "Batch size 16, Adam". A choice explains itself, a number needs its parameter.
QString lineName(const StudyLine& line)
{
    QStringList parts;
    for (auto each = line.others.rbegin(); each != line.others.rend(); ++each) {
        const QString value = valueText(*each->first, each->second);
        parts += each->first->type == experiment::Type::Choice
            ? value
            : ParameterTexts::tr("%1 %2", "parameter and value").arg(parameterLabel(*each->first), value);
    }
    return parts.join(ParameterTexts::tr(", ", "between names"));
}

/// Whether the two differ in more than the second parameter, which is the last.
bool isOtherBlock(const StudyLine& a, const StudyLine& b)
{
    return !std::equal(a.others.begin(), a.others.end() - 1, b.others.begin());
}

QString studyKey(const StudyLine& line, const Figure& figure)
{
    QStringList parts;
    for (const auto& [parameter, value] : line.others) {
        parts += QString::fromUtf8(parameter->name) + u'='
            + QString::fromStdString(experiment::toText(value)).replace(u'/', u'_');
    }
    const QString run = parts.isEmpty() ? QStringLiteral("all") : parts.join(u' ');
    return run + u'/' + QString::fromUtf8(figure.name);
}

bool isPowerOfTwo(double number)
{
    int exponent = 0;
    return number >= 1.0 && std::frexp(number, &exponent) == 0.5;
}

/// Logarithmic where the values are above 0 and span a factor of 8, of base 2 for powers of two.
AxisSpec studyAxis(const StudyParameter& parameter)
{
    AxisSpec axis;
    axis.label = parameterLabel(*parameter.parameter);
    if (!parameter.isNumeric()) {
        for (const Value& value : parameter.values) {
            axis.categories.push_back(valueText(*parameter.parameter, value));
        }
        return axis;
    }
    axis.unit = translated("Parameters", parameter.parameter->unit);
    axis.isCount = parameter.parameter->type == experiment::Type::Integer;
    const double least = studyNumber(parameter.values.front());
    const double most = studyNumber(parameter.values.back());
    const bool areBinary = parameter.values.size() > 2
        && std::ranges::all_of(parameter.values, [](const Value& each) { return isPowerOfTwo(studyNumber(each)); });
    if (least > 0.0 && (areBinary || most / least >= 8.0)) {
        axis.scale = Scale::Log;
        axis.base = areBinary ? 2 : 10;
    }
    // Points are seen whole, with their intervals.
    constexpr double Room = 0.04;
    const bool isLog = axis.scale == Scale::Log;
    const double factor = isLog ? std::pow(most / least, Room) : 1.0;
    const double room = isLog ? 0.0 : (most - least) * Room;
    axis.minimum = least / factor - room;
    axis.maximum = most * factor + room;
    return axis;
}

/// Axes, title and file name.
void addStudyFrame(ChartSpec& chart, const ParameterStudy& study, const Figure& figure)
{
    chart.id += u'-' + QString::fromUtf8(figure.name);
    const QString name = translated("Figures", figure.label);
    chart.title = name;
    if (!study.first) {
        return;
    }
    const QString first = parameterLabel(*study.first->parameter);
    chart.title = study.second ? ParameterTexts::tr("%1 by %2 and %3", "figure, two parameters")
                                     .arg(name, first, parameterLabel(*study.second->parameter))
                               : ParameterTexts::tr("%1 by %2", "figure, parameter").arg(name, first);
}

void addPoint(SeriesSpec& series, double x, const StudyPoint& point, const Figure& figure, const QString& unit)
{
    series.x.push_back(x);
    series.y.push_back(point.mean);
    series.low.push_back(point.low);
    series.high.push_back(point.high);
    series.n.push_back(point.n);
    series.texts.push_back(pointText(point, figure, unit));
}

/// Every category has a place in the series, also where the setting did not run.
void addByCategory(SeriesSpec& series, const StudyLine& line, const StudyParameter& first, const Figure& figure,
    const QString& unit, double aside, const QString& missing)
{
    for (std::size_t i = 0; i < first.values.size(); ++i) {
        const auto point = std::ranges::find(line.points, first.values[i], &StudyPoint::x);
        if (point != line.points.end()) {
            addPoint(series, static_cast<double>(i) + aside, *point, figure, unit);
            continue;
        }
        series.x.push_back(static_cast<double>(i) + aside);
        for (std::vector<double>* column : {&series.y, &series.low, &series.high}) {
            column->push_back(Missing);
        }
        series.n.push_back(0);
        series.texts.push_back(missing);
    }
}

bool hasIntervals(const SeriesSpec& series)
{
    return std::ranges::any_of(series.low, [](double value) { return std::isfinite(value); });
}

/// Beside each other within their category.
double asideOf(std::size_t line, std::size_t lines)
{
    constexpr double Most = 0.3;
    return lines < 2 ? 0.0
                     : Most * (2.0 * static_cast<double>(line) / static_cast<double>(lines - 1) - 1.0)
            * std::min(1.0, static_cast<double>(lines) / 6.0);
}

/// Intervals at one value of the parameter would hide each other.
void setBeside(ChartSpec& chart)
{
    constexpr double Widest = 5.0; // px from one line to the next
    constexpr double Most = 24.0; // of all together
    const auto lines = static_cast<double>(chart.series.size());
    if (lines < 2.0 || std::ranges::none_of(chart.series, hasIntervals)) {
        return;
    }
    const double distance = std::min(Widest, Most / lines);
    double place = -distance * (lines - 1.0) / 2.0;
    for (SeriesSpec& series : chart.series) {
        series.aside = place;
        place += distance;
    }
    const QString note = ParameterTexts::tr("Points at one value are drawn side by side");
    chart.note = chart.note.isEmpty() ? note : note + QStringLiteral(" · ") + chart.note;
}

} // namespace

std::vector<ChartChoice> figureChoices(const Feeds& feeds)
{
    const analysis::RunPointers records = recordsOf(feeds);
    std::vector<ChartChoice> choices;
    const auto figures = analysis::studyFigures();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool isMeasured = std::ranges::any_of(records, [&](const analysis::RunRecord* run) {
            return run->status == analysis::RunStatus::Finished && std::isfinite(figures[i]->of(*run));
        });
        if (isMeasured) {
            choices.push_back({static_cast<int>(i), translated("Figures", figures[i]->label)});
        }
    }
    return choices;
}

ParameterChoices parameterChoices(const Feeds& feeds, const ChartOptions& options)
{
    const analysis::RunPointers records = recordsOf(feeds);
    const auto named = [](const Parameter* parameter) {
        return parameter == nullptr ? QString() : QString::fromStdString(std::string(parameter->name));
    };
    ParameterChoices choices;
    for (const StudyParameter& each : analysis::studyParameters(records)) {
        choices.offered.push_back({named(each.parameter), parameterLabel(*each.parameter)});
    }
    const analysis::StudyAxes axes
        = analysis::studyAxes(records, options.first.toStdString(), options.second.toStdString());
    choices.first = named(axes.first);
    choices.second = named(axes.second);
    return choices;
}

void addParameterLines(ChartSpec& chart, const ChartInput& input)
{
    const Figure& figure = figureOf(input);
    const ParameterStudy study = studyOf(input, figure);
    addStudyFrame(chart, study, figure);
    if (!study.first) {
        return;
    }
    chart.x = studyAxis(*study.first);
    chart.y.label = translated("Figures", figure.label);
    chart.y.unit = translated("Figures", figure.unit);
    for (std::size_t number = 0; number < study.lines.size(); ++number) {
        const StudyLine& line = study.lines[number];
        SeriesSpec series;
        series.key = studyKey(line, figure);
        series.name = line.others.empty() ? chart.y.label : lineName(line);
        series.isInLegend = !line.others.empty();
        series.setLook(lookOf(PaletteName::Vibrant, number));
        series.style = study.first->isNumeric() ? SeriesStyle::LineAndMarkers : SeriesStyle::Markers;
        series.width = 2.0;
        if (study.first->isNumeric()) {
            for (const StudyPoint& point : line.points) {
                addPoint(series, studyNumber(point.x), point, figure, chart.y.unit);
            }
        } else {
            addByCategory(
                series, line, *study.first, figure, chart.y.unit, asideOf(number, study.lines.size()), QString());
        }
        series.hasWhiskers = true;
        if (!hasIntervals(series)) {
            series.low.clear();
            series.high.clear();
        }
        chart.series.push_back(std::move(series));
    }
    addRemarks(chart, study);
    if (study.first->isNumeric()) {
        setBeside(chart);
    }
}

void addParameterMap(ChartSpec& chart, const ChartInput& input)
{
    const Figure& figure = figureOf(input);
    const ParameterStudy study = studyOf(input, figure);
    addStudyFrame(chart, study, figure);
    if (!study.second) {
        return;
    }
    const StudyParameter& first = *study.first;
    chart.x.label = parameterLabel(*first.parameter);
    for (const Value& value : first.values) {
        chart.x.categories.push_back(valueText(*first.parameter, value));
    }
    chart.y.label = parameterLabel(*study.second->parameter);
    chart.cells.label = translated("Figures", figure.label);
    chart.cells.unit = translated("Figures", figure.unit);
    double least = Missing;
    double most = Missing;
    for (const StudyLine& line : study.lines) {
        SeriesSpec row;
        row.key = studyKey(line, figure);
        row.name = lineName(line);
        row.isInLegend = false;
        row.color = variantColors(PaletteName::Vibrant).front();
        row.style = SeriesStyle::Cells;
        row.width = isOtherBlock(line, study.lines[chart.series.size() == 0 ? 0 : chart.series.size() - 1]) ? 2.0 : 1.0;
        addByCategory(row, line, first, figure, QString(), 0.0, ParameterTexts::tr("not run"));
        for (const double value : row.y) {
            least = std::isfinite(value) && !(least <= value) ? value : least;
            most = std::isfinite(value) && !(most >= value) ? value : most;
        }
        chart.y.categories.push_back(
            line.others.size() > 1 ? row.name : valueText(*study.second->parameter, line.others.back().second));
        chart.series.push_back(std::move(row));
    }
    const QString quantity = chart.cells.unit.isEmpty()
        ? chart.cells.label
        : QStringLiteral("%1 (%2)").arg(chart.cells.label, chart.cells.unit);
    chart.remark = ParameterTexts::tr("%1: pale %2 to strong %3").arg(quantity, numberText(least), numberText(most));
    addRemarks(chart, study);
}

} // namespace lockstep::ui
