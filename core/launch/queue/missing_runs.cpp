#include "launch/queue/missing_runs.h"

#include "store/checkpoints.h"
#include "store/run_store.h"

#include <algorithm>
#include <map>

namespace lockstep::launch {

namespace {

using analysis::RunStatus;

Result<std::map<RunId, analysis::RunRecord>> startedRuns(const QString& storeFolder, const QueueEntry& entry)
{
    std::map<RunId, analysis::RunRecord> started;
    if (std::ranges::none_of(entry.runs, [](const QueuedRun& run) { return run.id.has_value(); })) {
        return started;
    }
    LOCKSTEP_TRY_ASSIGN(const auto store, store::RunStore::open(storeFolder)); // marks those as interrupted that were
    for (analysis::RunRecord& record : store->list()) {
        started.emplace(record.id, std::move(record));
    }
    return started;
}

} // namespace

Result<std::vector<MissingRun>> missingRuns(const QString& storeFolder, const QueueEntry& entry)
{
    LOCKSTEP_TRY_ASSIGN(const auto started, startedRuns(storeFolder, entry));
    std::vector<experiment::RunSpec> specs;
    for (const QueuedRun& run : entry.runs) {
        specs.push_back(run.spec);
    }
    std::vector<MissingRun> missing;
    for (const std::size_t place : experiment::orderBySeed(specs)) {
        const QueuedRun& run = entry.runs[place];
        const auto known = run.id ? started.find(*run.id) : started.end();
        if (known == started.end()) {
            missing.push_back({place, run.spec, false});
            continue;
        }
        const RunStatus status = known->second.status;
        if (status != RunStatus::Finished && status != RunStatus::Failed) {
            const auto resumed = store::resumedSpec(storeFolder, known->second);
            missing.push_back({place, resumed ? *resumed : run.spec, resumed.isOk()});
        }
    }
    return missing;
}

} // namespace lockstep::launch
