// LibTorch's CPU allocation with a header before each block that names its account.
#include "engine/compat/libtorch.h"
#include "engine/memory/memory_account.h"
#include "engine/memory/memory_books.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/alignment.h>
#include <c10/core/impl/alloc_cpu.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace lockstep::engine {

namespace {

struct Header {
    MemoryBooks* books;
    std::int64_t bytes;
    MemoryKind kind;
};

/// As large as the alignment of tensors, so that they keep it.
constexpr std::size_t HeaderBytes = c10::gAlignment;
static_assert(sizeof(Header) <= HeaderBytes);
constexpr std::size_t Most = PTRDIFF_MAX - HeaderBytes;

Header* headerOf(void* data)
{
    return reinterpret_cast<Header*>(static_cast<std::byte*>(data) - HeaderBytes);
}

void release(void* data)
{
    if (data == nullptr) {
        return;
    }
    Header* header = headerOf(data);
    if (header->books != nullptr) {
        header->books->remove(header->kind, header->bytes);
    }
    c10::free_cpu(header);
}

c10::DataPtr allocateCounted(std::size_t bytes)
{
    const c10::Device cpu(c10::DeviceType::CPU);
    if (bytes == 0) {
        return {nullptr, nullptr, &release, cpu};
    }
    if (bytes > Most) {
        throw std::bad_alloc();
    }
    const Header booked{booksOfThisThread(), static_cast<std::int64_t>(bytes), MemoryScope::current()};
    if (booked.books != nullptr) {
        booked.books->add(booked.kind, booked.bytes);
    }
    std::byte* block = nullptr;
    try {
        block = static_cast<std::byte*>(c10::alloc_cpu(bytes + HeaderBytes));
    } catch (...) {
        if (booked.books != nullptr) {
            booked.books->remove(booked.kind, booked.bytes);
        }
        throw;
    }
    *reinterpret_cast<Header*>(block) = booked;
    void* data = block + HeaderBytes;
    return {data, data, &release, cpu};
}

class CountingAllocator final : public HostAllocator {
public:
    c10::DataPtr give(std::size_t bytes) override { return allocateCounted(bytes); }
    c10::DeleterFnPtr raw_deleter() const override { return &release; }
};

} // namespace

void installCountingAllocator()
{
    static std::once_flag once;
    std::call_once(once, [] {
        static CountingAllocator allocator; // static tensors may be freed after it: release() does not need it
        c10::SetAllocator(c10::DeviceType::CPU, &allocator);
    });
}

} // namespace lockstep::engine
