#include "engine/strategy/zero/state_file.h"

#include "experiment/settings.h"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace lockstep::engine {

namespace {

Error stateFailure(std::string_view pattern, const std::string& folder, int error)
{
    return refusal(nameOf(&experiment::ZeroSettings::offloadPath), pattern, {verbatim(folder), systemError(error)});
}

/// Calls transfer(address, bytes, offset) until all of the tensors have passed.
template <typename Transfer>
int transferAll(const std::vector<torch::Tensor>& tensors, std::int64_t offset, const Transfer& transfer)
{
    for (const torch::Tensor& tensor : tensors) {
        auto* address = static_cast<char*>(tensor.data_ptr());
        auto left = static_cast<std::size_t>(tensor.nbytes());
        while (left > 0) {
            const ssize_t done = uninterrupted([&] { return transfer(address, left, offset); });
            if (done <= 0) {
                return done == 0 ? EIO : errno;
            }
            const auto passed = static_cast<std::size_t>(done);
            address += passed;
            left -= passed;
            offset += static_cast<std::int64_t>(passed);
        }
    }
    return 0;
}

} // namespace

Result<StateFile> StateFile::create(std::string folder, std::int64_t bytes)
{
    std::error_code ignored;
    folder = folder.empty() ? std::filesystem::temp_directory_path(ignored).string() : folder;
    std::string path = folder + "/lockstep-offload-XXXXXX";
    Descriptor descriptor(mkostemp(path.data(), O_CLOEXEC));
    if (!descriptor.isOpen()) {
        return stateFailure(LS_TR("Messages", "the optimizer state in %1 cannot be stored: %2"), folder, errno);
    }
    unlink(path.c_str());
    StateFile file(std::move(descriptor), std::move(folder));
    int error = EINTR;
    while (error == EINTR) { // it gives the code, not errno
        error = posix_fallocate(file.m_descriptor.number(), 0, bytes);
    }
    if (error != 0) {
        return refusal(nameOf(&experiment::ZeroSettings::offloadPath),
            LS_TR("Messages", "the optimizer state in %1 needs %2 bytes: %3"),
            {verbatim(file.m_folder), bytes, systemError(error)});
    }
    return file;
}

StateFile::StateFile(Descriptor descriptor, std::string folder)
    : m_descriptor(std::move(descriptor))
    , m_folder(std::move(folder))
{ }

std::future<Result<void>> StateFile::read(std::vector<torch::Tensor> to, std::int64_t offset) const
{
    return std::async(std::launch::async, [this, to = std::move(to), offset] {
        const int error = transferAll(to, offset, [this](char* address, std::size_t bytes, std::int64_t at) {
            return pread(m_descriptor.number(), address, bytes, at);
        });
        return error == 0
            ? Result<void>()
            : stateFailure(LS_TR("Messages", "the optimizer state in %1 cannot be read: %2"), m_folder, error);
    });
}

std::future<Result<void>> StateFile::write(std::vector<torch::Tensor> from, std::int64_t offset) const
{
    return std::async(std::launch::async, [this, from = std::move(from), offset] {
        const int error = transferAll(from, offset, [this](char* address, std::size_t bytes, std::int64_t at) {
            return pwrite(m_descriptor.number(), address, bytes, at);
        });
        return error == 0
            ? Result<void>()
            : stateFailure(LS_TR("Messages", "the optimizer state in %1 cannot be written: %2"), m_folder, error);
    });
}

} // namespace lockstep::engine
