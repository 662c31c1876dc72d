#include "ui/models/charts/curve_cache.h"

#include <algorithm>

namespace lockstep::ui {

void CurveCache::setSmoothing(double smoothing)
{
    if (smoothing == m_smoothing) {
        return;
    }
    m_smoothing = smoothing;
    m_average = analysis::DebiasedAverage(smoothing);
    m_smoothed.clear();
    m_smooth = {};
}

void CurveCache::extend(const analysis::Curve& curve)
{
    if (curve.size() < m_size) { // a replay was set back
        *this = CurveCache(m_smoothing);
    }
    m_size = curve.size();
    m_raw.extend(curve.value);
    if (!isSmoothed()) {
        return;
    }
    for (std::size_t i = m_smoothed.size(); i < curve.size(); ++i) {
        m_smoothed.push_back(m_average.add(curve.value[i]));
    }
    m_smooth.extend(m_smoothed);
}

const CurveCache& CurveCaches::of(const RunFeed& feed, double smoothing)
{
    CurveCache& cache = m_caches.try_emplace(feed.id(), smoothing).first->second;
    cache.setSmoothing(smoothing);
    cache.extend(feed.loss());
    return cache;
}

void CurveCaches::keepOnly(const Feeds& feeds)
{
    std::erase_if(m_caches, [&](const auto& each) {
        return std::ranges::none_of(feeds, [&](const RunFeed* feed) { return feed->id() == each.first; });
    });
}

} // namespace lockstep::ui
