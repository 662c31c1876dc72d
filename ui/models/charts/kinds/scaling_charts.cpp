#include "ui/models/charts/kinds/scaling_charts.h"

#include "analysis/numbers.h"
#include "analysis/scaling/scaling.h"
#include "ui/models/charts/wait_note.h"
#include "ui/models/palette.h"
#include "ui/models/shown_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace lockstep::ui {

namespace {

using analysis::MeanEstimate;
using analysis::Scaling;
using analysis::ScalingCurve;
using analysis::ScalingModel;
using analysis::ScalingPoint;
using Cores = analysis::ScalingModel::Cores;

class ScalingTexts {
    Q_DECLARE_TR_FUNCTIONS(ScalingCharts)
};

QString nameOf(const ScalingCurve& curve)
{
    const QString kind = curve.kind == Scaling::Strong ? ScalingTexts::tr("strong") : ScalingTexts::tr("weak");
    return curve.apart.empty() ? kind : kind + QStringLiteral(", ") + shownName(curve.apart);
}

/// Text that fits under a few bars.
QString shortened(const QString& name)
{
    constexpr qsizetype Most = 24;
    return name.size() > Most ? name.left(Most - 1) + u'…' : name;
}

SeriesSpec seriesOf(const QString& key, const QString& name, const QColor& color, SeriesStyle style)
{
    SeriesSpec series;
    series.key = QStringLiteral("scaling/") + key;
    series.name = name;
    series.color = color;
    series.style = style;
    series.width = 1.5;
    return series;
}

/// The measured points of one curve; those without a figure are left out.
SeriesSpec measured(
    const ScalingCurve& curve, int number, double scale, const std::function<MeanEstimate(const ScalingPoint&)>& figure)
{
    SeriesSpec series
        = seriesOf(QString::number(number), nameOf(curve), studyColor(number), SeriesStyle::LineAndMarkers);
    series.width = 2.0;
    series.marker = number;
    bool hasInterval = false;
    for (const ScalingPoint& point : curve.points) {
        const MeanEstimate estimate = figure(point);
        if (!std::isfinite(estimate.mean)) {
            continue;
        }
        hasInterval = hasInterval || estimate.hasInterval();
        series.x.push_back(point.ranks);
        series.y.push_back(estimate.mean * scale);
        series.low.push_back(estimate.low * scale);
        series.high.push_back(estimate.high * scale);
    }
    if (!hasInterval) {
        series.low.clear();
        series.high.clear();
    }
    series.hasWhiskers = true;
    return series;
}

/// The model's values at 1, 2, 4, ... ranks.
SeriesSpec predicted(const QString& key, const QString& name, const QColor& color, SeriesStyle style, int most,
    const std::function<double(int)>& value)
{
    SeriesSpec series = seriesOf(key, name, color, style);
    for (int ranks = 1; ranks <= most; ranks *= 2) {
        series.x.push_back(ranks);
        series.y.push_back(value(ranks));
    }
    return series;
}

QString hereName(const QString& curve, const ScalingModel& model)
{
    if (model.cores <= 0) {
        return ScalingTexts::tr("%1, predicted").arg(curve);
    }
    if (model.ranksPerHost > 0) {
        return ScalingTexts::tr("%1, predicted on %2 cores per host").arg(curve).arg(model.cores);
    }
    return model.cores == 1 ? ScalingTexts::tr("%1, predicted on one core").arg(curve)
                            : ScalingTexts::tr("%1, predicted on %2 cores").arg(curve).arg(model.cores);
}

/// Up to the power of two that holds all measured ones.
int mostMeasured(const ScalingCurve& curve)
{
    int most = 1;
    while (most < curve.points.back().ranks) {
        most *= 2;
    }
    return most;
}

QString costText(const analysis::LinkCost& link)
{
    const std::string gigabytes = link.beta > 0.0 ? analysis::threeDigits(1e-9 / link.beta) : std::string("∞");
    return ScalingTexts::tr("%1 µs and %2 GB/s")
        .arg(QString::fromStdString(analysis::threeDigits(link.alpha * 1e6)), QString::fromStdString(gigabytes));
}

QString linkText(const ScalingModel& model)
{
    const analysis::MeasuredLink& measured = model.links.front();
    const QString text = costText(measured.fit.link);
    return model.links.size() == 1 ? text : ScalingTexts::tr("%1 on %2 ranks").arg(text).arg(measured.ranks);
}

/// The basis of predictions over several hosts.
QString noteOverHosts(const ScalingModel& model)
{
    const QString between = costText(model.between.front().fit.link);
    return model.ranksPerHost == 1
        ? ScalingTexts::tr("Predicted: Amdahl's law and a link of %1 between hosts, measured separately; extrapolated "
                           "beyond the hosts measured")
              .arg(between)
        : ScalingTexts::tr("Predicted: Amdahl's law and links of %1 within a host and %2 between hosts, measured "
                           "separately; extrapolated beyond the hosts measured")
              .arg(linkText(model), between);
}

/// What one curve's predictions rest on.
QString basisOf(const ScalingModel& model)
{
    if (model.ranksPerHost > 0) {
        return noteOverHosts(model);
    }
    switch (model.reach) {
    case analysis::LinkReach::Emulated:
    case analysis::LinkReach::Hosts:
        break;
    case analysis::LinkReach::SharedMemory:
        return ScalingTexts::tr("Predicted: Amdahl's law and a link of %1, measured in this machine's shared memory; "
                                "not valid beyond this machine")
            .arg(linkText(model));
    case analysis::LinkReach::OneMachine:
        return ScalingTexts::tr(
            "Predicted: Amdahl's law and a link of %1, measured within this machine; not valid beyond it")
            .arg(linkText(model));
    }
    return ScalingTexts::tr("Predicted: Amdahl's law and a link of %1, measured separately").arg(linkText(model));
}

/// The basis of the predictions, or why there are none. Curves on one host have the same; those over hosts have one for
/// each number of ranks on a host.
QString noteOf(const std::vector<ScalingCurve>& curves)
{
    std::map<int, QString> bases;
    for (const ScalingCurve& curve : curves) {
        if (curve.model) {
            bases.try_emplace(curve.model->ranksPerHost, basisOf(*curve.model));
        }
    }
    if (bases.empty()) {
        return ScalingTexts::tr("No prediction: it needs a run that measured all-reduce over the same backend and "
                                "link, and some training steps; over several hosts, one all-reduce run with one rank "
                                "per host, and one within a host if ranks share it");
    }
    QStringList lines;
    for (const auto& [ranksPerHost, basis] : bases) {
        lines += basis;
    }
    return lines.join(u'\n');
}

/// Of which points the ratio is beyond what their cores can explain: a line for each curve that has some.
QStringList unexplained(const std::vector<ScalingCurve>& curves)
{
    QStringList lines;
    for (const ScalingCurve& curve : curves) {
        QStringList ranks;
        for (const ScalingPoint& point : curve.points) {
            ranks += point.isUnexplained() ? QStringList(QString::number(point.ranks)) : QStringList();
        }
        if (!ranks.isEmpty()) {
            lines += ScalingTexts::tr("%1, on %2 ranks: came out faster than this machine's cores allow")
                         .arg(nameOf(curve), ranks.join(QStringLiteral(", ")));
        }
    }
    return lines;
}

QString whatIfName(const QString& curve, const ScalingModel& model)
{
    if (model.ranksPerHost > 0) {
        return ScalingTexts::tr("%1, extrapolated to more such hosts").arg(curve);
    }
    return model.reach == analysis::LinkReach::Emulated
        ? ScalingTexts::tr("%1, predicted with one core per rank").arg(curve)
        : ScalingTexts::tr("%1, predicted with one core per rank on one machine").arg(curve);
}

void addRanksAxis(ChartSpec& chart)
{
    chart.x = {};
    chart.x.label = ScalingTexts::tr("Ranks");
    chart.x.scale = Scale::Log;
    chart.x.base = 2;
    chart.x.isCount = true;
}

/// Where the prediction has more ranks than these data can be split across.
void addEnd(ChartSpec& chart, const ScalingCurve& curve, int mostShown)
{
    if (!curve.model || curve.model->mostRanks >= mostShown) {
        return;
    }
    const QString text = curve.kind == Scaling::Strong ? ScalingTexts::tr("%1: one sample per rank")
                                                       : ScalingTexts::tr("%1: the whole set in one step");
    chart.marks.push_back({static_cast<double>(curve.model->mostRanks), text.arg(nameOf(curve))});
}

enum ReachChoice { AsMeasured, AsPredicted };

/// How many ranks a chart reaches: twice the measured ones, so that these fill it, or all that are predicted.
int mostShown(const std::vector<ScalingCurve>& curves, int choice)
{
    int most = 1;
    for (const ScalingCurve& curve : curves) {
        const int predicted = choice == AsPredicted ? analysis::MostPredictedRanks : 2 * mostMeasured(curve);
        most = std::max(most, curve.model ? predicted : mostMeasured(curve));
    }
    return std::min(most, analysis::MostPredictedRanks);
}

/// What the ratio would be if ranks cost nothing.
void addIdeal(ChartSpec& chart, int most, const std::function<double(int)>& ideal)
{
    if (most > 1) {
        chart.series.push_back(predicted(QStringLiteral("ideal"), ScalingTexts::tr("ideal"), QColor(0x88, 0x8C, 0x90),
            SeriesStyle::Line, most, ideal));
        chart.series.back().width = 1.0;
    }
}

/// Measured and predicted curves of a ratio to the single process.
void addRatio(ChartSpec& chart, const ChartInput& input, double scale,
    const std::function<MeanEstimate(const ScalingPoint&)>& figure,
    const std::function<double(const ScalingModel&, int, Cores)>& theory, const std::function<double(int)>& ideal)
{
    addRanksAxis(chart);
    const analysis::ScalingStudy& study = input.studies.of(input.visible, input.options.interfered);
    const int most = mostShown(study.curves, input.options.choice);
    int number = 0;
    for (const ScalingCurve& curve : study.curves) {
        SeriesSpec points = measured(curve, number, scale, figure);
        const QColor color = points.color;
        const QString name = points.name;
        chart.series.push_back(std::move(points));
        if (curve.model) {
            const ScalingModel& model = *curve.model;
            const QString key = QString::number(number);
            const Cores beyond = model.ranksPerHost == 0 ? Cores::Enough : Cores::AtHand;
            chart.series.push_back(
                predicted(key + QStringLiteral("/here"), hereName(name, model), color, SeriesStyle::DashedLine,
                    mostMeasured(curve), [&](int ranks) { return theory(model, ranks, Cores::AtHand) * scale; }));
            chart.series.push_back(predicted(key + QStringLiteral("/what-if"), whatIfName(name, model), color,
                SeriesStyle::DottedLine, most, [&](int ranks) { return theory(model, ranks, beyond) * scale; }));
        }
        addEnd(chart, curve, most);
        ++number;
    }
    addIdeal(chart, most, ideal);
    if (!study.curves.empty()) {
        chart.note = (QStringList(noteOf(study.curves)) + unexplained(study.curves)).join(u'\n');
    }
}

} // namespace

const analysis::ScalingStudy& ScalingStudies::of(const Feeds& feeds, Interfered which)
{
    std::vector<Seen> seen;
    Feeds finished;
    for (const RunFeed* feed : feeds) {
        if (feed->record().status == analysis::RunStatus::Finished) {
            seen.push_back({feed->id(), feed->loss().size(), feed->accuracy().step.size()});
            finished.push_back(feed);
        }
    }
    if (seen == m_seen && which == m_which) {
        return m_study;
    }
    std::vector<analysis::RunRecord> records;
    for (const RunFeed* feed : finished) {
        records.push_back(feed->record());
        records.back().accuracy = feed->accuracy();
        records.back().ranks = feed->account().rankSums().summaries(Medians::Without);
    }
    m_study = analysis::scalingStudy(records, which);
    m_which = which;
    m_seen = std::move(seen);
    return m_study;
}

std::vector<ChartChoice> reachChoices(const Feeds&)
{
    return {{AsMeasured, ScalingTexts::tr("measured numbers of ranks")},
        {AsPredicted, ScalingTexts::tr("predictions up to %1 ranks").arg(analysis::MostPredictedRanks)}};
}

void addSpeedUp(ChartSpec& chart, const ChartInput& input)
{
    chart.y.base = 2;
    addRatio(
        chart, input, 1.0, [](const ScalingPoint& point) { return analysis::positiveOf(point.speedUp); },
        [](const ScalingModel& model, int ranks, Cores cores) { return model.speedUp(ranks, cores); },
        [](int ranks) { return static_cast<double>(ranks); });
}

void addEfficiency(ChartSpec& chart, const ChartInput& input)
{
    addRatio(
        chart, input, 100.0, [](const ScalingPoint& point) { return analysis::positiveOf(point.efficiency); },
        [](const ScalingModel& model, int ranks, Cores cores) { return model.speedUp(ranks, cores) / ranks; },
        [](int) { return 100.0; });
}

void addThroughputByRanks(ChartSpec& chart, const ChartInput& input)
{
    addRanksAxis(chart);
    const analysis::ScalingStudy& study = input.studies.of(input.visible, input.options.interfered);
    int number = 0;
    for (const ScalingCurve& curve : study.curves) {
        SeriesSpec points
            = measured(curve, number, 1.0, [](const ScalingPoint& point) { return point.samplesPerSecond; });
        const QColor color = points.color;
        const QString name = points.name;
        chart.series.push_back(std::move(points));
        if (curve.model) {
            const double single = curve.points.front().samplesPerSecond.mean;
            chart.series.push_back(predicted(QString::number(number) + QStringLiteral("/here"),
                hereName(name, *curve.model), color, SeriesStyle::DashedLine, mostMeasured(curve),
                [&](int ranks) { return single * curve.model->speedUp(ranks, Cores::AtHand); }));
        }
        ++number;
    }
    if (!study.curves.empty()) {
        chart.note = noteOf(study.curves);
    }
}

void addSplit(ChartSpec& chart, const ChartInput& input)
{
    const auto bars = [](const char* key, const QString& name, Phase phase) {
        SeriesSpec series = seriesOf({}, name, phaseColor(phase), SeriesStyle::StackedBars);
        series.key = QLatin1String("phase/") + QLatin1String(key);
        return series;
    };
    SeriesSpec compute = bars("compute", ScalingTexts::tr("compute"), Phase::Forward);
    SeriesSpec communicate = bars("communicate", ScalingTexts::tr("communicate"), Phase::Communicate);
    SeriesSpec wait = bars("wait", ScalingTexts::tr("wait"), Phase::Wait);
    const analysis::ScalingStudy& study = input.studies.of(input.visible, input.options.interfered);
    QStringList untold;
    for (const ScalingCurve& curve : study.curves) {
        for (std::size_t i = 0; i < curve.points.size(); ++i) {
            const ScalingPoint& point = curve.points[i];
            const auto place = static_cast<double>(chart.x.categories.size());
            const bool isKnown = std::isfinite(point.waitMs) || !std::isfinite(point.communicateMs);
            untold += isKnown ? QStringList() : QStringList(nameOf(curve));
            // The curve's name once, in the middle of its bars.
            const QString ranks = QString::number(point.ranks);
            chart.x.categories.push_back(
                i == curve.points.size() / 2 ? ranks + u'\n' + shortened(nameOf(curve)) : ranks);
            for (const auto& [series, value] : {std::pair{&compute, point.computeMs},
                     std::pair{&communicate, point.communicateMs}, std::pair{&wait, point.waitMs}}) {
                series->x.push_back(place);
                series->y.push_back(value);
            }
        }
    }
    for (SeriesSpec* series : {&compute, &communicate, &wait}) {
        if (!series->x.empty()) {
            chart.series.push_back(std::move(*series));
        }
    }
    if (!study.curves.empty()) {
        const QStringList notes{ScalingTexts::tr("Means over ranks and repeats"), waitNote(untold)};
        chart.note = notes.filter(QRegularExpression(QStringLiteral("."))).join(QStringLiteral(" · "));
    }
}

void addTimeToTarget(ChartSpec& chart, const ChartInput& input)
{
    addRanksAxis(chart);
    const analysis::ScalingStudy& study = input.studies.of(input.visible, input.options.interfered);
    int number = 0;
    QStringList missed;
    for (const ScalingCurve& curve : study.curves) {
        SeriesSpec points = measured(curve, number++, 1.0,
            [](const ScalingPoint& point) { return analysis::positiveOf(point.secondsToTarget); });
        if (!points.x.empty()) {
            chart.series.push_back(std::move(points));
        }
        QStringList ranks;
        for (const ScalingPoint& point : curve.points) {
            const std::size_t late = point.runs.size() - point.secondsToTarget.n;
            if (late == point.runs.size()) {
                ranks += QString::number(point.ranks);
            } else if (late > 0) {
                ranks += ScalingTexts::tr("%1 (%2 of %3)").arg(point.ranks).arg(late).arg(point.runs.size());
            }
        }
        if (!ranks.isEmpty()) {
            missed += ScalingTexts::tr("%1 at %2", "curve, numbers of ranks")
                          .arg(nameOf(curve), ranks.join(QStringLiteral(", ")));
        }
    }
    QStringList targets;
    for (const ScalingCurve& curve : study.curves) {
        if (const QString target = QString::fromStdString(analysis::percent(curve.target)); !targets.contains(target)) {
            targets += target;
        }
    }
    if (!targets.isEmpty()) {
        const QString target = targets.join(QStringLiteral(", "));
        chart.note = missed.isEmpty() ? ScalingTexts::tr("First evaluation with a test accuracy of %1").arg(target)
                                      : ScalingTexts::tr("First evaluation with a test accuracy of %1; not reached: %2")
                                            .arg(target, missed.join(QStringLiteral("; ")));
    }
}

} // namespace lockstep::ui
