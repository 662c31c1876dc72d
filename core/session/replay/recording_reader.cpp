#include "session/replay/recording_reader.h"

#include "session/store/database.h"
#include "session/store/run_file_reader.h"

#include <utility>

namespace lockstep::session {

RecordingReader::RecordingReader(const QString& storeFolder, const RunId& id)
    : m_thread([this, path = runFile(storeFolder, id)] {
        auto result = read(path);
        const std::scoped_lock lock(m_mutex);
        m_read = std::move(result);
    })
{ }

RecordingReader::~RecordingReader()
{
    m_isCancelled = true;
    m_thread.join();
}

std::optional<Result<RecordingPtr>> RecordingReader::take()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_read, std::nullopt);
}

Result<RecordingPtr> RecordingReader::read(const QString& path) const
{
    LOCKSTEP_TRY_ASSIGN(const auto file, Database::open(path, Access::ReadOnly));
    auto recording = std::make_shared<Recording>();
    LOCKSTEP_TRY(replayFile(*file, [&](const Delta& delta) {
        recording->add(std::make_shared<Delta>(delta));
        return !m_isCancelled.load();
    }));
    recording->complete();
    return RecordingPtr(recording);
}

} // namespace lockstep::session
