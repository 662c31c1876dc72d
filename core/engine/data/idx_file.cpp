#include "engine/data/idx_file.h"

#include "experiment/dataset_folder.h"

#include <fmt/format.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <sys/stat.h>

namespace lockstep::engine {

namespace {

constexpr std::int64_t MaxBytes = std::int64_t{16} << 30;
constexpr std::int64_t MaxSide = 4096;
constexpr unsigned ReadAtOnce = 1u << 20;

struct CloseGz {
    void operator()(gzFile_s* file) const { gzclose(file); }
};
using GzFile = std::unique_ptr<gzFile_s, CloseGz>;

Error at(const std::string& path, const std::string& what)
{
    return Error{"dataset.path: " + path + " " + what};
}

std::string hex(std::uint32_t number)
{
    return fmt::format("{:#010x}", number);
}

/// Up to `wanted` bytes; fewer at the end of the file, and an error where the file is damaged.
Result<std::size_t> readSome(gzFile_s* file, const std::string& path, std::uint8_t* to, std::size_t wanted)
{
    std::size_t done = 0;
    while (done < wanted) {
        const auto piece = static_cast<unsigned>(std::min<std::size_t>(wanted - done, ReadAtOnce));
        const int got = gzread(file, to + done, piece);
        if (got < 0) {
            int code = 0;
            return at(path, std::string("is damaged: ") + gzerror(file, &code));
        }
        if (got == 0) {
            int code = 0;
            gzerror(file, &code);
            if (code == Z_BUF_ERROR) {
                return at(path, "is cut off: its compressed data stops before its end");
            }
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::uint32_t bigEndian(const std::uint8_t* bytes)
{
    return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 | bytes[3];
}

Result<std::vector<std::int64_t>> readHeader(gzFile_s* file, const std::string& path, int dimensions)
{
    std::array<std::uint8_t, 16> header{};
    const std::size_t length = 4 + 4 * static_cast<std::size_t>(dimensions);
    LOCKSTEP_TRY_ASSIGN(const auto got, readSome(file, path, header.data(), length));
    const std::uint32_t needed = 0x0800u + static_cast<std::uint32_t>(dimensions);
    if (got >= 4 && bigEndian(header.data()) != needed) {
        return at(path,
            "has magic " + hex(bigEndian(header.data())) + ", " + (dimensions == 1 ? "labels" : "images") + " need "
                + hex(needed));
    }
    if (got < length) {
        return at(path, fmt::format("is cut off: {} bytes, its header alone needs {}", got, length));
    }
    std::vector<std::int64_t> sizes;
    for (int i = 0; i < dimensions; ++i) {
        sizes.push_back(bigEndian(header.data() + 4 + 4 * i));
    }
    return sizes;
}

Result<std::int64_t> bytesFor(const std::string& path, const std::vector<std::int64_t>& sizes)
{
    std::int64_t total = sizes[0];
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        if (sizes[i] < 1 || sizes[i] > MaxSide) {
            return at(path, fmt::format("says its images have a side of {}, allowed are 1 to {}", sizes[i], MaxSide));
        }
        total *= sizes[i];
    }
    if (sizes[0] < 1 || total > MaxBytes) {
        return at(path, fmt::format("says it has {} entries, allowed are 1 to what fits in 16 GiB", sizes[0]));
    }
    return total;
}

/// A plain file shows at once whether it can hold what its header says.
Result<void> checkPlainSize(gzFile_s* file, const std::string& path, std::size_t header, std::int64_t content)
{
    struct stat facts { };
    if (gzdirect(file) == 0 || stat(path.c_str(), &facts) != 0) {
        return {};
    }
    const std::int64_t needed = static_cast<std::int64_t>(header) + content;
    if (facts.st_size < needed) {
        return at(path, fmt::format("is cut off: {} bytes, its header says {}", facts.st_size, needed));
    }
    return {};
}

/// Grows as data comes, so that a small damaged .gz cannot ask for gigabytes.
Result<void> readContent(
    gzFile_s* file, const std::string& path, std::int64_t content, std::vector<std::uint8_t>& bytes)
{
    const auto wanted = static_cast<std::size_t>(content);
    constexpr std::size_t Growth = std::size_t{64} << 20;
    while (bytes.size() < wanted) {
        const std::size_t before = bytes.size();
        bytes.resize(std::min(wanted, before + Growth));
        LOCKSTEP_TRY_ASSIGN(const auto got, readSome(file, path, bytes.data() + before, bytes.size() - before));
        if (before + got < bytes.size()) {
            return at(
                path, fmt::format("is cut off: its header says {} bytes of data, it has {}", wanted, before + got));
        }
    }
    std::uint8_t extra = 0;
    LOCKSTEP_TRY_ASSIGN(const auto more, readSome(file, path, &extra, 1));
    if (more != 0) {
        return at(path, fmt::format("is longer than the {} bytes of data that its header says", wanted));
    }
    return {};
}

} // namespace

Result<IdxFile> readIdxFile(const std::string& folder, const std::string& stem, int dimensions)
{
    LOCKSTEP_TRY_ASSIGN(const auto path, experiment::idxFilePath(folder, stem));
    const GzFile file(gzopen(path.c_str(), "rb"));
    if (!file) {
        return at(path, std::string("cannot be read: ") + std::strerror(errno));
    }
    gzbuffer(file.get(), ReadAtOnce);
    IdxFile idx;
    LOCKSTEP_TRY_ASSIGN(idx.sizes, readHeader(file.get(), path, dimensions));
    LOCKSTEP_TRY_ASSIGN(const auto content, bytesFor(path, idx.sizes));
    LOCKSTEP_TRY(checkPlainSize(file.get(), path, 4 + 4 * idx.sizes.size(), content));
    LOCKSTEP_TRY(readContent(file.get(), path, content, idx.bytes));
    return idx;
}

} // namespace lockstep::engine
