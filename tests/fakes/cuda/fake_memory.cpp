// Memory of the fake GPUs.
#include "fakes/cuda/fake_gpu.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lockstep::tests::gpu {

namespace {

/// Addresses of the device: taken one after the other out of this, so that a stale one never comes to life again.
constexpr std::size_t Addresses = std::size_t{16} << 40;
/// Each process begins elsewhere, as it does on a GPU: an address of another process means nothing here.
constexpr std::size_t Between = std::size_t{32} << 30;
constexpr std::size_t Granule = 4096;
/// What is smaller a driver may put into one allocation with other things, and to open one of them opens all.
constexpr std::size_t SharedAlone = std::size_t{2} << 20;

struct Block {
    Kind kind = Kind::Device;
    int device = 0;
    std::byte* real = nullptr;
    std::size_t bytes = 0;
    std::size_t mapped = 0;
    int descriptor = -1;
    SharedBlock* shared = nullptr;
    int opened = 1; ///< how often
    bool isReady = true;
    bool isRetired = false;
};

struct Memory {
    std::mutex mutex;
    std::map<const std::byte*, Block> blocks;
    std::byte* next = nullptr;
    Machine::Process* process = nullptr;
};

Memory& memory()
{
    static auto* const All = new Memory;
    return *All;
}

std::size_t roundUp(std::size_t bytes)
{
    return std::max(Granule, (bytes + Granule - 1) / Granule * Granule);
}

std::byte* mapped(std::size_t bytes, int protection, int flags, int descriptor)
{
    void* at = mmap(nullptr, bytes, protection, flags | MAP_NORESERVE, descriptor, 0);
    return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

/// With the lock.
std::atomic<std::int64_t>& takenHere(int device)
{
    Memory& all = memory();
    for (Machine::Process& process : machine().processes) {
        if (all.process != nullptr) {
            break;
        }
        int pid = process.pid;
        if (!isAlive(pid) && process.pid.compare_exchange_strong(pid, getpid())) {
            for (auto& bytes : process.bytes) {
                bytes = 0;
            }
            all.process = &process;
        }
    }
    return all.process->bytes.at(static_cast<std::size_t>(device));
}

/// With the lock.
std::byte* newAddress(std::size_t bytes)
{
    Memory& all = memory();
    if (all.next == nullptr) {
        all.next = mapped(Addresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1)
            + static_cast<std::size_t>(getpid() % 256) * Between;
    }
    // A gap behind each, so that what reaches beyond the end finds nothing.
    return std::exchange(all.next, all.next + bytes + 16 * Granule);
}

/// With the lock. The block that all these bytes are in.
Block* blockOf(const void* address, std::size_t bytes)
{
    Memory& all = memory();
    const auto* at = static_cast<const std::byte*>(address);
    auto found = all.blocks.upper_bound(at);
    if (found == all.blocks.begin()) {
        return nullptr;
    }
    --found;
    const auto offset = static_cast<std::size_t>(at - found->first);
    return offset <= found->second.bytes && bytes <= found->second.bytes - offset ? &found->second : nullptr;
}

} // namespace

cudaError_t allocate(Kind kind, std::size_t bytes, void** result)
{
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    Block block{.kind = kind, .device = placeOf(currentDevice()), .bytes = bytes, .mapped = roundUp(bytes)};
    auto& taken = takenHere(block.device);
    const std::int64_t whole = std::int64_t{script().megabytes} << 20;
    if (kind != Kind::Host && bytesTaken(block.device) + static_cast<std::int64_t>(block.mapped) > whole) {
        return cudaErrorMemoryAllocation;
    }
    if (kind == Kind::Device) {
        block.descriptor = memfd_create("fake-gpu", MFD_CLOEXEC);
        if (block.descriptor < 0 || ftruncate(block.descriptor, static_cast<off_t>(block.mapped)) != 0) {
            return cudaErrorMemoryAllocation;
        }
        block.real = mapped(block.mapped, PROT_READ | PROT_WRITE, MAP_SHARED, block.descriptor);
    } else {
        block.real = mapped(block.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    }
    if (block.real == nullptr) {
        return cudaErrorMemoryAllocation;
    }
    std::memset(block.real, 0xc7, block.mapped); // contents are undefined
    block.isReady = kind != Kind::Ordered;
    taken += kind != Kind::Host ? static_cast<std::int64_t>(block.mapped) : 0;
    // Memory of the host has one address for both.
    std::byte* const address = kind == Kind::Host ? block.real : newAddress(block.mapped);
    all.blocks.emplace(address, block);
    *result = address;
    return cudaSuccess;
}

void makeReady(const void* address)
{
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    if (Block* block = blockOf(address, 0)) {
        block->isReady = true;
    }
}

cudaError_t retire(const void* address)
{
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    const auto found = all.blocks.find(static_cast<const std::byte*>(address));
    const bool isThere = found != all.blocks.end() && !found->second.isRetired
        && (found->second.kind == Kind::Ordered || found->second.kind == Kind::Device);
    if (!isThere) {
        return refuse(cudaErrorInvalidValue, "what is not there is freed");
    }
    found->second.isRetired = true;
    return cudaSuccess;
}

cudaError_t release(Kind kind, const void* address)
{
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    const auto found = all.blocks.find(static_cast<const std::byte*>(address));
    if (found == all.blocks.end()
        || (found->second.kind != kind && !(kind == Kind::Device && found->second.kind == Kind::Ordered))) {
        return refuse(cudaErrorInvalidValue, "what is not there is given back");
    }
    Block& block = found->second;
    if (block.kind == Kind::Opened) {
        block.shared->openers.remove();
        if (--block.opened > 0) {
            return cudaSuccess;
        }
    } else {
        if (block.shared != nullptr && block.shared->openers.any()) {
            return refuse(cudaErrorInvalidValue, "memory is freed that another process still has open");
        }
        std::memset(block.real, 0xdb, block.mapped);
        takenHere(block.device) -= block.kind != Kind::Host ? static_cast<std::int64_t>(block.mapped) : 0;
    }
    munmap(block.real, block.mapped);
    if (block.descriptor >= 0) {
        close(block.descriptor);
    }
    all.blocks.erase(found);
    return cudaSuccess;
}

cudaError_t exportBlock(const void* address, std::uint32_t* number)
{
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    const auto found = all.blocks.find(static_cast<const std::byte*>(address));
    if (found == all.blocks.end() || found->second.kind != Kind::Device) {
        return cudaErrorInvalidValue;
    }
    Block& block = found->second;
    if (block.bytes % SharedAlone != 0) {
        return refuse(cudaErrorInvalidValue, "memory is shared that may lie in one piece with other memory");
    }
    *number = machine().blocks.fetch_add(1);
    SharedBlock& shared = machine().block.at(*number);
    struct stat file { };
    fstat(block.descriptor, &file);
    shared.owner = getpid();
    shared.descriptor = block.descriptor;
    shared.device = block.device;
    shared.bytes = block.mapped;
    shared.file = file.st_ino;
    block.shared = &shared;
    return cudaSuccess;
}

cudaError_t openBlock(std::uint32_t number, void** result)
{
    if (number >= machine().blocks) {
        return cudaErrorInvalidResourceHandle;
    }
    SharedBlock& shared = machine().block.at(number);
    if (shared.owner == getpid()) {
        return cudaErrorDeviceUninitialized; // as CUDA says where it means: in the process that has made it
    }
    if (script().slices > 0 && shared.device != placeOf(currentDevice())) {
        return cudaErrorNotSupported;
    }
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    for (auto& [address, block] : all.blocks) {
        if (block.kind == Kind::Opened && block.shared == &shared) {
            ++block.opened;
            shared.openers.add();
            *result = const_cast<std::byte*>(address);
            return cudaSuccess;
        }
    }
    const std::string path = "/proc/" + std::to_string(shared.owner) + "/fd/" + std::to_string(shared.descriptor);
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct stat file { };
    if (descriptor < 0 || fstat(descriptor, &file) != 0 || file.st_ino != shared.file) {
        close(descriptor);
        return cudaErrorInvalidResourceHandle;
    }
    Block block{.kind = Kind::Opened,
        .device = shared.device,
        .bytes = shared.bytes,
        .mapped = shared.bytes,
        .descriptor = descriptor,
        .shared = &shared};
    block.real = mapped(block.mapped, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor);
    if (block.real == nullptr) {
        close(descriptor);
        return cudaErrorMemoryAllocation;
    }
    shared.openers.add();
    std::byte* const address = newAddress(block.mapped);
    all.blocks.emplace(address, block);
    *result = address;
    return cudaSuccess;
}

bool isKnown(const void* address, std::size_t bytes)
{
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    const Block* block = blockOf(address, bytes);
    return block != nullptr && !block->isRetired;
}

std::byte* touch(const void* address, std::size_t bytes)
{
    Memory& all = memory();
    const std::lock_guard lock(all.mutex);
    const auto* at = static_cast<const std::byte*>(address);
    const Block* block = blockOf(address, bytes);
    if (block == nullptr || !block->isReady) {
        fail(cudaErrorIllegalAddress,
            block == nullptr ? "work on memory that is not there" : "work on memory before the stream has it");
        return nullptr;
    }
    auto found = all.blocks.upper_bound(at);
    --found;
    return block->real + (at - found->first);
}

} // namespace lockstep::tests::gpu
