#include "ui/models/runs/run_tree.h"

#include "experiment/variant_name.h"
#include "ui/models/form/titles.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace lockstep::ui {

using analysis::RunRecord;
using analysis::RunStatus;

namespace {

constexpr std::int64_t NsPerMillisecond = 1'000'000;
constexpr std::size_t TimeOfId = 15; ///< an id begins with when its batch was started: 20261120-221403

int urgency(RunStatus status)
{
    switch (status) {
    case RunStatus::Failed:
        return 4;
    case RunStatus::Interrupted:
        return 3;
    case RunStatus::Queued:
    case RunStatus::Starting:
    case RunStatus::Running:
    case RunStatus::Paused:
    case RunStatus::Stopping:
        return 2;
    case RunStatus::Stopped:
        return 1;
    case RunStatus::Finished:
        break;
    }
    return 0;
}

void addRun(RunTreeBatch& batch, const RunRecord& run)
{
    const QString name = variantTitle(run);
    auto variant = std::ranges::find(batch.variants, name, &RunTreeVariant::name);
    if (variant == batch.variants.end()) {
        variant = batch.variants.insert(variant, {name, {}, run.status});
    }
    variant->runs.push_back(run.id);
    if (urgency(run.status) > urgency(variant->status)) {
        variant->status = run.status;
    }
    batch.startedMs = std::min(batch.startedMs, run.createdNs / NsPerMillisecond);
}

} // namespace

std::vector<RunId> RunTreeBatch::runs() const
{
    std::vector<RunId> all;
    for (const RunTreeVariant& variant : variants) {
        all.insert(all.end(), variant.runs.begin(), variant.runs.end());
    }
    return all;
}

std::vector<RunTreeExperiment> runTree(const std::vector<RunRecord>& records, std::span<const std::string_view> known)
{
    std::vector<RunTreeExperiment> tree;
    std::map<std::string, std::size_t> placeOf;
    for (const std::string_view name : known) {
        placeOf[std::string(name)] = tree.size();
        tree.push_back({std::string(name), {}, std::string(name)});
    }
    std::vector<const RunRecord*> runs;
    // Of runs that wait, or were stopped before they began, the first one listed is the last one started.
    std::transform(
        records.rbegin(), records.rend(), std::back_inserter(runs), [](const RunRecord& run) { return &run; });
    std::ranges::stable_sort(runs, {}, [](const RunRecord* run) {
        return analysis::hasStarted(*run) ? run->createdNs : std::numeric_limits<std::int64_t>::max();
    });
    std::map<std::string, std::size_t> batchOf;
    for (const RunRecord* run : runs) {
        const std::string experiment = experiment::experimentKey(run->spec);
        const auto place = placeOf.try_emplace(experiment, tree.size()).first->second;
        if (place == tree.size()) {
            tree.push_back({experiment, {}, run->spec.experiment});
        }
        tree[place].title = run->spec.title;
        tree[place].question = run->spec.question;
        std::vector<RunTreeBatch>& batches = tree[place].batches;
        const std::string key = experiment + ' ' + run->id.text.substr(0, TimeOfId);
        const auto batch = batchOf.try_emplace(key, batches.size()).first->second;
        if (batch == batches.size()) {
            batches.push_back({key, run->createdNs / NsPerMillisecond, {}});
        }
        addRun(batches[batch], *run);
    }
    for (RunTreeExperiment& experiment : tree) {
        std::ranges::sort(experiment.batches, std::ranges::greater(), &RunTreeBatch::key);
    }
    return tree;
}

std::vector<RunId> newestBatchOf(const std::vector<RunRecord>& records, const std::string& key)
{
    const std::array<std::string_view, 1> known{key};
    const std::vector<RunTreeBatch> batches = runTree(records, known).front().batches;
    return batches.empty() ? std::vector<RunId>() : batches.front().runs();
}

QString startedText(const QDateTime& started, const QDateTime& now)
{
    const QString time = QLocale().toString(started.time(), QStringLiteral("HH:mm"));
    const auto days = started.date().daysTo(now.date());
    if (days == 0) {
        return QCoreApplication::translate("RunTree", "today %1").arg(time);
    }
    return days == 1 ? QCoreApplication::translate("RunTree", "yesterday %1").arg(time)
                     : QLocale().toString(started, QStringLiteral("yyyy-MM-dd HH:mm"));
}

} // namespace lockstep::ui
