#include "session/store/checkpoints.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace lockstep::session {

namespace {

using namespace Qt::StringLiterals;

constexpr qint64 LargestManifest = 4 << 20;

[[nodiscard]] bool isWhole(const QString& folder)
{
    QFile file(folder + u"/manifest.json"_s);
    if (file.size() > LargestManifest || !file.open(QIODevice::ReadOnly)) {
        return false;
    }
    const nlohmann::json manifest = nlohmann::json::parse(file.readAll().toStdString(), nullptr, false);
    const nlohmann::json files
        = manifest.is_object() ? manifest.value("files", nlohmann::json::array()) : nlohmann::json::array();
    return !files.empty() && std::all_of(files.begin(), files.end(), [&](const nlohmann::json& each) {
        const bool isDescribed = each.is_object() && each.contains("name") && each["name"].is_string()
            && each.contains("bytes") && each["bytes"].is_number_integer();
        return isDescribed
            && QFileInfo(folder + u'/' + QString::fromStdString(each["name"].get<std::string>())).size()
            == each["bytes"].get<qint64>();
    });
}

} // namespace

QString checkpointFolderOf(const QString& storeFolder, const RunId& id)
{
    return QDir(storeFolder).absoluteFilePath(QString::fromStdString(id.text) + u".checkpoints"_s);
}

std::vector<Checkpoint> checkpointsOf(const QString& storeFolder, const analysis::RunRecord& run)
{
    const auto chosen = run.spec.settings.find("checkpoint.path");
    const bool hasOwn = chosen != run.spec.settings.end() && !run.spec.text("checkpoint.path").empty();
    const QDir folder(hasOwn ? QString::fromStdString(run.spec.text("checkpoint.path") + "/" + run.id.text)
                             : checkpointFolderOf(storeFolder, run.id));
    std::vector<Checkpoint> found;
    for (const QString& name : folder.entryList({u"step-*"_s}, QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isNumber = false;
        const qlonglong step = name.mid(5).toLongLong(&isNumber);
        if (isNumber) {
            const QString path = folder.absoluteFilePath(name);
            found.push_back({step, path, isWhole(path)});
        }
    }
    std::sort(found.begin(), found.end(), [](const Checkpoint& a, const Checkpoint& b) { return a.step < b.step; });
    return found;
}

Result<experiment::RunSpec> resumedSpec(const QString& storeFolder, const analysis::RunRecord& run)
{
    const std::vector<Checkpoint> all = checkpointsOf(storeFolder, run);
    const auto newest
        = std::find_if(all.rbegin(), all.rend(), [](const Checkpoint& checkpoint) { return checkpoint.isWhole; });
    // A resumed run that ended before its first checkpoint resumes from where it began.
    const auto from = run.spec.settings.find("checkpoint.from");
    const QString begin
        = from == run.spec.settings.end() ? QString() : QString::fromStdString(run.spec.text("checkpoint.from"));
    if (newest == all.rend() && !begin.isEmpty() && isWhole(begin)) {
        return run.spec;
    }
    if (newest == all.rend()) {
        return Error{run.id.text + (all.empty() ? " has no checkpoint" : " has no complete checkpoint")
            + "; checkpoint.every writes them during a run, and stopping a run writes one"};
    }
    experiment::RunSpec spec = run.spec;
    spec.settings["checkpoint.from"] = newest->folder.toStdString();
    const std::string mark = " from ";
    // A resumed run is not named twice.
    spec.name = spec.name.substr(0, spec.name.rfind(mark)) + mark + std::to_string(newest->step);
    return spec;
}

} // namespace lockstep::session
