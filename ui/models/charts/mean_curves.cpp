#include "ui/models/charts/mean_curves.h"

#include "analysis/statistics/statistics.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

namespace {

/// How many steps all curves have in common, from the start.
std::size_t commonLength(const std::vector<const analysis::Curve*>& curves)
{
    std::size_t length = curves.front()->size();
    for (const analysis::Curve* each : curves) {
        length = std::min(length, each->size());
        const auto& steps = curves.front()->step;
        const auto end = steps.begin() + static_cast<std::ptrdiff_t>(length);
        length = static_cast<std::size_t>(std::mismatch(steps.begin(), end, each->step.begin()).first - steps.begin());
    }
    return length;
}

double meanOf(
    const std::vector<const analysis::Curve*>& curves, std::vector<double> analysis::Curve::*column, std::size_t i)
{
    double sum = 0.0;
    for (const analysis::Curve* each : curves) {
        sum += (each->*column)[i];
    }
    return sum / static_cast<double>(curves.size());
}

} // namespace

MeanCurve meanCurveOf(const std::vector<const analysis::Curve*>& curves,
    const std::vector<const std::vector<double>*>& values, BandOf band)
{
    MeanCurve mean;
    const std::size_t length = commonLength(curves);
    std::vector<double> atStep(curves.size());
    for (std::size_t i = 0; i < length; ++i) {
        for (std::size_t run = 0; run < curves.size(); ++run) {
            atStep[run] = values.empty() ? curves[run]->value[i] : (*values[run])[i];
        }
        // A loss that is not finite is a gap, not a repeat less.
        const bool isFinite = std::ranges::all_of(atStep, [](double value) { return std::isfinite(value); });
        double center = analysis::NotMeasured;
        double low = analysis::NotMeasured;
        double high = analysis::NotMeasured;
        if (isFinite && band == BandOf::Shares) {
            const analysis::ShareInterval interval = analysis::shareWithInterval(atStep);
            center = interval.mean;
            low = interval.low;
            high = interval.high;
        } else if (isFinite) {
            const analysis::PositiveInterval interval = analysis::positiveWithInterval(atStep);
            center = interval.mean;
            low = interval.low;
            high = interval.high;
        }
        mean.curve.step.push_back(curves.front()->step[i]);
        mean.curve.epoch.push_back(meanOf(curves, &analysis::Curve::epoch, i));
        mean.curve.seconds.push_back(meanOf(curves, &analysis::Curve::seconds, i));
        mean.curve.value.push_back(center);
        mean.low.push_back(low);
        mean.high.push_back(high);
    }
    mean.pyramid.extend(mean.curve.value);
    return mean;
}

} // namespace lockstep::ui
