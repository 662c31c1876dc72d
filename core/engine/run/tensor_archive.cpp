#include "engine/run/tensor_archive.h"

#include "engine/run/tensor_pickle.h"

#include <c10/core/CPUAllocator.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace lockstep::engine {

namespace {

struct StorageType {
    std::string_view name;
    torch::ScalarType type;
};

constexpr std::array StorageTypes{StorageType{"FloatStorage", torch::kFloat},
    StorageType{"DoubleStorage", torch::kDouble}, StorageType{"HalfStorage", torch::kHalf},
    StorageType{"BFloat16Storage", torch::kBFloat16}, StorageType{"LongStorage", torch::kLong},
    StorageType{"IntStorage", torch::kInt}, StorageType{"ShortStorage", torch::kShort},
    StorageType{"CharStorage", torch::kChar}, StorageType{"ByteStorage", torch::kByte},
    StorageType{"BoolStorage", torch::kBool}};

/// An archive that lies in memory, for the reader of PyTorch's files.
class ArchiveBytes final : public caffe2::serialize::ReadAdapterInterface {
public:
    explicit ArchiveBytes(std::span<const char> bytes)
        : m_bytes(bytes)
    { }
    [[nodiscard]] std::size_t size() const override { return m_bytes.size(); }
    std::size_t read(std::uint64_t position, void* buffer, std::size_t count, const char* /*what*/) const override
    {
        const std::size_t begin = std::min<std::size_t>(position, m_bytes.size());
        const std::size_t read = std::min(count, m_bytes.size() - begin);
        std::memcpy(buffer, m_bytes.data() + begin, read);
        return read;
    }

private:
    std::span<const char> m_bytes;
};

/// Bytes of the tensor's elements; nothing where they are more than `most`.
std::optional<std::int64_t> bytesOf(const PickledTensor& tensor, std::int64_t elementBytes, std::int64_t most)
{
    std::int64_t bytes = elementBytes;
    bool isEmpty = false;
    for (const std::int64_t size : tensor.sizes) {
        if (size < 0 || (size > 0 && bytes > most / size)) {
            return std::nullopt;
        }
        isEmpty = isEmpty || size == 0;
        bytes *= std::max<std::int64_t>(size, 1);
    }
    return isEmpty ? 0 : bytes;
}

/// Of a tensor that has elements: whether the one that lies furthest back is among the `elements` of its record.
bool isWithin(const PickledTensor& tensor, std::int64_t elements)
{
    if (tensor.offset < 0 || tensor.offset >= elements) {
        return false;
    }
    std::int64_t last = tensor.offset;
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
        const std::int64_t steps = tensor.sizes[i] - 1;
        const std::int64_t stride = tensor.strides[i];
        if (stride < 0 || (stride > 0 && steps > (elements - 1 - last) / stride)) {
            return false;
        }
        last += steps * stride;
    }
    return true;
}

/// Reads the tensors of an archive one by one.
class ArchivedTensors {
public:
    explicit ArchivedTensors(std::span<const char> archive)
        : m_reader(std::make_unique<ArchiveBytes>(archive))
        , m_left(std::ssize(archive))
    { }

    Result<Tensors> read()
    {
        const auto [program, size] = m_reader.getRecord("data.pkl");
        LOCKSTEP_TRY_ASSIGN(const auto pickled, readTensorPickle({static_cast<const char*>(program.get()), size}));
        Tensors tensors;
        for (const auto& [name, tensor] : pickled) {
            LOCKSTEP_TRY_ASSIGN(tensors[name], tensorOf(name, tensor));
        }
        return tensors;
    }

private:
    Result<torch::Tensor> tensorOf(const std::string& name, const PickledTensor& tensor)
    {
        const auto* const type = std::ranges::find(StorageTypes, tensor.storage, &StorageType::name);
        if (type == StorageTypes.end()) {
            return Error{"its tensor " + name + " is of an unknown type, " + tensor.storage};
        }
        const auto elementBytes = static_cast<std::int64_t>(c10::elementSize(type->type));
        const auto bytes = bytesOf(tensor, elementBytes, m_left);
        const auto& [record, recordBytes] = recordOf(tensor.record);
        const std::int64_t elements = std::min(tensor.elements, static_cast<std::int64_t>(recordBytes) / elementBytes);
        if (!bytes || (*bytes > 0 && (tensor.elements > elements || !isWithin(tensor, elements)))) {
            return Error{"its tensor " + name + " does not fit its memory"};
        }
        m_left -= *bytes;
        if (*bytes == 0) {
            return torch::empty(tensor.sizes, type->type);
        }
        char* const first = static_cast<char*>(record.get()) + tensor.offset * elementBytes;
        return torch::from_blob(first, tensor.sizes, tensor.strides, type->type).clone(at::MemoryFormat::Contiguous);
    }

    const std::pair<at::DataPtr, std::size_t>& recordOf(const std::string& name)
    {
        const auto known = m_records.find(name);
        if (known != m_records.end()) {
            return known->second;
        }
        auto [data, size] = m_reader.getRecord("data/" + name);
        return m_records.emplace(name, std::pair(std::move(data), size)).first->second;
    }

    caffe2::serialize::PyTorchStreamReader m_reader;
    std::int64_t m_left; ///< bytes that tensors may still take
    std::map<std::string, std::pair<at::DataPtr, std::size_t>> m_records;
};

} // namespace

/// torch::pickle_save would mark dictionaries with their types, which Python's torch.load(file, weights_only=True)
/// refuses.
std::vector<char> tensorArchive(const Tensors& tensors)
{
    c10::Dict<std::string, at::Tensor> dictionary;
    for (const auto& [name, tensor] : tensors) {
        // A view would save its whole buffer.
        dictionary.insert(name, tensor.detach().to(torch::kCPU).clone(at::MemoryFormat::Contiguous));
    }
    std::vector<char> archive;
    caffe2::serialize::PyTorchStreamWriter writer([&archive](const void* bytes, std::size_t size) {
        const auto* begin = static_cast<const char*>(bytes);
        archive.insert(archive.end(), begin, begin + size);
        return size;
    });
    std::vector<char> program;
    int count = 0;
    torch::jit::Pickler pickler(
        [&program](const char* bytes, std::size_t size) { program.insert(program.end(), bytes, bytes + size); },
        nullptr, nullptr, nullptr, [&count](const at::Tensor&) { return std::to_string(count++); }, false);
    pickler.protocol();
    pickler.pushIValue(dictionary);
    pickler.stop();
    int number = 0;
    for (const at::Tensor& tensor : pickler.tensorData()) {
        const auto data = torch::jit::getWriteableTensorData(tensor);
        writer.writeRecord("data/" + std::to_string(number++), data.data(), data.sizeInBytes());
    }
    writer.writeRecord("data.pkl", program.data(), program.size());
    writer.writeEndOfFile();
    return archive;
}

Result<Tensors> tensorsOfArchive(std::span<const char> archive)
{
    try {
        return ArchivedTensors(archive).read();
    } catch (const std::exception& error) { // the archive's reader
        const std::string text = error.what();
        return Error{text.substr(0, text.find('\n'))};
    }
}

} // namespace lockstep::engine
