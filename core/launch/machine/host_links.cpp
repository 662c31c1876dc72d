#include "launch/machine/host_links.h"

#include "analysis/scaling/link_fit.h"
#include "base/draft_folder.h"
#include "experiment/spec.h"
#include "launch/session.h"
#include "store/run_store.h"

#include <QEventLoop>

#include <algorithm>
#include <string_view>

namespace lockstep::launch {

namespace {

constexpr std::string_view MeasuringRun = R"({"version": 1, "experiment": "collectives", "base": {
    "strategy.name": "collectives", "world_size": 2, "device": "cpu", "collective.name": "all_reduce",
    "aggregation.algorithm": "ring", "sweep.min_bytes": 4, "sweep.max_bytes": 4194304, "sweep.factor": 1024}})";

/// Of one run; nothing where it has measured fewer than two sizes.
std::optional<LinkFigures> figuresOf(const analysis::RunRecord& run)
{
    const std::vector<analysis::Measurement> times = analysis::measurementsOf(run);
    if (times.empty()) {
        return std::nullopt;
    }
    const auto [smallest, largest] = std::ranges::minmax_element(times, {}, &analysis::Measurement::bytes);
    return smallest->bytes < largest->bytes
        ? std::optional(LinkFigures{smallest->seconds / 2.0, largest->bytes / largest->seconds})
        : std::nullopt;
}

void measure(HostPair& pair, const std::vector<rendezvous::Host>& hosts, const experiment::RunSpec& run)
{
    const auto folder = DraftFolder::makeTemporary();
    if (!folder) {
        pair.why = folder.error();
        return;
    }
    SessionOptions options;
    options.storeFolder = QString::fromStdString(folder->path());
    options.hosts = {hosts[pair.first], hosts[pair.second]};
    for (rendezvous::Host& host : options.hosts) {
        host.slots = 1;
    }
    Session session(options);
    QEventLoop loop;
    QObject::connect(&session, &Session::allEnded, &loop, &QEventLoop::quit);
    const std::vector<RunId> ids = session.start({run});
    loop.exec();
    const analysis::RunRecord record = session.record(ids.front());
    if (record.status != analysis::RunStatus::Finished) {
        pair.why = record.why();
        return;
    }
    const auto store = store::RunStore::open(QString::fromStdString(folder->path()));
    const auto stored = store ? (*store)->load(record.id) : Result<analysis::RunRecord>(store.error());
    if (!stored) {
        pair.why = stored.error();
        return;
    }
    if (stored->summary.hosts < 2) {
        pair.why = LS_TR("Messages", "both names refer to the same machine");
        return;
    }
    pair.figures = figuresOf(*stored);
    if (!pair.figures) {
        pair.why = LS_TR("Messages", "latency and bandwidth cannot be derived from its times");
    }
}

} // namespace

std::vector<HostPair> measureLinks(const std::vector<rendezvous::Host>& hosts, const std::vector<Text>& problems)
{
    const auto spec = experiment::parseSpec(MeasuringRun);
    const auto runs = spec ? experiment::expand(*spec) : Result<std::vector<experiment::RunSpec>>(spec.error());
    std::vector<HostPair> pairs;
    for (std::size_t second = 1; second < hosts.size(); ++second) {
        for (std::size_t first = 0; first < second; ++first) {
            HostPair& pair = pairs.emplace_back(HostPair{.first = first, .second = second});
            pair.why = !problems[first].empty() ? problems[first] : problems[second];
            if (!runs) {
                pair.why = runs.error();
            }
            if (pair.why.empty()) {
                measure(pair, hosts, runs->front());
            }
        }
    }
    return pairs;
}

} // namespace lockstep::launch
