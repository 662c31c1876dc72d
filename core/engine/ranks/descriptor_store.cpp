#include "engine/ranks/descriptor_store.h"

#include "engine/comm/shm/share_descriptor.h"

#include <torch/csrc/distributed/c10d/FileStore.hpp>

#include <sys/mman.h>

namespace lockstep::engine {

namespace {

/// c10d expects as many workers before it removes the file, which has no name.
constexpr int AnyNumber = -1;

/// c10d opens the path for each operation, also in its destructor: the descriptor is the first to come and the last to
/// go.
class DescriptorStore final : private Descriptor, public c10d::FileStore {
public:
    explicit DescriptorStore(Descriptor file)
        : Descriptor(std::move(file))
        , c10d::FileStore("/proc/self/fd/" + std::to_string(number()), AnyNumber)
    { }
};

} // namespace

Result<c10::intrusive_ptr<c10d::Store>> openDescriptorStore(
    const std::string& name, int rank, int size, std::chrono::milliseconds timeout)
{
    LOCKSTEP_TRY_ASSIGN(
        Descriptor shared, comm::shareDescriptor({name, rank, size, timeout}, []() -> Result<Descriptor> {
            Descriptor file(memfd_create("lockstep-store", MFD_CLOEXEC));
            return file.isOpen() ? Result<Descriptor>(std::move(file))
                                 : Result<Descriptor>(failure(LS_TR("Messages", "memfd_create: %1"), {systemError()}));
        }));
    auto store = c10::make_intrusive<DescriptorStore>(std::move(shared));
    store->setTimeout(timeout);
    return c10::intrusive_ptr<c10d::Store>(std::move(store));
}

} // namespace lockstep::engine
