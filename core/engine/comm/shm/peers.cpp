#include "engine/comm/shm/peers.h"

#include <cerrno>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lockstep::comm {

namespace {

constexpr int Gone = -1;
constexpr int Unknown = -2;

} // namespace

Peers::Peers(const Region& region)
    : m_region(region)
{
    for (int rank = 0; rank < region.size(); ++rank) {
        const auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, region.rank(rank).pid.load(), 0));
        // Where the kernel does not know the call or a sandbox forbids it, only the time limit notices a death.
        m_descriptors.push_back(descriptor >= 0 ? descriptor : errno == ESRCH ? Gone : Unknown);
    }
}

Peers::~Peers()
{
    for (const int descriptor : m_descriptors) {
        if (descriptor >= 0) {
            close(descriptor);
        }
    }
}

Text Peers::goneBecause(int rank) const
{
    const RankBlock& block = m_region.rank(rank);
    const std::vector<Text> which{rankName(rank), block.pid.load()};
    if (block.presence.load() == Presence::Left) {
        return {LS_TR("Messages", "%1 (process %2) has left the group"), which};
    }
    const int descriptor = m_descriptors[static_cast<std::size_t>(rank)];
    pollfd entry{descriptor, POLLIN, 0};
    const bool hasDied = descriptor == Gone || (descriptor >= 0 && poll(&entry, 1, 0) > 0);
    return hasDied ? Text(LS_TR("Messages", "%1 (process %2) has died"), which) : Text();
}

} // namespace lockstep::comm
