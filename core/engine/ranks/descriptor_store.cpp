#include "engine/ranks/descriptor_store.h"

#include "engine/comm/shm/share_descriptor.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>

#include <sys/mman.h>
#include <unistd.h>

namespace lockstep::engine {

namespace {

/// c10d expects as many workers before it removes the file, which has no name.
constexpr int AnyNumber = -1;

class OpenDescriptor {
public:
    explicit OpenDescriptor(int descriptor)
        : m_descriptor(descriptor)
    { }
    ~OpenDescriptor() { close(m_descriptor); }
    OpenDescriptor(const OpenDescriptor&) = delete;
    OpenDescriptor& operator=(const OpenDescriptor&) = delete;

protected:
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

private:
    int m_descriptor;
};

/// c10d opens the path for each operation, also in its destructor: the descriptor is the first to come and the last to
/// go.
class DescriptorStore final : private OpenDescriptor, public c10d::FileStore {
public:
    explicit DescriptorStore(int descriptor)
        : OpenDescriptor(descriptor)
        , c10d::FileStore(OpenDescriptor::path(), AnyNumber)
    { }
};

} // namespace

Result<c10::intrusive_ptr<c10d::Store>> openDescriptorStore(
    const std::string& name, int rank, int size, std::chrono::milliseconds timeout)
{
    LOCKSTEP_TRY_ASSIGN(const int descriptor, comm::shareDescriptor({name, rank, size, timeout}, []() -> Result<int> {
        const int file = memfd_create("lockstep-store", MFD_CLOEXEC);
        return file >= 0 ? Result<int>(file)
                         : Result<int>(failure(LS_TR("Messages", "memfd_create: %1"), {systemError()}));
    }));
    auto store = c10::make_intrusive<DescriptorStore>(descriptor);
    store->setTimeout(timeout);
    return c10::intrusive_ptr<c10d::Store>(std::move(store));
}

} // namespace lockstep::engine
