// The DeltaSource over a stored run: a thread reads, the window takes. The loss of a long run comes first and whole,
// then all rows. A run that another process writes is followed.
#include "session/store/database.h"
#include "session/store/loss_columns.h"
#include "session/store/run_file_reader.h"
#include "session/store/run_meta.h"
#include "session/store/run_store.h"

#include <QMutex>
#include <QWaitCondition>

#include <atomic>
#include <chrono>
#include <thread>

namespace lockstep::session {

using namespace std::chrono_literals;

namespace {

/// Of a run that is still written.
constexpr std::chrono::milliseconds FollowEvery{200};
/// Rows that wait to be taken: the reader of a long run is not ahead by more.
constexpr std::size_t MostWaitingRows = 4096;

class ReplaySource final : public DeltaSource {
public:
    explicit ReplaySource(QString path)
        : m_reader([this, path = std::move(path)] { read(path); })
    { }

    ~ReplaySource() override
    {
        {
            const QMutexLocker lock(&m_mutex);
            m_isCancelled = true;
        }
        m_taken.wakeAll();
        m_reader.join();
    }

    DeltaPtr take() override
    {
        const QMutexLocker lock(&m_mutex);
        if (m_pending == nullptr) {
            return nullptr;
        }
        m_waitingRows = 0;
        m_taken.wakeAll();
        return std::exchange(m_pending, nullptr);
    }

private:
    // Reader thread.
    void read(const QString& path)
    {
        ReplayPlace place;
        bool isOver = false;
        while (!isOver && !m_isCancelled) {
            const auto more = readMore(path, place);
            if (!more) {
                hand(failure(more.error()));
                return;
            }
            isOver = *more;
            if (awaitRoom()) {
                continue;
            }
            for (auto waited = 0ms; !isOver && !m_isCancelled && waited < FollowEvery; waited += 20ms) {
                std::this_thread::sleep_for(20ms);
            }
        }
    }

    /// What has been written after `place`, which it moves on; whether nothing more will come. The connection
    /// closes in between: the writer leaves WAL mode at the end, which needs the file for itself.
    Result<bool> readMore(const QString& path, ReplayPlace& place)
    {
        LOCKSTEP_TRY_ASSIGN(const auto file, Database::open(path, Access::ReadWrite));
        LOCKSTEP_TRY_ASSIGN(const auto record, readRecord(*file));
        LOCKSTEP_TRY_ASSIGN(const auto writer, readWriter(*file));
        const bool isOver = analysis::isFinal(record.status) || !writer.isAlive();
        if (place.empty()) {
            Delta first;
            LOCKSTEP_TRY_ASSIGN(first.storedLoss.emplace_back(), readLossColumns(*file));
            if (first.storedLoss.front().size() > 0) {
                hand(first);
            }
        }
        bool isCut = false;
        LOCKSTEP_TRY(replayFrom(*file, place, [&](const Delta& delta) {
            isCut = hand(delta) == Room::None;
            return !isCut && !m_isCancelled;
        }));
        return isOver && !isCut;
    }

    /// Waits, while the file is closed and others can write it, until the window has taken rows; false if it need not.
    bool awaitRoom()
    {
        const QMutexLocker lock(&m_mutex);
        if (m_waitingRows < MostWaitingRows) {
            return false;
        }
        while (m_waitingRows >= MostWaitingRows && !m_isCancelled) {
            m_taken.wait(&m_mutex);
        }
        return true;
    }

    enum class Room { None, Some };
    Room hand(const Delta& delta)
    {
        const QMutexLocker lock(&m_mutex);
        for (const auto& batch : delta.steps) {
            m_waitingRows += batch.what.size();
        }
        if (m_pending == nullptr) {
            m_pending = std::make_shared<Delta>();
        }
        m_pending->append(delta);
        return m_waitingRows < MostWaitingRows ? Room::Some : Room::None;
    }

    static Delta failure(const Error& error)
    {
        Delta delta;
        delta.logs.push_back({0, {0, wire::LogLevel::Error, error.message}});
        return delta;
    }

    QMutex m_mutex;
    QWaitCondition m_taken;
    std::size_t m_waitingRows = 0;
    std::shared_ptr<Delta> m_pending;
    std::atomic<bool> m_isCancelled{false};
    std::thread m_reader; // last: it uses the members above
};

} // namespace

std::unique_ptr<DeltaSource> replaySource(const QString& storeFolder, const RunId& id)
{
    return std::make_unique<ReplaySource>(runFile(storeFolder, id));
}

} // namespace lockstep::session
