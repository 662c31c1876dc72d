#include "engine/comm/array_memory.h"

#include "engine/comm/reduce.h"

#include <cstring>
#include <new>

namespace lockstep::comm {

namespace {

constexpr std::align_val_t Alignment{64};

class HostMemory final : public Memory {
public:
    [[nodiscard]] Result<std::shared_ptr<std::byte>> allocate(std::size_t bytes) override
    {
        auto* memory = static_cast<std::byte*>(::operator new(bytes + 1, Alignment, std::nothrow));
        if (memory == nullptr) {
            return failure(LS_TR("Messages", "there is no memory for %1 bytes of a collective's scratch"), {bytes});
        }
        return std::shared_ptr<std::byte>(memory, [](std::byte* each) { ::operator delete(each, Alignment); });
    }
    [[nodiscard]] Result<std::shared_ptr<std::byte>> allocateLanding(std::size_t bytes) override
    {
        return allocate(bytes);
    }
    void copy(void* to, const void* from, std::size_t bytes) override
    {
        if (bytes > 0 && to != from) {
            std::memmove(to, from, bytes);
        }
    }
    void zero(void* to, std::size_t bytes) override
    {
        if (bytes > 0) {
            std::memset(to, 0, bytes);
        }
    }
    void reduce(
        Reduction reduction, DataType type, void* to, std::span<const void* const> inputs, std::int64_t count) override
    {
        reduceArrays(reduction, type, to, inputs, count);
    }
};

} // namespace

const std::shared_ptr<Memory>& hostMemory()
{
    static const std::shared_ptr<Memory> memory = std::make_shared<HostMemory>();
    return memory;
}

} // namespace lockstep::comm
