#include "ui/models/curve_cache.h"

namespace lockstep::ui {

void CurveCache::setSmoothing(double smoothing)
{
    if (smoothing == m_smoothing) {
        return;
    }
    m_smoothing = smoothing;
    m_average = analysis::DebiasedAverage(smoothing);
    m_smoothed.clear();
    m_smooth.clear();
}

void CurveCache::extend(const LossColumns& columns)
{
    m_raw.extend(columns.loss);
    if (!isSmoothed()) {
        return;
    }
    for (std::size_t i = m_smoothed.size(); i < columns.size(); ++i) {
        m_smoothed.push_back(m_average.add(columns.loss[i]));
    }
    m_smooth.extend(m_smoothed);
}

} // namespace lockstep::ui
