// The DeltaSource over a stored run: other threads read, the window takes. The loss of a long run comes first, its
// outline before the whole, then all rows. A run that another process writes is followed.
#include "store/file/database.h"
#include "store/file/loss_columns.h"
#include "store/file/run_file_reader.h"
#include "store/file/run_meta.h"
#include "store/replay/read_threads.h"
#include "store/run_store.h"

#include <QElapsedTimer>

#include <atomic>
#include <chrono>
#include <mutex>

namespace lockstep::store {

using namespace std::chrono_literals;

namespace {

/// Of a run that is still written.
constexpr std::chrono::milliseconds FollowEvery{200};
/// Rows that wait to be taken: the reader of a long run is not ahead by more.
constexpr std::size_t MostWaitingRows = 4096;
/// After this many rows that a sink has taken the file is closed for a moment, so that others can write it.
constexpr std::size_t RowsAtOnce = 200'000;

std::size_t rowsOf(const Delta& delta)
{
    std::size_t rows = 0;
    for (const auto& batch : delta.steps) {
        rows += batch.what.size();
    }
    return rows;
}

/// What its threads and its source share. At most one thread reads at a time.
class Reading : public std::enable_shared_from_this<Reading> {
public:
    /// With a sink all that is there now is for the sink; else, and afterwards, it is handed over as Deltas.
    Reading(QString path, std::shared_ptr<DeltaSink> sink, ReadThreads& threads)
        : m_path(std::move(path))
        , m_sink(std::move(sink))
        , m_threads(threads)
    { }

    void begin()
    {
        const bool isGathered = m_sink != nullptr;
        start(&Reading::readLoss, isGathered ? ReadThreads::Need::Outline : ReadThreads::Need::Whole);
    }
    void cancel() { m_isCancelled = true; }

    /// The window's thread: what waits. Reads on where that is due.
    DeltaPtr take()
    {
        const std::unique_lock lock(m_mutex, std::try_to_lock);
        if (!lock) {
            return nullptr; // it waits for no reader
        }
        DeltaPtr taken = std::exchange(m_pending, nullptr);
        m_waitingRows = 0;
        if (!m_isReading && !m_isOver && (m_isCut || m_sinceRead.hasExpired(FollowEvery.count()))) {
            m_isReading = true;
            start(&Reading::readRows, ReadThreads::Need::Whole);
        }
        return taken;
    }

    [[nodiscard]] bool isOver() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_isOver && m_pending == nullptr;
    }

private:
    using Part = Result<void> (Reading::*)();

    void start(Part part, ReadThreads::Need need)
    {
        m_threads.startSoon([self = shared_from_this(), part] { self->read(part); }, need);
    }
    void read(Part part)
    {
        const Result<void> done = m_isCancelled ? Result<void>() : (this->*part)();
        if (!done) {
            m_logs.logs.push_back({0, wire::LogLine::of(0, wire::LogLevel::Error, done.error())});
            handGathered();
            hand(std::exchange(m_logs, {}));
            end(true, false);
        }
    }

    /// The outline before the whole, where it has one and others wait, too. Without such columns it is short, or needs
    /// its rows to be seen.
    Result<void> readLoss()
    {
        {
            LOCKSTEP_TRY_ASSIGN(const auto file, Database::open(m_path, Access::ReadWrite));
            if (m_sink != nullptr && !std::exchange(m_hasOutline, true)) {
                LOCKSTEP_TRY_ASSIGN(const auto outline, readLossOutline(*file));
                if (outline) {
                    Delta first;
                    first.storedLoss.push_back(*outline);
                    hand(std::move(first));
                    start(&Reading::readLoss, ReadThreads::Need::Whole);
                    return {};
                }
            }
            LOCKSTEP_TRY_ASSIGN(analysis::Curve curve, readLossColumns(*file));
            if (curve.size() > 0) {
                const std::size_t steps = curve.size();
                m_loss.storedLoss.push_back({std::make_shared<const analysis::Curve>(std::move(curve)), steps});
            }
        }
        if (m_loss.storedLoss.empty()) {
            return readRows();
        }
        hand(Delta(m_loss));
        if (m_sink == nullptr) {
            m_loss = {};
            return readRows();
        }
        m_threads.startIdle([self = shared_from_this()] { self->read(&Reading::readRows); });
        return {};
    }

    Result<void> readRows()
    {
        if (m_sink != nullptr) {
            m_sink->add(std::exchange(m_loss, {}));
        }
        bool isCut = true;
        bool isLast = false;
        for (bool isGathering = true; isCut && isGathering && !m_isCancelled;) {
            isGathering = m_sink != nullptr;
            LOCKSTEP_TRY_ASSIGN(isLast, readMore(isCut));
        }
        if (!m_isCancelled) {
            handGathered();
            end(isLast, isCut);
        }
        return {};
    }

    /// What has been written after the place that it has reached; whether nothing more will come. The connection
    /// closes in between: the writer leaves WAL mode at the end, which needs the file for itself.
    Result<bool> readMore(bool& isCut)
    {
        LOCKSTEP_TRY_ASSIGN(const auto file, Database::open(m_path, Access::ReadWrite));
        LOCKSTEP_TRY_ASSIGN(const auto record, readRecord(*file));
        LOCKSTEP_TRY_ASSIGN(const auto writer, readWriter(*file));
        const bool isLast = analysis::isFinal(record.status) || !writer.isAlive();
        std::size_t rows = 0;
        isCut = false;
        LOCKSTEP_TRY(replayFrom(*file, m_place, [&](const Delta& delta) {
            if (m_sink != nullptr) {
                m_sink->add(delta);
                m_logs.logs.insert(m_logs.logs.end(), delta.logs.begin(), delta.logs.end());
                rows += rowsOf(delta);
                isCut = rows >= RowsAtOnce;
            } else {
                isCut = hand(Delta(delta)) == Room::None;
            }
            return !isCut && !m_isCancelled;
        }));
        return isLast && !isCut;
    }

    void handGathered()
    {
        if (m_sink != nullptr) {
            m_logs.gathered.push_back(std::move(m_sink));
            hand(std::exchange(m_logs, {}));
        }
    }

    enum class Room { None, Some };
    Room hand(Delta delta)
    {
        const std::scoped_lock lock(m_mutex);
        m_waitingRows += rowsOf(delta);
        if (m_pending == nullptr) {
            m_pending = std::make_shared<Delta>(std::move(delta));
        } else {
            m_pending->append(delta);
        }
        return m_waitingRows < MostWaitingRows ? Room::Some : Room::None;
    }

    void end(bool isOver, bool isCut)
    {
        const std::scoped_lock lock(m_mutex);
        m_isOver = isOver;
        m_isCut = isCut;
        m_isReading = false;
        m_sinceRead.start();
    }

    const QString m_path;
    std::atomic<bool> m_isCancelled{false};
    // Of the thread that reads.
    std::shared_ptr<DeltaSink> m_sink; ///< null once it has been handed over
    bool m_hasOutline = false;
    Delta m_loss; ///< that of the columns, for the sink
    Delta m_logs;
    ReplayPlace m_place;
    ReadThreads& m_threads;

    mutable std::mutex m_mutex; ///< of the following
    std::shared_ptr<Delta> m_pending;
    std::size_t m_waitingRows = 0;
    bool m_isReading = true; ///< or will
    bool m_isCut = false; ///< the rest is read once what waits has been taken
    bool m_isOver = false; ///< nothing more will be read
    QElapsedTimer m_sinceRead;
};

class ReplaySource final : public DeltaSource {
public:
    ReplaySource(const QString& path, std::shared_ptr<DeltaSink> sink)
        : m_reading(std::make_shared<Reading>(path, std::move(sink), ReadThreads::shared()))
    {
        m_reading->begin();
    }
    ~ReplaySource() override { m_reading->cancel(); }
    ReplaySource(const ReplaySource&) = delete;
    ReplaySource& operator=(const ReplaySource&) = delete;

    DeltaPtr take() override { return m_reading->take(); }
    bool isOver() const override { return m_reading->isOver(); }

private:
    std::shared_ptr<Reading> m_reading; ///< its threads may have it a moment longer
};

} // namespace

std::unique_ptr<DeltaSource> replaySource(const QString& storeFolder, const RunId& id, std::shared_ptr<DeltaSink> sink)
{
    return std::make_unique<ReplaySource>(runFile(storeFolder, id), std::move(sink));
}

} // namespace lockstep::store
