#include "engine/telemetry/file_queue.h"

#include "base/translate.h"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lockstep::engine {

Result<void> FileQueue::push(std::int64_t step, std::string name, const std::string& path)
{
    File file{step, std::move(name), Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC))};
    struct stat facts { };
    if (!file.descriptor.isOpen() || fstat(file.descriptor.number(), &facts) != 0) {
        return failure(LS_TR("Messages", "%1: cannot be read: %2"), {verbatim(path), systemError()});
    }
    file.total = facts.st_size;
    const std::lock_guard lock(m_mutex);
    m_files.push_back(std::move(file));
    return {};
}

std::optional<wire::CheckpointPart> FileQueue::next()
{
    const std::lock_guard lock(m_mutex);
    while (!m_files.empty()) {
        File& file = m_files.front();
        wire::CheckpointPart part{file.step, file.name, file.offset, file.total,
            std::vector<std::byte>(static_cast<std::size_t>(
                std::min<std::int64_t>(wire::CheckpointPieceBytes, file.total - file.offset)))};
        const ssize_t n = uninterrupted(
            [&] { return pread(file.descriptor.number(), part.bytes.data(), part.bytes.size(), file.offset); });
        if (n <= 0) {
            popFront();
            continue;
        }
        part.bytes.resize(static_cast<std::size_t>(n));
        file.offset += n;
        if (file.offset == file.total) {
            popFront();
        }
        return part;
    }
    return std::nullopt;
}

bool FileQueue::isEmpty() const
{
    const std::lock_guard lock(m_mutex);
    return m_files.empty();
}

std::set<std::int64_t> FileQueue::steps() const
{
    const std::lock_guard lock(m_mutex);
    std::set<std::int64_t> steps(m_sentSteps.begin(), m_sentSteps.end());
    std::ranges::for_each(m_files, [&steps](const File& each) { steps.insert(each.step); });
    steps.erase(-1);
    return steps;
}

void FileQueue::popFront()
{
    const std::int64_t step = m_files.front().step;
    m_files.pop_front();
    if (m_files.empty() || m_files.front().step != step) {
        m_sentSteps = {step, m_sentSteps[0]};
    }
}

} // namespace lockstep::engine
