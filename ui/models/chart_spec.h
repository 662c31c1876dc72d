// A chart is a value: axes, series, bands, marks. The screen, PDF, SVG, PNG, PGFPlots and CSV render the same one, so
// "CSV of what is drawn" is true by construction. Non-finite y values are gaps.
#pragma once

#include "ui/models/look.h"

#include <QString>

#include <optional>
#include <vector>

namespace lockstep::ui {

enum class Scale { Linear, Log };

struct AxisSpec {
    QString label; ///< "Training loss"
    QString unit; ///< "ms"; empty: none
    Scale scale = Scale::Linear;
    std::optional<double> minimum; ///< fixed end; else fitted to the data
    std::optional<double> maximum;
    std::vector<QString> categories; ///< not empty: a category axis, bar i is at i
    int base = 10; ///< of a logarithmic axis: 10 or 2
    bool isCount = false; ///< of ranks and the like: ticks at whole numbers only
};

/// FormulaBars: stacked like StackedBars, beside these and hatched: a formula's values for the same bars.
enum class SeriesStyle {
    Line,
    FaintLine,
    DashedLine,
    DottedLine,
    Markers,
    LineAndMarkers,
    Bars,
    StackedBars,
    FormulaBars,
    Cells
};

/// Points in x order for lines. Of Cells each series is a row of a table, from the top, with y as what its
/// cells hold, and a line above it where its width is more than 1. `total` is how many there were before decimation;
/// 0: as many as there are.
struct SeriesSpec {
    QString key; ///< stable: "<run id>/loss"; equal keys keep their visibility and colour between updates
    QString name; ///< legend; empty: none (a raw trace under its smoothed one)
    std::optional<int> rank{}; ///< whose curve it is, of charts that can be drawn as one for each rank
    QColor color;
    SeriesStyle style = SeriesStyle::Line;
    double width = 1.0; ///< px on screen, 0.5 pt on paper
    Dash dash = Dash::Solid; ///< of a variant's Line, FaintLine or LineAndMarkers
    int marker = 0; ///< as in a Look
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> low; ///< error band or bar; empty: none
    std::vector<double> high;
    std::vector<std::size_t> n; ///< of how many values each point is the mean; empty if unknown
    std::vector<QString> texts; ///< each point in words: what Cells hold, else for the read-out; empty: the numbers
    std::vector<QString> labels; ///< above bars, as tables show these means; empty: the numbers
    double aside = 0.0; ///< px of the screen that a curve is drawn right of its place: intervals at one x stay apart
    bool hasWhiskers = false; ///< a bar at each point instead of a band along the line
    std::size_t total = 0;
    bool isInLegend = true; ///< false: its name is for the read-out and the table
    bool isVisible = true; ///< false: only its legend entry is shown, dimmed, to bring it back
    /// Of lines that lie on each other: this one is drawn in the stretches stripe, stripe + stripes, ... of the width,
    /// so that each is seen.
    int stripe = 0;
    int stripes = 1;
    std::optional<double>
        stripesEnd; ///< x from which some of those lines are missing: beyond it this one is drawn whole

    void setLook(const Look& look)
    {
        color = look.color;
        dash = look.dash;
        marker = look.marker;
    }
};

/// The strip above or below the axes, or a box in a corner of them.
enum class LegendPlace { Above, Below, TopRight, BottomRight, None };

/// A vertical line with a text: an intervention, the end of an epoch.
struct MarkSpec {
    double x = 0.0;
    QString text;
    std::optional<double> until{}; ///< shaded up to there: a rank was slow meanwhile
};

struct ChartSpec {
    QString id; ///< "loss": file names of exports begin with it
    QString title; ///< for exports and the accessible name; the screen does not draw it
    AxisSpec x;
    AxisSpec y;
    AxisSpec cells{}; ///< what Cells hold, coloured from the lowest to the highest; no label: counts, coloured from 0
    std::vector<SeriesSpec> series;
    std::vector<MarkSpec> marks;
    bool labelsParts = false; ///< the text over a bar has the value of each part, not their sum
    bool namesLineEnds = false; ///< on screen each curve's name is at its end too
    QString remark; ///< what a reader must know of the curves, on paper too: "7 runs coincide"; empty: nothing
    QString note; ///< "1,000 of 60,000 points drawn (min-max)"; empty: every point is on screen
    QString specJson; ///< the run specs behind it, for the metadata of exports
    QString emptyText; ///< shown when there is no series: one sentence that says what to do
};

} // namespace lockstep::ui
