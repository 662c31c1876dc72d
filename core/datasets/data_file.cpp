#include "datasets/data_file.h"

#include "base/translate.h"
#include "datasets/images.h"
#include "experiment/settings.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <utility>

namespace lockstep::datasets {

namespace {

constexpr unsigned ReadAtOnce = 1U << 20U;
constexpr std::size_t Growth = std::size_t{64} << 20U;

std::int64_t bytesIn(const std::string& path)
{
    struct stat facts { };
    return stat(path.c_str(), &facts) == 0 ? static_cast<std::int64_t>(facts.st_size) : 0;
}

/// The uncompressed length in the last bytes of a gzip file, modulo 2^32.
std::uint32_t lengthAtEnd(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::array<unsigned char, 4> bytes{};
    file.seekg(-4, std::ios::end);
    file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8U | std::uint32_t{bytes[2]} << 16U
        | std::uint32_t{bytes[3]} << 24U;
}

Error cutOff(const std::string& path, std::int64_t wanted, std::int64_t got)
{
    return wrongFile(
        path, LS_TR("Refusals", "%1 is cut off: its header says %2 bytes of data, it has %3"), {wanted, got});
}

Error tooLong(const std::string& path, std::int64_t wanted)
{
    return wrongFile(path, LS_TR("Refusals", "%1 is longer than the %2 bytes of data that its header says"), {wanted});
}

} // namespace

Error wrongFile(const std::string& path, std::string_view pattern, std::vector<Text> arguments)
{
    std::vector<Text> all{verbatim(path)};
    std::ranges::move(arguments, std::back_inserter(all));
    return refusal(nameOf(&experiment::DatasetSettings::path), pattern, std::move(all));
}

bool isFile(const std::string& path)
{
    struct stat facts { };
    return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

bool isFolder(const std::string& path)
{
    struct stat facts { };
    return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

std::vector<std::string> namesIn(const std::string& folder)
{
    std::vector<std::string> names;
    std::error_code failed;
    for (std::filesystem::directory_iterator each(folder, failed); !failed && each != end(each);
         each.increment(failed)) {
        names.push_back(each->path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

void DataFile::Close::operator()(gzFile_s* file) const
{
    gzclose(file);
}

DataFile::DataFile(std::string path, gzFile_s* file)
    : m_path(std::move(path))
    , m_file(file)
{ }

Result<DataFile> DataFile::open(const std::string& path)
{
    gzFile_s* file = isFile(path) ? gzopen(path.c_str(), "rb") : nullptr;
    if (file == nullptr) {
        return wrongFile(
            path, LS_TR("Refusals", "%1 cannot be read: %2"), {systemError(isFolder(path) ? EISDIR : errno)});
    }
    gzbuffer(file, ReadAtOnce);
    return DataFile(path, file);
}

Result<std::size_t> DataFile::read(std::span<std::uint8_t> to)
{
    std::size_t done = 0;
    while (done < to.size()) {
        const auto piece = static_cast<unsigned>(std::min<std::size_t>(to.size() - done, ReadAtOnce));
        const int got = gzread(m_file.get(), to.data() + done, piece);
        int code = 0;
        const char* why = gzerror(m_file.get(), &code);
        if (got < 0) {
            return wrongFile(m_path, LS_TR("Refusals", "%1 is damaged: %2"), {verbatim(why)});
        }
        if (got == 0 && code == Z_BUF_ERROR) {
            return wrongFile(m_path, LS_TR("Refusals", "%1 is cut off: its compressed data stops before its end"), {});
        }
        if (got == 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

Result<void> DataFile::checkLength(std::int64_t header, std::int64_t content)
{
    const std::int64_t there = bytesIn(m_path);
    const std::int64_t needed = header + content;
    if (gzdirect(m_file.get()) != 0) {
        if (there < needed) {
            return wrongFile(m_path, LS_TR("Refusals", "%1 is cut off: %2 bytes, its header says %3"), {there, needed});
        }
        return there == needed ? Result<void>() : Result<void>(tooLong(m_path, content));
    }
    if (content / MostPerDeflatedByte > there) {
        return wrongFile(m_path,
            LS_TR("Refusals", "%1 says it has %2 bytes of data, more than its %3 compressed bytes can hold"),
            {content, there});
    }
    return lengthAtEnd(m_path) == static_cast<std::uint32_t>(needed) ? Result<void>() : countAll(header, content);
}

Result<void> DataFile::countAll(std::int64_t header, std::int64_t content) const
{
    LOCKSTEP_TRY_ASSIGN(DataFile again, open(m_path));
    std::vector<std::uint8_t> piece(ReadAtOnce);
    std::int64_t counted = 0;
    std::size_t got = piece.size();
    while (got == piece.size() && counted <= header + content) {
        LOCKSTEP_TRY_ASSIGN(got, again.read(piece));
        counted += static_cast<std::int64_t>(got);
    }
    if (counted < header + content) {
        return cutOff(m_path, content, counted - header);
    }
    return counted == header + content ? Result<void>() : Result<void>(tooLong(m_path, content));
}

Result<std::vector<std::uint8_t>> DataFile::readRest(std::int64_t content)
{
    const auto wanted = static_cast<std::size_t>(content);
    std::vector<std::uint8_t> bytes;
    if (content / MostPerDeflatedByte <= bytesIn(m_path)) {
        bytes.reserve(wanted); // untouched pages take no memory
    }
    while (bytes.size() < wanted) {
        const std::size_t before = bytes.size();
        bytes.resize(std::min(wanted, before + Growth));
        LOCKSTEP_TRY_ASSIGN(const auto got, read(std::span(bytes).subspan(before)));
        if (before + got < bytes.size()) {
            return cutOff(m_path, content, static_cast<std::int64_t>(before + got));
        }
    }
    std::uint8_t extra = 0;
    LOCKSTEP_TRY_ASSIGN(const auto more, read({&extra, 1}));
    return more == 0 ? Result<std::vector<std::uint8_t>>(std::move(bytes))
                     : Result<std::vector<std::uint8_t>>(tooLong(m_path, content));
}

} // namespace lockstep::datasets
