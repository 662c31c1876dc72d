// The run store: a folder with one SQLite file a run (`<id>.run`), and index.sqlite beside them, which holds summaries
// only and can be deleted and rebuilt. While a run is written its file is in WAL mode; at its end, and when a crashed
// run is first opened, it is checkpointed and leaves WAL mode: from then on a copy of the file is the run.
#pragma once

#include "analysis/run_record.h"
#include "base/draft_folder.h"
#include "base/result.h"
#include "store/account/delta.h"

#include <QString>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::store {

class RunIndex;

/// Writes one run. Lives in the thread that created it (the collector's).
class RunWriter {
public:
    virtual ~RunWriter() = default;
    /// Commits the whole Delta. Fails on a full disk: earlier commits stay readable.
    [[nodiscard]] virtual Result<void> add(const Delta& delta) = 0;
    /// Final status and summary; leaves WAL mode and closes.
    [[nodiscard]] virtual Result<void> finish(
        analysis::RunStatus status, const Text& why, const analysis::Summary& summary)
        = 0;
};

/// A whole run file outside the store's list.
struct FinishedRun {
    RunId id;
    QString file;
};

/// A recording that is read while ranks write it.
struct Followed {
    RunId run{}; ///< empty until a rank has begun; then it is in the store
    std::int64_t lastStep = 0;
    Text cut{}; ///< at the end: why no more could be read; what had been read is kept
};
/// Called a few times a second; returns whether to read on.
using KeepReading = std::function<bool(const Followed&)>;
/// A rank that was killed does not say so in its recording: this long after the last row, once another rank has ended,
/// no more is expected of it.
inline constexpr std::chrono::milliseconds LongestSilence{60'000};
/// The recording of which the file is one rank's: without `.rank<N>`.
[[nodiscard]] QString recordingOf(const QString& file);
/// Whether it is a recording whose ranks have not all ended, and to which something was written within the last minute.
/// Reads all of it.
[[nodiscard]] bool isBeingRecorded(const QString& file);

/// Opens a store folder. Any thread may have its own RunStore on the same folder; one writer a run.
class RunStore {
public:
    /// Creates a missing folder. Refuses a path that is not a folder, or has an index.sqlite that is not ours, with one
    /// line that says so. Marks runs whose workbench died as interrupted. Sets a damaged index aside and makes it
    /// again. A folder that is not writable can be read.
    [[nodiscard]] static Result<std::unique_ptr<RunStore>> open(const QString& folder);
    /// LOCKSTEP_STORE, or the platform's data folder.
    [[nodiscard]] static QString defaultFolder();
    ~RunStore();
    RunStore(const RunStore&) = delete;
    RunStore& operator=(const RunStore&) = delete;

    [[nodiscard]] QString folder() const { return m_folder; }
    /// What open() met: a damaged index, run files that cannot be read and are not in the list.
    [[nodiscard]] const std::vector<Text>& remarks() const { return m_remarks; }
    [[nodiscard]] Result<void> checkWritable() const;
    [[nodiscard]] Result<std::unique_ptr<RunWriter>> create(const analysis::RunRecord& record);

    /// From the index: newest first, curves empty. Fast with thousands of runs.
    [[nodiscard]] std::vector<analysis::RunRecord> list() const;
    /// One run with its curves, from its file.
    [[nodiscard]] Result<analysis::RunRecord> load(const RunId& id) const;
    /// Every Delta of the run in the order in which it was written, until the visitor returns false.
    [[nodiscard]] Result<void> replay(const RunId& id, const std::function<bool(const Delta&)>& visit) const;

    [[nodiscard]] Result<void> rename(const RunId& id, const QString& label);
    /// Tags, note and pin.
    [[nodiscard]] Result<void> mark(const RunId& id, const analysis::RunMarks& marks);
    /// Whether another store object, of this process or another, has changed the index since the last call; false on
    /// the first. Reads no table: cheap enough for every second.
    [[nodiscard]] bool hasChangedElsewhere();
    /// Moves the files into `.trash` inside the folder; restore() brings them back for at least a day.
    [[nodiscard]] Result<void> remove(const RunId& id);
    [[nodiscard]] Result<void> restore(const RunId& id);
    /// Copies a run file from elsewhere, or a recording of lockstep-rank, row by row into a new file of the store, and
    /// marks it as imported; gives the run's id. Nothing stays behind if it is not ours, not whole or of a later
    /// version. importBundle() is for bundles.
    [[nodiscard]] Result<RunId> import(const QString& file);
    /// Of a recording that ranks are still writing, or are going to write: what comes is in the store at once. Returns
    /// when every rank has ended, after `silence`, or when `keepReading` returns false; then the run is interrupted.
    /// Refused: a recording whose ranks have ended already, one that no rank has begun.
    [[nodiscard]] Result<Followed> follow(
        const QString& recording, const KeepReading& keepReading, std::chrono::milliseconds silence);
    /// Moves finished run files that this program wrote, on the same file system, into the store: all or none.
    [[nodiscard]] Result<void> admit(const std::vector<FinishedRun>& runs);

private:
    explicit RunStore(QString folder);
    [[nodiscard]] Result<void> openIndex();

    /// Files that the index does not know (copied in), rows without a file (deleted by hand), runs left unfinished.
    [[nodiscard]] Result<void> reconcile();
    void emptyTrash() const;
    [[nodiscard]] Result<void> checkId(const RunId& id) const;
    [[nodiscard]] QStringList idsOnDisk() const;
    [[nodiscard]] Result<void> takeIn(const QString& id);
    [[nodiscard]] Result<void> changeMarks(const RunId& id, const std::function<void(analysis::RunRecord&)>& change);
    [[nodiscard]] Result<void> move(const RunId& id, const QString& from, const QString& to) const;
    [[nodiscard]] Result<RunId> importRunFile(const QString& file);
    [[nodiscard]] Result<void> admit(const FinishedRun& run);

    QString m_folder;
    std::unique_ptr<RunIndex> m_index;
    std::vector<Text> m_remarks;
};

/// A folder in which an import prepares its files: private, and on the store's disk.
[[nodiscard]] Result<DraftFolder> importFolderIn(const QString& storeFolder);

/// The DeltaSource over a stored run: other threads read. With a sink, what is there now is for the sink, which comes
/// in Delta::gathered once it has all of it; only the loss of a long run and log lines are in Deltas, too.
[[nodiscard]] std::unique_ptr<DeltaSource> replaySource(
    const QString& storeFolder, const RunId& id, std::shared_ptr<DeltaSink> sink = nullptr);

} // namespace lockstep::store
