#include "cli/chosen_runs.h"

#include "exchange/reference/import_reference.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lockstep::cli {

namespace {

/// Runs of one comparison follow each other closely.
constexpr double LongestPauseSeconds = 30.0;
/// Curves that one command imported are a nanosecond apart.
constexpr std::int64_t LongestImportPauseNs = 1000;

double endOf(const analysis::RunRecord& record)
{
    const double train = std::isfinite(record.summary.trainSeconds) ? record.summary.trainSeconds : 0.0;
    return static_cast<double>(record.createdNs) / 1e9 + train;
}

/// The newest run and those of the same comparison before it: the same experiment, other variants or repeats, one after
/// the other.
std::vector<analysis::RunRecord> startedTogether(const std::vector<analysis::RunRecord>& newestFirst)
{
    std::vector<analysis::RunRecord> together;
    for (const analysis::RunRecord& record : newestFirst) {
        const auto isOfTheSame = [&](const analysis::RunRecord& later) {
            return later.spec.name == record.spec.name && later.spec.repeat == record.spec.repeat;
        };
        const bool isImported = !together.empty() && exchange::isReference(together.front());
        const bool belongs = together.empty()
            || (isImported && exchange::isReference(record)
                && together.back().createdNs - record.createdNs <= LongestImportPauseNs)
            || (!isImported && !exchange::isReference(record)
                && record.spec.experiment == together.front().spec.experiment
                && std::none_of(together.begin(), together.end(), isOfTheSame)
                && static_cast<double>(together.back().createdNs) / 1e9 - endOf(record) < LongestPauseSeconds);
        if (!belongs) {
            break;
        }
        together.push_back(record);
    }
    std::reverse(together.begin(), together.end());
    return together;
}

/// A run that is named twice is there once.
void addOnce(std::vector<analysis::RunRecord>& runs, const analysis::RunRecord& record)
{
    const bool isThere
        = std::ranges::any_of(runs, [&](const analysis::RunRecord& each) { return each.id == record.id; });
    if (!isThere) {
        runs.push_back(record);
    }
}

} // namespace

Result<std::vector<analysis::RunRecord>> chosenRuns(const store::RunStore& store, const QStringList& names)
{
    const auto all = store.list();
    std::vector<analysis::RunRecord> found;
    for (const QString& name : names.isEmpty() ? QStringList{QStringLiteral("last")} : names) {
        if (name == QStringLiteral("last")) {
            for (const analysis::RunRecord& record : startedTogether(all)) {
                addOnce(found, record);
            }
            continue;
        }
        std::vector<analysis::RunRecord> fitting;
        std::copy_if(all.begin(), all.end(), std::back_inserter(fitting),
            [&](const analysis::RunRecord& record) { return record.id.text.starts_with(name.toStdString()); });
        if (fitting.size() != 1) {
            return failure(fitting.empty()
                    ? LS_TR("Messages", "run %1: no such run in %2; `lockstep runs` lists them")
                    : LS_TR("Messages", "run %1: several runs match in %2; `lockstep runs` lists them"),
                {verbatim(name.toStdString()), verbatim(store.folder().toStdString())});
        }
        addOnce(found, fitting.front());
    }
    if (found.empty()) {
        return failure(LS_TR("Messages", "the store %1 has no run yet; `lockstep run optimizers` makes some"),
            {verbatim(store.folder().toStdString())});
    }
    return found;
}

} // namespace lockstep::cli
