// The kinds of charts, one row each, which defines page, controls, `lockstep export --chart` and file names. A new kind
// is a row in chart_kinds.cpp and a file with its builder. GUI thread only.
#pragma once

#include "ui/models/chart_spec.h"
#include "ui/models/runs/shown_groups.h"

#include <QStringView>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::ui {

class CurveCaches;
class MeanCurves;
class ScalingStudies;

/// The window's pages, in the order of their tabs.
enum class Page { Learning, Time, System, Findings, Report };
inline constexpr int PageCount = 5;

enum class XAxis { Step, Epoch, Seconds };

/// A remark of the user's at a place of a horizontal axis, for runs of one experiment.
struct Annotation {
    std::string experiment;
    XAxis axis = XAxis::Step;
    double x = 0.0;
    QString text;

    bool operator==(const Annotation&) const = default;
};

/// A chart for each rank of a run, as the parameter that divides a chart.
inline constexpr QLatin1StringView RankPanels("rank");

/// How to show a chart; remembered in the settings.
struct ChartOptions {
    XAxis x = XAxis::Step;
    double smoothing = 0.6; ///< 0: none; debiased exponential moving average, as TensorBoard's
    Scale xScale = Scale::Linear;
    Scale yScale = Scale::Linear;
    int choice = 0; ///< of the kind's choices
    bool showsRaw = true; ///< the raw values behind smoothed ones
    bool namesLineEnds = true; ///< names beside the ends of curves, on screen
    bool showsSeeds = false; ///< each repeat's curve, not their mean with its 95 % band
    QString first; ///< name of the parameter that a chart is drawn against, and the second one; empty: chosen
    QString second;
    Interfered interfered = Interfered::LeaveOut; ///< whether runs that were changed by hand are repeats of others
    std::vector<Annotation> annotations; ///< of charts over time
    QString panelsBy; ///< a chart for each value of this parameter, or RankPanels; empty: one chart

    bool operator==(const ChartOptions&) const = default;
};

/// The part of the chart that is on screen: decimation aims at it.
struct ChartWindow {
    double xMinimum = 0.0;
    double xMaximum = 0.0; ///< not above xMinimum: everything
    int pixels = 800;
};

/// The inputs of a chart.
struct ChartInput {
    const Feeds& all; ///< also those that are switched off: they keep their place in the legend
    const Feeds& visible;
    const ChartOptions& options;
    const ChartWindow* window; ///< null: every point
    CurveCaches& curves;
    MeanCurves& means;
    ScalingStudies& studies;
};

/// The kinds of runs shown, on which it depends whether a chart applies.
struct RunMix {
    explicit RunMix(const Feeds& feeds);
    /// What these runs have measured since, and not what follows from their settings: for each tick.
    void update(const Feeds& feeds);

    bool hasTraining; ///< also where nothing is shown
    bool hasSweep;
    bool hasRanks;
    bool isAsynchronous; ///< some have an asynchronous parameter server
    bool isPartitioned;
    bool isDivided;
    bool isScaling;
    bool onlyScales; ///< charts run by run would show nothing that those by ranks do not
    bool hasMachine;
    bool hasMetrics; ///< of users' own programs
    int parameters; ///< in which they differ and that a chart can be drawn against: 0, 1, or 2 for more
};

/// One of several things that a kind of chart can show.
struct ChartChoice {
    int value;
    QString text;

    bool operator==(const ChartChoice&) const = default;
};

/// The number of the chosen one, or of the first that there is; less than `count`.
[[nodiscard]] std::size_t chosenOf(
    const std::vector<ChartChoice>& choices, const ChartOptions& options, std::size_t count);

struct ChartChoices {
    const char* name; ///< accessible name and description of the list
    const char* help;
    const char* none; ///< why a run may have none of them; for the command line
    std::vector<ChartChoice> (*of)(const Feeds& feeds);
};

/// A parameter that a chart can be drawn against.
struct ParameterChoice {
    QString name; ///< `train.batch`
    QString text;

    bool operator==(const ParameterChoice&) const = default;
};

struct ParameterChoices {
    std::vector<ParameterChoice> offered; ///< those in which the runs differ
    QString first; ///< that are drawn; empty: none
    QString second;
};

struct AxisRow {
    const char* label = "";
    const char* unit = "";
    Scale scale = Scale::Linear;
    std::optional<double> minimum = {};
};

/// Texts are of the translation context ChartModel. `parameters` is null for charts that are not drawn against some.
struct ChartKind {
    const char* id; ///< in `lockstep export --chart`, settings and file names
    const char* name; ///< in its page's list of charts
    Page page; ///< where the window lists it
    const char* title = "";
    AxisRow x = {};
    AxisRow y = {};
    const char* emptyText = "";
    void (*add)(ChartSpec& chart, const ChartInput& input);
    bool (*applies)(const RunMix& runs);
    bool isOverTime = false; ///< over steps, epochs or seconds, as the user chooses
    bool isSmoothed = false; ///< offers smoothing and a logarithmic axis
    bool hasRepeats = false; ///< draws repeats as their mean, or each of them
    bool hasRankPanels = false; ///< can be drawn as one chart for each rank of a run
    bool isOfTimes = false; ///< bars of times, rates or traffic, which are of measured runs only: isMeasured()
    const ChartChoices* choices = nullptr;
    ParameterChoices (*parameters)(const Feeds& feeds, const ChartOptions& options) = nullptr;
    const char* secondLabel = ""; ///< of the list of second parameters: "Rows"
};

/// In the order of the lists.
[[nodiscard]] std::span<const ChartKind> chartKinds();
/// Null: there is no such kind.
[[nodiscard]] const ChartKind* findChart(QStringView id);

} // namespace lockstep::ui
