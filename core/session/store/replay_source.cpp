// The DeltaSource over a stored run: a thread reads, the window takes.
#include "session/store/database.h"
#include "session/store/run_file_reader.h"
#include "session/store/run_store.h"

#include <QMutex>

#include <atomic>
#include <thread>

namespace lockstep::session {

namespace {

class ReplaySource final : public DeltaSource {
public:
    explicit ReplaySource(QString path)
        : m_reader([this, path = std::move(path)] { read(path); })
    { }

    ~ReplaySource() override
    {
        m_isCancelled = true;
        m_reader.join();
    }

    DeltaPtr take() override
    {
        const QMutexLocker lock(&m_mutex);
        if (m_pending == nullptr) {
            return nullptr;
        }
        return std::exchange(m_pending, nullptr);
    }

private:
    // Reader thread.
    void read(const QString& path)
    {
        auto file = Database::open(path, Access::ReadWrite);
        if (!file) {
            hand(failure(file.error()));
            return;
        }
        const auto done = replayFile(**file, [this](const Delta& delta) {
            hand(delta);
            return !m_isCancelled.load();
        });
        if (!done) {
            hand(failure(done.error()));
        }
    }

    void hand(const Delta& delta)
    {
        const QMutexLocker lock(&m_mutex);
        if (m_pending == nullptr) {
            m_pending = std::make_shared<Delta>();
        }
        m_pending->append(delta);
    }

    static Delta failure(const Error& error)
    {
        Delta delta;
        delta.logs.push_back({0, {0, wire::LogLevel::Error, error.message}});
        return delta;
    }

    QMutex m_mutex;
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
