#include "store/checkpoints.h"

#include "base/checkpoint_names.h"
#include "plan/steps.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep::store {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 LargestManifest = 4 << 20;

[[nodiscard]] bool isWhole(const QString& folder)
{
    const std::vector<CheckpointFile> files = filesOf(folder);
    return !files.empty() && std::ranges::all_of(files, [&](const CheckpointFile& each) {
        return QFileInfo(folder + u'/' + QString::fromStdString(each.name)).size() == each.bytes;
    });
}

/// The run's steps; 0: not known.
[[nodiscard]] std::int64_t lengthOf(const analysis::RunRecord& run)
{
    if (run.summary.resumption.totalSteps > 0) {
        return run.summary.resumption.totalSteps;
    }
    return run.summary.trainSamples > 0 ? plan::stepPlan(run.spec, run.summary.trainSamples).totalSteps : 0;
}

} // namespace

std::vector<CheckpointFile> filesOf(const QString& folder)
{
    QFile file(folder + u'/' + QLatin1StringView(CheckpointManifest));
    if (file.size() > LargestManifest || !file.open(QIODevice::ReadOnly)) {
        return {};
    }
    std::vector<CheckpointFile> files;
    try {
        const nlohmann::json manifest = nlohmann::json::parse(file.readAll().toStdString());
        for (const nlohmann::json& each : manifest.at("files")) {
            files.push_back({each.at("name").get<std::string>(), each.at("bytes").get<std::int64_t>(),
                each.value("sha256", std::string())});
        }
    } catch (const nlohmann::json::exception&) {
        return {};
    }
    return files;
}

QString checkpointFolderOf(const QString& storeFolder, const RunId& id)
{
    return QDir(storeFolder).absoluteFilePath(QString::fromStdString(id.text) + u".checkpoints"_s);
}

QString checkpointFolderOf(const QString& storeFolder, const RunId& id, const experiment::RunSpec& spec)
{
    const bool hasOwn = !spec.settings->checkpoint.path.empty();
    return hasOwn ? QString::fromStdString(spec.settings->checkpoint.path + "/" + id.text)
                  : checkpointFolderOf(storeFolder, id);
}

std::vector<Checkpoint> checkpointsIn(const QString& path)
{
    const QDir folder(path);
    std::vector<Checkpoint> found;
    for (const QString& name : folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (const auto step = checkpointStep(name.toStdString())) {
            const QString checkpoint = folder.absoluteFilePath(name);
            found.push_back({*step, checkpoint, isWhole(checkpoint)});
        }
    }
    std::sort(found.begin(), found.end(), [](const Checkpoint& a, const Checkpoint& b) { return a.step < b.step; });
    return found;
}

std::vector<Checkpoint> checkpointsOf(const QString& storeFolder, const analysis::RunRecord& run)
{
    return checkpointsIn(checkpointFolderOf(storeFolder, run.id, run.spec));
}

Result<experiment::RunSpec> resumedSpec(const QString& storeFolder, const analysis::RunRecord& run)
{
    const std::vector<Checkpoint> all = checkpointsOf(storeFolder, run);
    // A run that was cut short after the checkpoint of its last step lacks what follows that step.
    const std::int64_t end = run.status == analysis::RunStatus::Finished ? 0 : lengthOf(run);
    const auto newest = std::find_if(all.rbegin(), all.rend(),
        [end](const Checkpoint& checkpoint) { return checkpoint.isWhole && (end == 0 || checkpoint.step < end); });
    // A resumed run that ended before its first checkpoint resumes from where it began.
    const QString begin = QString::fromStdString(run.spec.settings->checkpoint.from);
    if (newest == all.rend() && !begin.isEmpty() && isWhole(begin)) {
        return run.spec;
    }
    if (newest == all.rend()) {
        return failure(all.empty()
                ? LS_TR("Messages",
                    "%1 has no checkpoint; checkpoint.every writes them during a run, and stopping a run writes one")
                : LS_TR("Messages",
                    "%1 has no complete checkpoint; checkpoint.every writes them during a run, and stopping a run "
                    "writes one"),
            {verbatim(run.id.text)});
    }
    experiment::RunSpec spec = run.spec;
    spec.settings.set(&experiment::CheckpointSettings::from, newest->folder.toStdString());
    const std::string mark = " from ";
    // A resumed run is not named twice.
    spec.name = spec.name.substr(0, spec.name.rfind(mark)) + mark + std::to_string(newest->step);
    return spec;
}

} // namespace lockstep::store
