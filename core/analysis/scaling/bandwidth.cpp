#include "analysis/scaling/bandwidth.h"

namespace lockstep::analysis {

double algorithmBandwidth(double bytes, double seconds)
{
    return bytes / seconds / 1e9;
}

double algorithmBandwidth(const CollectiveMeasurement& row)
{
    return algorithmBandwidth(static_cast<double>(row.bytes), row.p50Us * 1e-6);
}

double busFactor(std::string_view collective, int ranks)
{
    const double p = ranks;
    if (collective == "all_reduce") {
        return 2.0 * (p - 1.0) / p;
    }
    const bool movesParts = collective == "all_gather" || collective == "reduce_scatter" || collective == "gather"
        || collective == "scatter" || collective == "all_to_all";
    return movesParts ? (p - 1.0) / p : 1.0;
}

} // namespace lockstep::analysis
