// The mean curve of repeats with its 95 % band, kept until one of them has more points. Private to ui/models.
#pragma once

#include "ui/models/pyramid.h"
#include "ui/models/runs/shown_groups.h"

#include <map>
#include <vector>

namespace lockstep::ui {

/// Step by step, over the steps that all repeats have; epochs and seconds are means too.
struct MeanCurve {
    analysis::Curve curve;
    std::vector<double> low; ///< of the 95 % confidence interval of the mean; NaN if unknown
    std::vector<double> high;
    Pyramid pyramid; ///< of the mean
};

/// How the interval of a step's values is found: statistics.h.
enum class BandOf { Losses, Shares };

/// The curves' steps must agree; from the first that does not on, nothing is drawn. `values` replaces the values of
/// each curve (smoothed ones); empty: its own.
[[nodiscard]] MeanCurve meanCurveOf(const std::vector<const analysis::Curve*>& curves,
    const std::vector<const std::vector<double>*>& values, BandOf band);

class MeanCurves {
public:
    /// `make` is called where the repeats, the smoothing or their lengths are new.
    template <typename Make>
    [[nodiscard]] const MeanCurve& of(const Feeds& repeats, double smoothing, Make make)
    {
        std::vector<RunId> runs;
        std::vector<std::size_t> lengths;
        for (const RunFeed* feed : repeats) {
            runs.push_back(feed->id());
            lengths.push_back(feed->loss().size());
            lengths.push_back(feed->accuracy().size());
        }
        Kept& kept = m_kept[runs];
        if (kept.lengths != lengths || kept.smoothing != smoothing) {
            kept = {lengths, smoothing, make()};
        }
        return kept.mean;
    }
    void clear() { m_kept.clear(); }

private:
    struct Kept {
        std::vector<std::size_t> lengths;
        double smoothing = -1.0;
        MeanCurve mean;
    };
    std::map<std::vector<RunId>, Kept> m_kept;
};

} // namespace lockstep::ui
