#include "store/run_store.h"

#include "store/checkpoints.h"

#include "base/clock.h"
#include "store/file/database.h"
#include "store/file/run_file_reader.h"
#include "store/file/run_file_writer.h"
#include "store/file/run_meta.h"
#include "store/foreign_run.h"
#include "store/import_run.h"
#include "store/output_folder.h"
#include "store/run_index.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QSet>
#include <QStandardPaths>

#include <algorithm>
#include <array>

namespace lockstep::store {

using namespace Qt::StringLiterals;

namespace {

/// Of what a run has beside its file.
using FolderOf = QString (*)(const QString& storeFolder, const RunId& id);
constexpr std::array<FolderOf, 2> FoldersBeside{checkpointFolderOf, outputFolderOf};

const QString Suffix = u".run"_s;
const QString TrashName = u".trash"_s;
constexpr std::string_view ImportName = ".import-";

/// What ranks that were killed between writing a checkpoint and naming it have left. The ranks have ended.
void removeUnnamedCheckpoints(const QString& storeFolder, const analysis::RunRecord& run)
{
    const QDir folder(checkpointFolderOf(storeFolder, run.id, run.spec));
    for (const QString& name : folder.entryList({u"step-*.part"_s}, QDir::Dirs)) {
        QDir(folder.filePath(name)).removeRecursively();
    }
}

struct Look {
    analysis::RunRecord record;
    bool isAbandoned = false; ///< it has no end, and its writer has ended
};

Result<Look> findAbandoned(Database& file)
{
    LOCKSTEP_TRY_ASSIGN(auto record, readRecord(file));
    if (isFinal(record.status)) {
        return Look{std::move(record), false};
    }
    LOCKSTEP_TRY_ASSIGN(const auto writer, readWriter(file));
    return Look{std::move(record), !writer.isAlive()};
}

/// The record of a run whose writer is dead as it will be stored: how it ended and what its rows give, without curves.
Result<analysis::RunRecord> endedInMemory(Database& file, analysis::RunRecord record)
{
    LOCKSTEP_TRY(readCurves(file, record, Summarise::FromRows));
    record.loss = {};
    record.accuracy = {};
    return record;
}

/// If the file's run is not final and its writer is dead: marks it interrupted, with a summary from its rows,
/// checkpoints it and leaves WAL mode. Returns the record in the file after that.
Result<analysis::RunRecord> recoverIfAbandoned(const QString& path, bool mayWrite)
{
    LOCKSTEP_TRY_ASSIGN(auto file, Database::open(path, Access::ReadWrite));
    auto abandoned = findAbandoned(*file);
    if (!abandoned || !abandoned->isAbandoned) {
        return abandoned ? Result<analysis::RunRecord>(abandoned->record) : abandoned.error();
    }
    if (!mayWrite) {
        return endedInMemory(*file, std::move(abandoned->record));
    }
    // Its writer may have ended the run between the two checks: the second and what follows are one transaction.
    // Closing the connection rolls it back.
    LOCKSTEP_TRY(file->exec(u"BEGIN IMMEDIATE"_s));
    abandoned = findAbandoned(*file);
    if (!abandoned || !abandoned->isAbandoned) {
        return abandoned ? Result<analysis::RunRecord>(abandoned->record) : abandoned.error();
    }
    auto record = endedInMemory(*file, std::move(abandoned->record));
    if (!record) {
        return record;
    }
    LOCKSTEP_TRY(writeRecord(*file, *record, {}));
    for (const QString& sql : {u"COMMIT"_s, u"PRAGMA wal_checkpoint(TRUNCATE)"_s, u"PRAGMA journal_mode = DELETE"_s}) {
        LOCKSTEP_TRY(file->exec(sql));
    }
    removeUnnamedCheckpoints(QFileInfo(path).absolutePath(), *record);
    return record;
}

RunId freshId()
{
    return makeRunId(wallNs() / 1'000'000'000, QRandomGenerator::system()->generate());
}

} // namespace

RunStore::RunStore(QString folder)
    : m_folder(std::move(folder))
{ }

RunStore::~RunStore() = default;

bool RunStore::hasChangedElsewhere()
{
    return m_index->hasChangedElsewhere();
}

Result<void> RunStore::checkId(const RunId& id) const
{
    if (!isRunId(id.text) || !QFileInfo(runFile(m_folder, id)).isFile()) {
        return failure(
            LS_TR("Messages", "run %1: no such run in %2"), {verbatim(id.text), verbatim(m_folder.toStdString())});
    }
    return {};
}

QStringList RunStore::idsOnDisk() const
{
    QStringList ids;
    for (const QString& name : QDir(m_folder).entryList({u"*"_s + Suffix}, QDir::Files)) {
        const QString id = name.chopped(Suffix.size());
        if (isRunId(id.toStdString())) {
            ids.append(id);
        }
    }
    return ids;
}

Result<std::unique_ptr<RunWriter>> RunStore::create(const analysis::RunRecord& record)
{
    if (!isRunId(record.id.text) || QFileInfo::exists(runFile(m_folder, record.id))) {
        return failure(LS_TR("Messages", "run store: a run %1 already exists"), {verbatim(record.id.text)});
    }
    LOCKSTEP_TRY(checkWritable());
    // The writer may outlive this store's index connection: it opens its own for the one row.
    auto writer
        = createRunFile(runFile(m_folder, record.id), record, [folder = m_folder](const analysis::RunRecord& ended) {
              removeUnnamedCheckpoints(folder, ended);
              // The run is complete without the index, which is repaired when a store is next opened.
              if (auto index = RunIndex::open(folder); index) {
                  static_cast<void>((*index)->put(ended).isOk());
              }
              return Result<void>();
          });
    if (writer) {
        // Another window sees the index, which is not written again before the run ends.
        analysis::RunRecord begun = record;
        begun.status = isFinal(begun.status) ? begun.status : analysis::RunStatus::Running;
        static_cast<void>(m_index->put(begun).isOk());
    }
    return writer;
}

std::vector<analysis::RunRecord> RunStore::list() const
{
    auto records = m_index->list();
    return records ? std::move(*records) : std::vector<analysis::RunRecord>();
}

Result<analysis::RunRecord> RunStore::load(const RunId& id) const
{
    LOCKSTEP_TRY(checkId(id));
    LOCKSTEP_TRY_ASSIGN(auto file, Database::open(runFile(m_folder, id), Access::ReadWrite));
    auto record = readRecord(*file);
    if (record) {
        LOCKSTEP_TRY(readCurves(*file, *record, Summarise::No));
    }
    return record;
}

Result<void> RunStore::replay(const RunId& id, const std::function<bool(const Delta&)>& visit) const
{
    LOCKSTEP_TRY(checkId(id));
    LOCKSTEP_TRY_ASSIGN(auto file, Database::open(runFile(m_folder, id), Access::ReadWrite));
    LOCKSTEP_TRY(readRecord(*file));
    return replayFile(*file, visit);
}

Result<void> RunStore::changeMarks(const RunId& id, const std::function<void(analysis::RunRecord&)>& change)
{
    LOCKSTEP_TRY(checkId(id));
    LOCKSTEP_TRY_ASSIGN(auto file, Database::open(runFile(m_folder, id), Access::ReadWrite));
    LOCKSTEP_TRY_ASSIGN(auto record, readRecord(*file));
    change(record);
    LOCKSTEP_TRY(file->inTransaction([&] { return writeMarks(*file, record); }));
    return m_index->put(record);
}

Result<void> RunStore::rename(const RunId& id, const QString& label)
{
    return changeMarks(id, [&label](analysis::RunRecord& record) { record.label = label.toStdString(); });
}

Result<void> RunStore::mark(const RunId& id, const analysis::RunMarks& marks)
{
    return changeMarks(id, [&marks](analysis::RunRecord& record) { record.marks = marks; });
}

Result<void> RunStore::move(const RunId& id, const QString& from, const QString& to) const
{
    const QString name = QString::fromStdString(id.text) + Suffix;
    for (const QString& tail : {QString(), u"-wal"_s, u"-shm"_s}) {
        const QString source = from + u'/' + name + tail;
        QFile file(source);
        if (file.exists() && !file.rename(to + u'/' + name + tail)) {
            return failure(LS_TR("Messages", "run store: %1 cannot be moved to %2: %3"),
                {verbatim(source.toStdString()), verbatim(to.toStdString()),
                    verbatim(file.errorString().toStdString())});
        }
    }
    for (const auto& folderOf : FoldersBeside) {
        const QString folder = folderOf(from, id);
        if (QFileInfo::exists(folder) && !QDir().rename(folder, folderOf(to, id))) {
            return failure(LS_TR("Messages", "run store: %1 cannot be moved to %2"),
                {verbatim(folder.toStdString()), verbatim(to.toStdString())});
        }
    }
    return {};
}

Result<void> RunStore::remove(const RunId& id)
{
    LOCKSTEP_TRY(checkId(id));
    QDir(m_folder).mkpath(TrashName);
    LOCKSTEP_TRY(move(id, m_folder, m_folder + u'/' + TrashName));
    return m_index->erase(id);
}

Result<void> RunStore::restore(const RunId& id)
{
    const QString trash = m_folder + u'/' + TrashName;
    if (!isRunId(id.text) || !QFileInfo::exists(trash + u'/' + QString::fromStdString(id.text) + Suffix)) {
        return failure(LS_TR("Messages", "run %1: it is no longer among the deleted runs"), {verbatim(id.text)});
    }
    LOCKSTEP_TRY(move(id, trash, m_folder));
    return takeIn(QString::fromStdString(id.text));
}

Result<void> RunStore::takeIn(const QString& id)
{
    const auto record = recoverIfAbandoned(runFile(m_folder, {id.toStdString()}), checkWritable().isOk());
    return record ? m_index->put(*record) : Result<void>(record.error());
}

Result<void> RunStore::reconcile()
{
    LOCKSTEP_TRY_ASSIGN(const auto known, m_index->statuses());
    const QStringList onDisk = idsOnDisk();
    QSet<QString> missing(onDisk.begin(), onDisk.end());
    for (const auto& [run, status] : known) {
        const QString id = QString::fromStdString(run.text);
        if (!missing.contains(id)) {
            LOCKSTEP_TRY(m_index->erase(run));
        } else if (isFinal(status)) {
            missing.remove(id);
        }
    }
    for (const QString& id : missing) {
        // One file that cannot be read must not hide all the others: it stays out of the list.
        if (const auto taken = takeIn(id); !taken) {
            m_remarks.push_back(
                {LS_TR("Messages", "run %1 cannot be read: %2"), {verbatim(id.toStdString()), taken.error()}});
        }
    }
    return {};
}

Result<void> RunStore::checkWritable() const
{
    return QFileInfo(m_folder).isWritable()
        ? Result<void>()
        : failure(LS_TR("Messages", "run store: %1 cannot be written; choose another with --store"),
            {verbatim(m_folder.toStdString())});
}

/// The runs' files have all that is in it.
Result<void> RunStore::openIndex()
{
    const QString path = m_folder + u"/index.sqlite"_s;
    if (!checkWritable()) {
        LOCKSTEP_TRY_ASSIGN(m_index, RunIndex::inMemory());
        return {};
    }
    bool damaged = isDamaged(path);
    if (!damaged) {
        LOCKSTEP_TRY_ASSIGN(m_index, RunIndex::open(m_folder));
        damaged = !m_index->statuses() && isDamaged(path, DamageCheck::Whole);
    }
    if (damaged && !idsOnDisk().isEmpty()) {
        m_index.reset();
        LOCKSTEP_TRY_ASSIGN(const QString aside, setAside(path));
        m_remarks.push_back(
            {LS_TR("Messages", "run store: %1 was damaged and is made again from the runs; it is kept as %2"),
                {verbatim(path.toStdString()), verbatim(aside.toStdString())}});
    }
    if (!m_index) {
        LOCKSTEP_TRY_ASSIGN(m_index, RunIndex::open(m_folder));
    }
    return {};
}

void RunStore::emptyTrash() const
{
    // Not recent deletions: another window on this store may still offer to undo them.
    const QDateTime old = QDateTime::currentDateTimeUtc().addDays(-1);
    for (const QFileInfo& file : QDir(m_folder + u'/' + TrashName).entryInfoList(QDir::Files)) {
        if (file.metadataChangeTime() < old) {
            QFile::remove(file.absoluteFilePath());
            for (const auto& folderOf : FoldersBeside) {
                QDir(folderOf(file.absolutePath(), {file.completeBaseName().toStdString()})).removeRecursively();
            }
        }
    }
    DraftFolder::clear(m_folder.toStdString(), ImportName); // of imports that were killed
}

Result<void> RunStore::admit(const FinishedRun& run)
{
    const QString path = runFile(m_folder, run.id);
    if (!isRunId(run.id.text) || QFileInfo::exists(path)) {
        return failure(LS_TR("Messages", "run %1 is in this store already"), {verbatim(run.id.text)});
    }
    if (const int code = renameOnDisk(run.file.toStdString(), path.toStdString()); code != 0) {
        return failure(LS_TR("Messages", "run store: %1 cannot be moved to %2: %3"),
            {verbatim(run.file.toStdString()), verbatim(m_folder.toStdString()), systemError(code)});
    }
    auto taken = takeIn(QString::fromStdString(run.id.text));
    if (!taken) {
        QFile::remove(path);
    }
    return taken;
}

Result<void> RunStore::admit(const std::vector<FinishedRun>& runs)
{
    for (auto run = runs.begin(); run != runs.end(); ++run) {
        if (auto admitted = admit(*run); !admitted) {
            std::for_each(runs.begin(), run, [this](const FinishedRun& earlier) {
                QFile::remove(runFile(m_folder, earlier.id));
                static_cast<void>(m_index->erase(earlier.id).isOk());
            });
            return admitted;
        }
    }
    return {};
}

Result<RunId> RunStore::importRunFile(const QString& file)
{
    const Text failed(LS_TR("Messages", "%1 cannot be imported"), {verbatim(file.toStdString())});
    auto source = openForeignRun(file);
    if (!source) {
        return during(failed, source.error());
    }
    LOCKSTEP_TRY_ASSIGN(const auto found, readRecord(**source));
    if (QFileInfo::exists(runFile(m_folder, found.id))) {
        return failure(LS_TR("Messages", "run %1 is in this store already"), {verbatim(found.id.text)});
    }
    LOCKSTEP_TRY_ASSIGN(const DraftFolder folder, importFolderIn(m_folder));
    const QString copy = QString::fromStdString(folder.file("copy")) + Suffix;
    const auto copied = copyRun(**source, copy, {.record = [&](analysis::RunRecord& record) {
        record.importedFrom = QFileInfo(file).fileName().toStdString();
    }});
    if (!copied) {
        return during(failed, copied.error());
    }
    LOCKSTEP_TRY(admit(FinishedRun{found.id, copy}));
    return found.id;
}

Result<RunId> RunStore::import(const QString& file)
{
    if (!QFileInfo(filesOfRun(file).front()).isFile()) {
        return failure(LS_TR("Messages", "%1: no such file"), {verbatim(file.toStdString())});
    }
    if (isDatabase(file)) {
        return importRunFile(file);
    }
    if (!beginsAsRecording(filesOfRun(file).front())) {
        return failure(
            LS_TR("Messages",
                "%1 cannot be imported: it is no bundle, run or recording, no CSV or TSV, no TensorBoard event file"),
            {verbatim(file.toStdString())});
    }
    const RunId fresh = freshId();
    LOCKSTEP_TRY(checkWritable());
    LOCKSTEP_TRY_ASSIGN(const DraftFolder folder, importFolderIn(m_folder));
    const QString draft = QString::fromStdString(folder.file("recorded")) + Suffix;
    LOCKSTEP_TRY(importRecording(file, fresh, [&draft](const analysis::RunRecord& made) {
        return createRunFile(draft, made, [](const analysis::RunRecord&) { return Result<void>(); });
    }));
    LOCKSTEP_TRY(admit(FinishedRun{fresh, draft}));
    return fresh;
}

Result<Followed> RunStore::follow(
    const QString& recording, const KeepReading& keepReading, std::chrono::milliseconds silence)
{
    if (isDatabase(recording)) {
        return failure(LS_TR("Messages", "%1 is a run file, not a recording of lockstep-rank"),
            {verbatim(recording.toStdString())});
    }
    const auto make = [this](const analysis::RunRecord& made) { return create(made); };
    return followRecording(recording, freshId(), make, keepReading, silence);
}

Result<DraftFolder> importFolderIn(const QString& storeFolder)
{
    return DraftFolder::make(storeFolder.toStdString(), ImportName);
}

QString RunStore::defaultFolder()
{
    const QString chosen = qEnvironmentVariable("LOCKSTEP_STORE");
    if (!chosen.isEmpty()) {
        return chosen;
    }
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/lockstep/runs"_s;
}

Result<std::unique_ptr<RunStore>> RunStore::open(const QString& folder)
{
    const QFileInfo place(folder);
    if (place.exists() && !place.isDir()) {
        return failure(
            LS_TR("Messages", "run store: %1 is a file; a store is a folder"), {verbatim(folder.toStdString())});
    }
    if (!place.exists() && !QDir().mkpath(folder)) {
        return failure(LS_TR("Messages", "run store: the folder %1 cannot be created; choose another with --store"),
            {verbatim(folder.toStdString())});
    }
    std::unique_ptr<RunStore> store(new RunStore(QFileInfo(folder).absoluteFilePath()));
    LOCKSTEP_TRY(store->openIndex());
    LOCKSTEP_TRY(store->reconcile());
    if (store->checkWritable()) {
        store->emptyTrash();
    }
    return store;
}

} // namespace lockstep::store
