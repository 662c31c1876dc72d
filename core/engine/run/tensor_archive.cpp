#include "engine/run/tensor_archive.h"

#include "engine/run/tensor_pickle.h"
#include "engine/run/zip_records.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
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

/// What all tensors together may take, for each byte of the archive: tensors may share numbers.
constexpr std::int64_t MostForEachByte = 4;
constexpr std::size_t MostInAMessage = 80;

/// Of the file's own text, what a message may hold.
std::string printable(std::string_view text)
{
    std::string printable(text.substr(0, MostInAMessage));
    std::ranges::replace_if(
        printable, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    return printable;
}

/// The product of the sizes; nothing where it is more than `most`.
std::optional<std::int64_t> elementsOf(const PickledTensor& tensor, std::int64_t most)
{
    std::int64_t elements = 1;
    bool isEmpty = false;
    for (const std::int64_t size : tensor.sizes) {
        if (size < 0 || (size > 0 && elements > most / size)) {
            return std::nullopt;
        }
        isEmpty = isEmpty || size == 0;
        elements *= std::max<std::int64_t>(size, 1);
    }
    return isEmpty ? 0 : elements;
}

/// Of a tensor that has elements: how many of its record, from its first one, it lies within; nothing where they are
/// more than `most`.
std::optional<std::int64_t> extentOf(const PickledTensor& tensor, std::int64_t most)
{
    std::int64_t extent = 1;
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
        const std::int64_t steps = tensor.sizes[i] - 1;
        const std::int64_t stride = tensor.strides[i];
        if (stride < 0 || (stride > 0 && steps > (most - extent) / stride)) {
            return std::nullopt;
        }
        extent += steps * stride;
    }
    return extent <= most ? std::optional(extent) : std::nullopt;
}

/// Copies the tensors out of an archive one by one.
class ArchivedTensors {
public:
    ArchivedTensors(ZipRecords records, std::int64_t archiveBytes)
        : m_records(std::move(records))
        , m_left(archiveBytes * MostForEachByte)
    { }

    Result<Tensors> read()
    {
        const auto order = m_records.find("byteorder");
        if (order != m_records.end() && !std::ranges::equal(order->second, std::string_view("little"))) {
            return Error{"its numbers are not little endian"};
        }
        const auto program = m_records.find("data.pkl");
        if (program == m_records.end()) {
            return Error{"it has no record data.pkl"};
        }
        LOCKSTEP_TRY_ASSIGN(const auto pickled, readTensorPickle(program->second));
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
            return Error{"its tensor " + printable(name) + " is of an unknown type, " + printable(tensor.storage)};
        }
        const Error misfit{"its tensor " + printable(name) + " does not fit its memory"};
        const auto elementBytes = static_cast<std::int64_t>(c10::elementSize(type->type));
        const auto count = elementsOf(tensor, m_left / elementBytes);
        if (!count) {
            return misfit;
        }
        if (*count == 0) {
            return torch::empty(tensor.sizes, type->type);
        }
        const auto record = m_records.find("data/" + tensor.record);
        const std::int64_t elements = record == m_records.end() ? 0 : std::ssize(record->second) / elementBytes;
        if (tensor.elements > elements || tensor.offset < 0 || tensor.offset >= elements) {
            return misfit;
        }
        const auto extent = extentOf(tensor, elements - tensor.offset);
        // What a view is made of is copied too.
        const std::int64_t bytes = std::max(*count, extent.value_or(0)) * elementBytes;
        if (!extent || bytes > m_left) {
            return misfit;
        }
        m_left -= bytes;
        // A record's numbers may lie at any address.
        const torch::Tensor lying = torch::empty({*extent}, type->type);
        std::memcpy(lying.data_ptr(), record->second.data() + tensor.offset * elementBytes,
            static_cast<std::size_t>(*extent * elementBytes));
        return lying.as_strided(tensor.sizes, tensor.strides).contiguous();
    }

    ZipRecords m_records;
    std::int64_t m_left; ///< bytes that tensors may still take
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
    LOCKSTEP_TRY_ASSIGN(auto records, zipRecords(archive));
    try {
        return ArchivedTensors(std::move(records), std::ssize(archive)).read();
    } catch (const std::exception& error) { // no memory
        const std::string text = error.what();
        return Error{printable(text.substr(0, text.find('\n')))};
    }
}

} // namespace lockstep::engine
