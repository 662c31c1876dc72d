#include "analysis/scaling/scaling_links.h"

#include "experiment/choices.h"

#include <algorithm>

namespace lockstep::analysis {

namespace {

/// Whether training all-reduces its gradients where the ranks share memory (SharedGradients::share).
bool sharesGradients(const RunRecord& run)
{
    using namespace experiment;
    return is(run.spec, Strategy::Data) && !trainsLocally(run.spec) && is(run.spec, GradientForm::Flat)
        && is(run.spec, Algorithm::AllReduce) && is(run.spec, Rule::Mean, Rule::WeightedMean, Rule::Sum)
        && ranksPerHostOf(run) == 0;
}

/// How alike a sweep's calls are to a run's.
int likeness(const RunRecord& run, const RunRecord& sweep)
{
    const bool isAsShared = measuresSharedArrays(sweep) == sharesGradients(run);
    const bool isAlgorithm = sweep.spec.settings->aggregation.algorithm == run.spec.settings->aggregation.algorithm;
    return (isAsShared ? 2 : 0) + (isAlgorithm ? 1 : 0);
}

/// The links that the most alike sweeps have found.
class LinkChoice {
public:
    /// False where others are more like the run.
    bool add(int like, int ranks, const LinkFit& fit)
    {
        if (like < m_best) {
            return false;
        }
        if (like > m_best) {
            m_links.clear();
            m_best = like;
        }
        const auto place = std::lower_bound(m_links.begin(), m_links.end(), ranks,
            [](const MeasuredLink& each, int number) { return each.ranks < number; });
        if (place == m_links.end() || place->ranks != ranks) {
            m_links.insert(place, {ranks, fit});
        }
        return true;
    }
    [[nodiscard]] std::vector<MeasuredLink> take() { return std::move(m_links); }

private:
    std::vector<MeasuredLink> m_links;
    int m_best = -1;
};

} // namespace

int ranksPerHostOf(const RunRecord& run)
{
    const auto hosts = static_cast<int>(run.summary.hosts);
    return hosts > 1 ? (ranksOf(run) + hosts - 1) / hosts : 0;
}

LinksOfRun linksOf(const RunRecord& run, const std::vector<const Group*>& sweeps)
{
    const auto isSame = [&run](const RunRecord& other) {
        const experiment::Settings& own = *run.spec.settings;
        const experiment::Settings& theirs = *other.spec.settings;
        return own.comm.backend == theirs.comm.backend && own.link.latencyUs == theirs.link.latencyUs
            && own.link.bandwidthMbps == theirs.link.bandwidthMbps;
    };
    const bool isOnHosts = ranksPerHostOf(run) > 0;
    LinksOfRun found;
    LinkChoice within;
    LinkChoice between;
    for (const Group* sweep : sweeps) {
        const RunRecord& first = *sweep->runs.front();
        const auto fit = isSame(first) ? linkOf(sweep->runs) : std::nullopt;
        // Groups that measured at the same time say what they cost each other, too.
        if (!fit || first.spec.settings->sweep.groups > 1) {
            continue;
        }
        const int like = likeness(run, first);
        if (ranksPerHostOf(first) == 0 && within.add(like, ranksOf(first), *fit)) {
            found.reach = reachOf(first);
            found.areArraysShared = measuresSharedArrays(first);
        } else if (isOnHosts && ranksPerHostOf(first) == 1) {
            between.add(like, static_cast<int>(first.summary.hosts), *fit);
        }
    }
    found.links = within.take();
    found.between = between.take();
    found.reach = isOnHosts ? reachOf(run) : found.reach;
    return found;
}

bool determinesModel(const LinksOfRun& measured, const RunRecord& run)
{
    const int ranksPerHost = ranksPerHostOf(run);
    const std::string algorithm(nameOf(run.spec.settings->aggregation.algorithm));
    if (run.summary.hosts > 1 && ranksOf(run) % run.summary.hosts != 0) {
        return false; // the fullest host keeps the others waiting
    }
    if (ranksPerHost != 1 && measured.links.empty()) {
        return false;
    }
    if (ranksPerHost > 0 && measured.between.empty()) {
        return false;
    }
    // Where ranks share a host, the model is that of the hierarchical all-reduce.
    const bool isHierarchical = is(run.spec, experiment::Algorithm::AllReduce)
        && is(run.spec, experiment::Backend::Auto, experiment::Backend::Hierarchical);
    const MeasuredLink& any = (measured.links.empty() ? measured.between : measured.links).front();
    return (ranksPerHost <= 1 || isHierarchical) && algorithmSeconds(algorithm, 2, any.fit.link, 1.0).has_value();
}

} // namespace lockstep::analysis
