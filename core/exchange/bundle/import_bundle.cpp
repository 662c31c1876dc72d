#include "exchange/bundle/import_bundle.h"

#include "exchange/bundle/manifest.h"
#include "exchange/bundle/zip_reader.h"
#include "store/file/run_meta.h"
#include "store/foreign_run.h"
#include "store/view_files.h"

#include <fmt/format.h>

#include <QFile>
#include <QFileInfo>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace lockstep::exchange {

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
        return failure(LS_TR("Messages", "its members are not those that its %1 names"), {verbatim(ManifestName)});
    }
    return manifest;
}

/// The experiments; everything else that is JSON is only checked.
Result<std::vector<QByteArray>> documentsOf(const ZipReader& archive, const Manifest& manifest)
{
    LOCKSTEP_TRY_ASSIGN(
        const QByteArray environment, archive.read(QString::fromLatin1(EnvironmentName), MaxDocumentBytes));
    if (!nlohmann::json::accept(environment.begin(), environment.end())) {
        return failure(LS_TR("Messages", "its %1 is not JSON"), {verbatim(EnvironmentName)});
    }
    std::vector<QByteArray> specs;
    for (const QString& name : manifest.specs) {
        LOCKSTEP_TRY_ASSIGN(QByteArray json, archive.read(name, MaxDocumentBytes));
        if (const auto spec = experiment::parseSpec(json.toStdString()); !spec) {
            return during({LS_TR("Messages", "its %1"), {verbatim(name.toStdString())}}, spec.error());
        }
        specs.push_back(std::move(json));
    }
    return specs;
}

/// The views, which may draw no other runs than the bundle's.
Result<std::vector<store::ViewFile>> viewsOf(const ZipReader& archive, const Manifest& manifest)
{
    std::vector<store::ViewFile> views;
    for (const QString& member : manifest.views) {
        LOCKSTEP_TRY_ASSIGN(const QByteArray json, archive.read(member, store::LargestView));
        auto view = store::viewFileFrom(json);
        if (!view) {
            return during({LS_TR("Messages", "its %1"), {verbatim(member.toStdString())}}, view.error());
        }
        for (const RunId& id : view->runs) {
            if (std::ranges::find(manifest.runs, id, &BundledRun::id) == manifest.runs.end()) {
                return failure(LS_TR("Messages", "its %1 draws run %2, which is not in it"),
                    {verbatim(member.toStdString()), verbatim(id.text)});
            }
        }
        views.push_back(*std::move(view));
    }
    return views;
}

/// Those that the store does not have, under names that it does not have.
std::vector<store::ViewFile> newViews(const std::vector<store::ViewFile>& views, const QString& folder)
{
    std::vector<store::ViewFile> known = store::viewsIn(folder);
    const std::size_t before = known.size();
    for (const store::ViewFile& view : views) {
        store::ViewFile named = view;
        const auto isNamed = [&named](const store::ViewFile& other) { return other.name == named.name; };
        auto there = std::ranges::find_if(known, isNamed);
        for (int number = 2; there != known.end() && there->json != named.json; ++number) {
            named = view.named(u"%1 (%2)"_s.arg(view.name).arg(number));
            there = std::ranges::find_if(known, isNamed);
        }
        if (there == known.end()) {
            known.push_back(std::move(named));
        }
    }
    return {known.begin() + static_cast<std::ptrdiff_t>(before), known.end()};
}

/// Runs and views, or nothing.
Result<void> admit(
    store::RunStore& store, const std::vector<store::FinishedRun>& runs, const std::vector<store::ViewFile>& views)
{
    Result<void> result;
    for (const store::ViewFile& view : views) {
        result = result ? store::writeView(store.folder(), view.name, view.json) : result;
    }
    result = result ? store.admit(runs) : result;
    if (!result) {
        for (const store::ViewFile& view : views) {
            QFile::remove(store::viewPath(store.folder(), view.name));
        }
    }
    return result;
}

/// Unpacks one run into `folder` and copies it there; gives the copy.
Result<QString> copyOf(
    const ZipReader& archive, const BundledRun& run, const DraftFolder& folder, const QString& source)
{
    const QString unpacked = QString::fromStdString(folder.file("unpacked.run"));
    LOCKSTEP_TRY(archive.extract(run.member(), unpacked));
    const QString copy = QString::fromStdString(folder.file(run.id.text + ".run"));
    {
        LOCKSTEP_TRY_ASSIGN(const auto file, store::openForeignRun(unpacked));
        LOCKSTEP_TRY_ASSIGN(const auto record, store::readRecord(*file));
        if (record.id != run.id) {
            return failure(LS_TR("Messages", "it is another run, %1"), {verbatim(record.id.text)});
        }
        LOCKSTEP_TRY(store::copyRun(
            *file, copy, {.record = [&](analysis::RunRecord& copied) { copied.importedFrom = source.toStdString(); }}));
    }
    for (const char* tail : {"", "-wal", "-shm", "-journal"}) {
        QFile::remove(unpacked + QLatin1StringView(tail));
    }
    return copy;
}

Result<ImportedBundle> import(store::RunStore& store, const QString& file)
{
    LOCKSTEP_TRY_ASSIGN(const auto archive, ZipReader::open(file));
    LOCKSTEP_TRY_ASSIGN(const auto manifest, manifestOf(archive));
    ImportedBundle imported;
    LOCKSTEP_TRY_ASSIGN(imported.specs, documentsOf(archive, manifest));
    LOCKSTEP_TRY_ASSIGN(const auto views, viewsOf(archive, manifest));
    std::set<RunId> known;
    for (const analysis::RunRecord& run : store.list()) {
        known.insert(run.id);
    }
    LOCKSTEP_TRY_ASSIGN(const DraftFolder folder, store::importFolderIn(store.folder()));
    std::vector<store::FinishedRun> copies;
    for (const BundledRun& run : manifest.runs) {
        if (known.contains(run.id)) {
            imported.alreadyThere.push_back(run.id);
            continue;
        }
        auto copy = copyOf(archive, run, folder, QFileInfo(file).fileName());
        if (!copy) {
            return during({LS_TR("Messages", "its run %1"), {verbatim(run.id.text)}}, copy.error());
        }
        copies.push_back({run.id, std::move(*copy)});
        imported.runs.push_back(run.id);
    }
    const std::vector<store::ViewFile> added = newViews(views, store.folder());
    if (copies.empty() && added.empty()) {
        return manifest.runs.empty() ? failure(LS_TR("Messages", "it has no run"))
                                     : failure(LS_TR("Messages", "every run of it is in this store already"));
    }
    LOCKSTEP_TRY(admit(store, copies, added));
    std::ranges::transform(added, std::back_inserter(imported.views), &store::ViewFile::name);
    return imported;
}

} // namespace

Result<ImportedBundle> importBundle(store::RunStore& store, const QString& file)
{
    auto imported = import(store, file);
    return imported
        ? std::move(imported)
        : during({LS_TR("Messages", "%1 cannot be imported"), {verbatim(file.toStdString())}}, imported.error());
}

bool isBundle(const QString& file)
{
    return isZip(file) || (file.endsWith(u".lockstep"_s) && QFileInfo(file).isFile());
}

} // namespace lockstep::exchange
