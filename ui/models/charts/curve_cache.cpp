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

std::size_t CurveCache::behind(const analysis::Curve& curve) const
{
    const std::size_t known = isSmoothed() ? m_smoothed.size() : m_size;
    return curve.size() < m_size ? curve.size() : curve.size() - known;
}

void CurveCache::extend(const analysis::Curve& curve)
{
    if (curve.size() < m_size) { // a replay was set back
        *this = CurveCache(m_smoothing, m_number);
    }
    m_size = curve.size();
    m_raw.extend(curve.value);
    if (!isSmoothed()) {
        return;
    }
    if (m_smoothed.capacity() < curve.size()) {
        m_smoothed.reserve(std::max(curve.size(), m_smoothed.size() + m_smoothed.size() / 4));
    }
    for (std::size_t i = m_smoothed.size(); i < curve.size(); ++i) {
        m_smoothed.push_back(m_average.add(curve.value[i]));
    }
    m_smooth.extend(m_smoothed);
}

void CurveCaches::begin(std::size_t most)
{
    m_left = most;
    m_isBehind = false;
}

const CurveCache* CurveCaches::of(const RunFeed& feed, double smoothing)
{
    CurveCache& cache = m_caches.try_emplace(feed.id(), smoothing, feed.lossNumber()).first->second;
    if (cache.number() != feed.lossNumber()) {
        cache = CurveCache(smoothing, feed.lossNumber());
    }
    cache.setSmoothing(smoothing);
    const std::size_t behind = cache.behind(feed.loss());
    const bool hasOutline = feed.lossOutline() != nullptr;
    if (hasOutline && (feed.loss().size() == 0 || behind > m_left)) {
        m_isBehind = m_isBehind || feed.loss().size() > 0;
        return nullptr;
    }
    m_left -= std::min(m_left, behind);
    cache.extend(feed.loss());
    return &cache;
}

void CurveCaches::keepOnly(const Feeds& feeds)
{
    std::erase_if(m_caches, [&](const auto& each) {
        return std::ranges::none_of(feeds, [&](const RunFeed* feed) { return feed->id() == each.first; });
    });
}

} // namespace lockstep::ui
