#include "engine/run/files/tensor_file.h"

#include "base/descriptor.h"
#include "base/translate.h"
#include "engine/data/sha256.h"
#include "engine/run/files/safetensors.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <fcntl.h>
#include <fstream>
#include <span>
#include <unistd.h>
#include <utility>
#include <vector>

namespace lockstep::engine {

namespace {

/// By TensorType.
constexpr std::array ScalarTypes{torch::kDouble, torch::kFloat, torch::kHalf, torch::kBFloat16, torch::kLong,
    torch::kInt, torch::kShort, torch::kChar, torch::kByte};
constexpr std::size_t HashedAtOnce = 1U << 20; ///< bytes: they are still in the cache when they are hashed

Error fileError(const std::string& path, const char* what, int error)
{
    return failure(LS_TR("Messages", "%1: %2: %3"), {verbatim(path), what, systemError(error)});
}

/// Hashes what it writes.
class OutputFile {
public:
    explicit OutputFile(const std::string& path)
        : m_path(path)
        , m_file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600))
        , m_error(m_file.isOpen() ? 0 : errno)
    { }

    void write(std::string_view bytes)
    {
        while (!bytes.empty() && m_error == 0) {
            const std::string_view piece = bytes.substr(0, HashedAtOnce);
            if (!writeAll(m_file.number(), piece)) {
                m_error = errno;
                break;
            }
            m_hash.add({reinterpret_cast<const std::uint8_t*>(piece.data()), piece.size()}); // NOLINT: bytes of a file
            m_bytes += static_cast<std::int64_t>(piece.size());
            bytes.remove_prefix(piece.size());
        }
    }

    /// Onto the disk.
    Result<FileSum> finish()
    {
        if (!m_file.isOpen()) {
            return fileError(m_path, LS_TR("Messages", "cannot be made"), m_error);
        }
        if (m_error == 0 && uninterrupted([&] { return fsync(m_file.number()); }) != 0) {
            m_error = errno;
        }
        if (m_error != 0) {
            return fileError(m_path, LS_TR("Messages", "cannot be written"), m_error);
        }
        LOCKSTEP_TRY_ASSIGN(auto sha256, m_hash.digest());
        return FileSum{m_bytes, std::move(sha256)};
    }

private:
    std::string m_path;
    Descriptor m_file;
    int m_error;
    std::int64_t m_bytes = 0;
    Sha256 m_hash;
};

/// Hashes what it reads.
class InputFile {
public:
    explicit InputFile(const std::string& path)
        : m_path(path)
        , m_file(path, std::ios::binary | std::ios::ate)
        , m_bytes(m_file.tellg())
    {
        m_file.seekg(0);
    }

    [[nodiscard]] std::int64_t bytes() const { return m_bytes; }

    /// Whether the file had as many.
    bool read(std::span<char> into)
    {
        while (!into.empty() && m_file) {
            m_file.read(into.data(), static_cast<std::streamsize>(std::min(into.size(), HashedAtOnce)));
            const auto count = static_cast<std::size_t>(m_file.gcount());
            m_hash.add({reinterpret_cast<const std::uint8_t*>(into.data()), count}); // NOLINT: bytes of a file
            m_read += m_file.gcount();
            into = into.subspan(count);
        }
        return into.empty();
    }

    /// Of the whole file, the rest of which it reads.
    Result<FileSum> finish()
    {
        std::vector<char> rest(HashedAtOnce);
        while (m_read < m_bytes && m_file) {
            read(std::span(rest).first(std::min(rest.size(), static_cast<std::size_t>(m_bytes - m_read))));
        }
        if (m_bytes < 0 || m_read < m_bytes) {
            return fileError(m_path, LS_TR("Messages", "cannot be read"), errno);
        }
        LOCKSTEP_TRY_ASSIGN(auto sha256, m_hash.digest());
        return FileSum{m_bytes, std::move(sha256)};
    }

private:
    std::string m_path;
    std::ifstream m_file;
    std::int64_t m_bytes; ///< -1: it cannot be opened
    std::int64_t m_read = 0;
    Sha256 m_hash;
};

torch::Tensor onCpu(const torch::Tensor& tensor)
{
    return tensor.detach().to(torch::kCPU).contiguous();
}

Result<StoredTensor> storedAs(const std::string& name, const torch::Tensor& tensor)
{
    const auto* const type = std::ranges::find(ScalarTypes, tensor.scalar_type());
    if (type == ScalarTypes.end()) {
        return refusal({}, LS_TR("Refusals", "its tensor %1 is of an unknown type, %2"),
            {verbatim(name), verbatim(c10::toString(tensor.scalar_type()))});
    }
    return StoredTensor{name, static_cast<TensorType>(type - ScalarTypes.begin()), tensor.sizes().vec(),
        tensor.numel() * static_cast<std::int64_t>(tensor.element_size())};
}

Result<Tensors> tensorsIn(InputFile& file)
{
    std::array<char, HeaderLengthBytes> begin{};
    file.read(begin);
    LOCKSTEP_TRY_ASSIGN(const auto length, headerLength(begin, file.bytes()));
    std::string header(static_cast<std::size_t>(length), '\0');
    file.read(header);
    LOCKSTEP_TRY_ASSIGN(const auto stored, parseHeader(header, file.bytes() - HeaderLengthBytes - length));
    Tensors tensors;
    for (const StoredTensor& each : stored) {
        const auto type = ScalarTypes.at(static_cast<std::size_t>(each.type));
        const torch::Tensor tensor = torch::empty(each.shape, type);
        file.read({static_cast<char*>(tensor.data_ptr()), static_cast<std::size_t>(each.bytes)});
        tensors.emplace(each.name, tensor);
    }
    return tensors;
}

} // namespace

Result<FileSum> writeFile(const std::string& path, std::string_view bytes)
{
    OutputFile file(path);
    file.write(bytes);
    return file.finish();
}

Result<FileSum> writeTensors(const std::string& path, const Tensors& tensors)
{
    std::vector<StoredTensor> stored;
    for (const auto& [name, tensor] : tensors) {
        LOCKSTEP_TRY_ASSIGN(stored.emplace_back(), storedAs(name, tensor));
    }
    // Wide types first: every tensor of a mapped file is aligned.
    std::ranges::stable_sort(stored, std::greater(), [](const StoredTensor& each) { return bytesOf(each.type); });
    OutputFile file(path);
    file.write(headerOf(stored));
    for (const StoredTensor& each : stored) {
        const torch::Tensor tensor = onCpu(tensors.at(each.name));
        file.write({static_cast<const char*>(tensor.data_ptr()), static_cast<std::size_t>(each.bytes)});
    }
    return file.finish();
}

/// torch::pickle_save would mark dictionaries with their types, which Python's torch.load(file, weights_only=True)
/// refuses.
Result<FileSum> writeTorchFile(const std::string& path, const Tensors& tensors)
{
    c10::Dict<std::string, at::Tensor> dictionary;
    for (const auto& [name, tensor] : tensors) {
        dictionary.insert(name, onCpu(tensor).clone()); // a view would save its whole buffer
    }
    std::string program;
    int count = 0;
    torch::jit::Pickler pickler([&program](const char* bytes, std::size_t size) { program.append(bytes, size); },
        nullptr, nullptr, nullptr, [&count](const at::Tensor&) { return std::to_string(count++); }, false);
    pickler.protocol();
    pickler.pushIValue(dictionary);
    pickler.stop();
    OutputFile file(path);
    caffe2::serialize::PyTorchStreamWriter writer([&file](const void* bytes, std::size_t size) {
        file.write({static_cast<const char*>(bytes), size});
        return size;
    });
    int number = 0;
    for (const at::Tensor& tensor : pickler.tensorData()) {
        const auto data = torch::jit::getWriteableTensorData(tensor);
        writer.writeRecord("data/" + std::to_string(number++), data.data(), data.sizeInBytes());
    }
    writer.writeRecord("data.pkl", program.data(), program.size());
    writer.writeEndOfFile();
    return file.finish();
}

Result<FileSum> sumOf(const std::string& path)
{
    return InputFile(path).finish();
}

Result<TensorFile> readTensorFile(const std::string& path)
{
    InputFile file(path);
    Result<Tensors> tensors = Tensors();
    try {
        tensors = tensorsIn(file);
    } catch (const std::exception& error) { // no memory
        const std::string text = error.what();
        tensors = failureOf(verbatim(text.substr(0, text.find('\n'))));
    }
    LOCKSTEP_TRY_ASSIGN(auto sum, file.finish());
    return TensorFile{std::move(sum), std::move(tensors)};
}

} // namespace lockstep::engine
