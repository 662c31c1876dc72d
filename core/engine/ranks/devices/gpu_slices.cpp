#include "engine/ranks/devices/gpu_slices.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <string>

namespace lockstep::engine {

namespace {

using NvmlDevice = struct DeviceOfNvml*; ///< opaque

constexpr int NvmlSuccess = 0;
constexpr unsigned NvmlText = 96;

struct NvmlMemory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct NvmlUnloader {
    void operator()(void* library) const { dlclose(library); }
};

/// The functions of NVML that list GPUs; its ABI is stable.
class NvmlList {
public:
    NvmlList()
    {
        const char* chosen = std::getenv("LOCKSTEP_NVML");
        const bool isChosen = chosen != nullptr && *chosen != '\0';
        m_library.reset(dlopen(isChosen ? chosen : "libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
        if (m_library == nullptr) {
            return;
        }
        find(m_init, "nvmlInit_v2");
        find(m_shutdown, "nvmlShutdown");
        find(m_count, "nvmlDeviceGetCount_v2");
        find(m_byNumber, "nvmlDeviceGetHandleByIndex_v2");
        find(m_name, "nvmlDeviceGetName");
        find(m_uuid, "nvmlDeviceGetUUID");
        find(m_memory, "nvmlDeviceGetMemoryInfo");
        find(m_capability, "nvmlDeviceGetCudaComputeCapability");
        find(m_mode, "nvmlDeviceGetMigMode");
        find(m_mostSlices, "nvmlDeviceGetMaxMigDeviceCount");
        find(m_slice, "nvmlDeviceGetMigDeviceHandleByIndex");
        m_isStarted = m_hasAll && m_init() == NvmlSuccess;
    }
    ~NvmlList()
    {
        if (m_isStarted) {
            m_shutdown();
        }
    }
    NvmlList(const NvmlList&) = delete;
    NvmlList& operator=(const NvmlList&) = delete;

    [[nodiscard]] std::vector<ListedGpu> all() const
    {
        std::vector<ListedGpu> listed;
        unsigned count = 0;
        if (!m_isStarted || m_count(&count) != NvmlSuccess) {
            return listed;
        }
        for (unsigned i = 0; i < count; ++i) {
            if (NvmlDevice device = nullptr; m_byNumber(i, &device) == NvmlSuccess) {
                add(listed, device, static_cast<int>(i));
            }
        }
        return listed;
    }

private:
    template <typename Function>
    void find(Function*& function, const char* name)
    {
        function = reinterpret_cast<Function*>(dlsym(m_library.get(), name));
        m_hasAll = m_hasAll && function != nullptr;
    }

    using TextOf = int(NvmlDevice, char*, unsigned);

    static std::string textOf(TextOf* function, NvmlDevice device)
    {
        std::array<char, NvmlText> text{};
        return function(device, text.data(), NvmlText - 1) == NvmlSuccess ? text.data() : std::string();
    }

    [[nodiscard]] plan::Gpu describe(NvmlDevice device) const
    {
        plan::Gpu gpu{.name = textOf(m_name, device), .uuid = textOf(m_uuid, device)};
        if (NvmlMemory memory{}; m_memory(device, &memory) == NvmlSuccess) {
            gpu.memoryBytes = static_cast<std::int64_t>(memory.total);
        }
        static_cast<void>(m_capability(device, &gpu.capability.major, &gpu.capability.minor));
        return gpu;
    }

    /// The slices of a GPU in MIG mode, of which it may have none yet; else the GPU itself.
    void add(std::vector<ListedGpu>& listed, NvmlDevice device, int number) const
    {
        const plan::Gpu whole = describe(device);
        unsigned mode = 0;
        unsigned next = 0;
        if (m_mode(device, &mode, &next) != NvmlSuccess || mode == 0) {
            listed.push_back({whole, number});
            return;
        }
        unsigned most = 0;
        static_cast<void>(m_mostSlices(device, &most));
        for (unsigned i = 0; i < most; ++i) {
            if (NvmlDevice part = nullptr; m_slice(device, i, &part) == NvmlSuccess) { // not every slot is used
                plan::Gpu slice = describe(part);
                slice.capability = whole.capability;
                slice.sliceOf = whole.uuid;
                listed.push_back({std::move(slice), number});
            }
        }
    }

    std::unique_ptr<void, NvmlUnloader> m_library;
    bool m_hasAll = true;
    bool m_isStarted = false;
    int (*m_init)() = nullptr;
    int (*m_shutdown)() = nullptr;
    int (*m_count)(unsigned*) = nullptr;
    int (*m_byNumber)(unsigned, NvmlDevice*) = nullptr;
    TextOf* m_name = nullptr;
    TextOf* m_uuid = nullptr;
    int (*m_memory)(NvmlDevice, NvmlMemory*) = nullptr;
    int (*m_capability)(NvmlDevice, int*, int*) = nullptr;
    int (*m_mode)(NvmlDevice, unsigned*, unsigned*) = nullptr;
    int (*m_mostSlices)(NvmlDevice, unsigned*) = nullptr;
    int (*m_slice)(NvmlDevice, unsigned, NvmlDevice*) = nullptr;
};

/// Whether an entry of CUDA_VISIBLE_DEVICES names it.
bool isNamedBy(const ListedGpu& each, std::string_view entry)
{
    int number = -1;
    const auto [rest, error] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
    const bool isNumber = error == std::errc{} && rest == entry.data() + entry.size();
    return isNumber ? each.number == number
                    : !entry.empty() && (each.gpu.uuid.starts_with(entry) || each.gpu.sliceOf.starts_with(entry));
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view Blanks = " \t";
    const auto begin = text.find_first_not_of(Blanks);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(Blanks) - begin + 1);
}

} // namespace

std::vector<ListedGpu> listSlicedGpus()
{
    std::vector<ListedGpu> listed = NvmlList().all();
    const bool hasSlices
        = std::any_of(listed.begin(), listed.end(), [](const ListedGpu& each) { return !each.gpu.sliceOf.empty(); });
    return hasSlices ? listed : std::vector<ListedGpu>();
}

std::vector<plan::Gpu> visibleOf(const std::vector<ListedGpu>& listed, std::string_view variable)
{
    std::vector<plan::Gpu> visible;
    while (true) {
        const std::size_t end = std::min(variable.find(','), variable.size());
        const std::string_view entry = trimmed(variable.substr(0, end));
        bool isFound = false;
        for (const ListedGpu& each : listed) {
            if (isNamedBy(each, entry)) {
                visible.push_back(each.gpu);
                isFound = true;
            }
        }
        if (!isFound || end == variable.size()) {
            return visible;
        }
        variable.remove_prefix(end + 1);
    }
}

std::vector<plan::Gpu> slicedGpus()
{
    const std::vector<ListedGpu> listed = listSlicedGpus();
    if (const char* variable = std::getenv("CUDA_VISIBLE_DEVICES"); variable != nullptr) {
        return visibleOf(listed, variable);
    }
    std::vector<plan::Gpu> all;
    for (const ListedGpu& each : listed) {
        all.push_back(each.gpu);
    }
    return all;
}

} // namespace lockstep::engine
