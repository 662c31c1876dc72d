#include "store/replay/replayed_run_reader.h"

#include "store/file/database.h"
#include "store/file/run_file_reader.h"

#include <utility>

namespace lockstep::store {

ReplayedRunReader::ReplayedRunReader(const QString& storeFolder, const RunId& id)
    : m_thread([this, path = runFile(storeFolder, id)] {
        auto result = read(path);
        const std::scoped_lock lock(m_mutex);
        m_read = std::move(result);
    })
{ }

ReplayedRunReader::~ReplayedRunReader()
{
    m_isCancelled = true;
    m_thread.join();
}

std::optional<Result<ReplayedRunPtr>> ReplayedRunReader::take()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_read, std::nullopt);
}

Result<ReplayedRunPtr> ReplayedRunReader::read(const QString& path) const
{
    LOCKSTEP_TRY_ASSIGN(const auto file, Database::open(path, Access::ReadOnly));
    auto recording = std::make_shared<ReplayedRun>();
    LOCKSTEP_TRY(replayFile(*file, [&](const Delta& delta) {
        recording->add(std::make_shared<Delta>(delta));
        return !m_isCancelled.load();
    }));
    recording->complete();
    return ReplayedRunPtr(recording);
}

} // namespace lockstep::store
