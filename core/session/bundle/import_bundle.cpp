#include "session/bundle/import_bundle.h"

#include "session/bundle/manifest.h"
#include "session/bundle/zip_reader.h"
#include "session/store/foreign_run.h"
#include "session/store/run_meta.h"

#include <fmt/format.h>

#include <QFileInfo>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

constexpr std::uint64_t MaxDocumentBytes = 16u << 20;

Result<Manifest> manifestOf(const ZipReader& archive)
{
    LOCKSTEP_TRY_ASSIGN(const QByteArray json, archive.read(QString::fromLatin1(ManifestName), MaxDocumentBytes));
    LOCKSTEP_TRY_ASSIGN(auto manifest, Manifest::fromJson(json));
    QStringList named = manifest.members();
    QStringList there;
    for (const ZipMember& member : archive.members()) {
        there += member.name;
    }
    named.sort();
    there.sort();
    if (named != there) {
        return Error{fmt::format("its members are not those that its {} names", ManifestName)};
    }
    return manifest;
}

/// The experiments; everything else that is JSON is only checked.
Result<std::vector<QByteArray>> documentsOf(const ZipReader& archive, const Manifest& manifest)
{
    LOCKSTEP_TRY_ASSIGN(
        const QByteArray environment, archive.read(QString::fromLatin1(EnvironmentName), MaxDocumentBytes));
    if (!nlohmann::json::accept(environment.begin(), environment.end())) {
        return Error{fmt::format("its {} is not JSON", EnvironmentName)};
    }
    std::vector<QByteArray> specs;
    for (const QString& name : manifest.specs) {
        LOCKSTEP_TRY_ASSIGN(QByteArray json, archive.read(name, MaxDocumentBytes));
        if (const auto spec = experiment::parseSpec(json.toStdString()); !spec) {
            return during("its " + name.toStdString(), spec.error());
        }
        specs.push_back(std::move(json));
    }
    return specs;
}

/// Unpacks one run into `folder` and copies it there; gives the copy.
Result<QString> copyOf(
    const ZipReader& archive, const BundledRun& run, const QTemporaryDir& folder, const QString& source)
{
    const QString unpacked = folder.filePath(u"unpacked.run"_s);
    LOCKSTEP_TRY(archive.extract(run.member(), unpacked));
    const QString copy = folder.filePath(QString::fromStdString(run.id.text) + u".run"_s);
    {
        LOCKSTEP_TRY_ASSIGN(const auto file, openForeignRun(unpacked));
        LOCKSTEP_TRY_ASSIGN(const auto record, readRecord(*file));
        if (record.id != run.id) {
            return Error{"it is another run, " + record.id.text};
        }
        LOCKSTEP_TRY(copyRun(
            *file, copy, {.record = [&](analysis::RunRecord& copied) { copied.importedFrom = source.toStdString(); }}));
    }
    for (const char* tail : {"", "-wal", "-shm", "-journal"}) {
        QFile::remove(unpacked + QLatin1StringView(tail));
    }
    return copy;
}

Result<ImportedBundle> import(RunStore& store, const QString& file)
{
    LOCKSTEP_TRY_ASSIGN(const auto archive, ZipReader::open(file));
    LOCKSTEP_TRY_ASSIGN(const auto manifest, manifestOf(archive));
    ImportedBundle imported;
    LOCKSTEP_TRY_ASSIGN(imported.specs, documentsOf(archive, manifest));
    std::set<RunId> known;
    for (const analysis::RunRecord& run : store.list()) {
        known.insert(run.id);
    }
    const QTemporaryDir folder(importFolderIn(store.folder()));
    std::vector<FinishedRun> copies;
    for (const BundledRun& run : manifest.runs) {
        if (known.contains(run.id)) {
            imported.alreadyThere.push_back(run.id);
            continue;
        }
        auto copy = copyOf(archive, run, folder, QFileInfo(file).fileName());
        if (!copy) {
            return during("its run " + run.id.text, copy.error());
        }
        copies.push_back({run.id, std::move(*copy)});
        imported.runs.push_back(run.id);
    }
    if (copies.empty()) {
        return Error{manifest.runs.empty() ? "it has no run" : "every run of it is in this store already"};
    }
    LOCKSTEP_TRY(store.admit(copies));
    return imported;
}

} // namespace

Result<ImportedBundle> importBundle(RunStore& store, const QString& file)
{
    auto imported = import(store, file);
    return imported ? std::move(imported) : during(file.toStdString() + " cannot be imported", imported.error());
}

bool isBundle(const QString& file)
{
    return isZip(file) || (file.endsWith(u".lockstep"_s) && QFileInfo(file).isFile());
}

Result<ImportedBundle> importFile(RunStore& store, const QString& file)
{
    if (isBundle(file)) {
        return importBundle(store, file);
    }
    LOCKSTEP_TRY_ASSIGN(const RunId id, store.import(file));
    return ImportedBundle{{id}, {}, {}};
}

} // namespace lockstep::session
