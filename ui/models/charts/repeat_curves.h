// Curves over steps, epochs or seconds: repeats as their mean with its 95 % band, or each by itself. Private to
// ui/models.
#pragma once

#include "ui/models/charts/chart_kind.h"
#include "ui/models/charts/mean_curves.h"

namespace lockstep::ui {

[[nodiscard]] double xOf(const analysis::Curve& columns, XAxis axis, std::size_t i);

/// `<run>+<run>/loss`: the runs behind a series, and its tail.
[[nodiscard]] QString keyOf(const Feeds& runs, const QString& tail);

/// What is drawn as one curve each: the repeats of a variant, or, as the options say, every run.
[[nodiscard]] std::vector<FeedGroup> curvesOf(const ChartInput& input);
[[nodiscard]] Feeds visibleOf(const Feeds& feeds);

/// A hidden group: only its place in the legend.
[[nodiscard]] SeriesSpec hidden(const FeedGroup& group, const QString& tail, SeriesStyle style);
/// The series of a mean, without points; and one of its points.
[[nodiscard]] SeriesSpec meanSeries(const FeedGroup& group, const Feeds& shown, const QString& tail);
void addPoint(SeriesSpec& series, const MeanCurve& mean, XAxis axis, std::size_t i, double scale);

/// A figure of evaluations.
struct EvaluatedFigure {
    QString tail;
    double scale = 1.0; ///< of what is drawn
    BandOf band = BandOf::Losses;
    analysis::Curve store::RunAccount::Evaluated::*curve;
};
/// One line with markers a group.
void addEvaluations(ChartSpec& chart, const ChartInput& input, const EvaluatedFigure& figure);

/// The remark where means are drawn.
void addMeansRemark(ChartSpec& chart, const ChartInput& input);

} // namespace lockstep::ui
