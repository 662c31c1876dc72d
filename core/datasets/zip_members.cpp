#include "datasets/zip_members.h"

#include "base/translate.h"
#include "datasets/data_file.h"
#include "datasets/images.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

namespace lockstep::datasets {

namespace {

constexpr std::int64_t EndRecord = 22; ///< bytes, before a comment of at most 65,535
constexpr std::int64_t DirectoryRecord = 46;
constexpr std::int64_t LocalRecord = 30;
constexpr std::int64_t MostDirectoryBytes = std::int64_t{1} << 20U;
constexpr std::uint32_t InZip64 = 0xffffffff;
constexpr std::size_t InflatedAtOnce = std::size_t{1} << 20U;

std::uint32_t littleEndian(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t size)
{
    std::uint32_t number = 0;
    for (std::size_t i = size; i-- > 0;) {
        number = number << 8U | bytes[at + i];
    }
    return number;
}

Error notZip(const std::string& path)
{
    return wrongFile(path, LS_TR("Refusals", "%1 is no zip archive, or is cut off"));
}

/// Fewer bytes at the file's end.
std::vector<std::uint8_t> bytesAt(std::ifstream& file, std::int64_t from, std::int64_t count)
{
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    file.clear();
    file.seekg(from);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
    return bytes;
}

/// The bytes of the directory, whose place is in the record at the end of the file. Searches for it backwards.
Result<std::vector<std::uint8_t>> directoryOf(const std::string& path, std::ifstream& file, std::int64_t fileBytes)
{
    const std::int64_t tail = std::min<std::int64_t>(fileBytes, EndRecord + 0xffff);
    const std::vector<std::uint8_t> end = bytesAt(file, fileBytes - tail, tail);
    for (auto at = std::ssize(end) - EndRecord; at >= 0; --at) {
        const auto record = std::span(end).subspan(static_cast<std::size_t>(at), EndRecord);
        if (littleEndian(record, 0, 4) == 0x06054b50) {
            const std::int64_t size = littleEndian(record, 12, 4);
            const std::int64_t offset = littleEndian(record, 16, 4);
            if (size > MostDirectoryBytes || offset + size > fileBytes - tail + at) {
                break;
            }
            return bytesAt(file, offset, size);
        }
    }
    return notZip(path);
}

Result<void> checkMember(
    const std::string& path, const ZipMember& member, std::uint32_t method, bool isEncrypted, std::int64_t fileBytes)
{
    if (isEncrypted || (method != 0 && method != Z_DEFLATED)) {
        return wrongFile(path,
            LS_TR("Refusals", "%1: %2 is encrypted or compressed with method %3; allowed are stored and deflated"),
            {verbatim(member.name), method});
    }
    if (member.bytes >= InZip64 || member.packedBytes >= InZip64 || member.headerAt >= InZip64) {
        return wrongFile(path, LS_TR("Refusals", "%1: %2 has 4 GiB or more"), {verbatim(member.name)});
    }
    const bool fits = member.headerAt + LocalRecord + member.packedBytes <= fileBytes;
    const bool isPossible = member.isDeflated ? member.bytes / MostPerDeflatedByte <= member.packedBytes
                                              : member.bytes == member.packedBytes;
    return fits && isPossible
        ? Result<void>()
        : wrongFile(path, LS_TR("Refusals", "%1: %2 says it has %3 bytes, more than its %4 packed bytes can hold"),
            {verbatim(member.name), member.bytes, member.packedBytes});
}

/// Where its data begin. The local header repeats the lengths of name and extra field, which may differ.
Result<std::int64_t> dataAt(
    const std::string& path, std::ifstream& file, const ZipMember& member, std::int64_t fileBytes)
{
    const std::vector<std::uint8_t> header = bytesAt(file, member.headerAt, LocalRecord);
    if (std::ssize(header) < LocalRecord || littleEndian(header, 0, 4) != 0x04034b50) {
        return notZip(path);
    }
    const std::int64_t begin
        = member.headerAt + LocalRecord + littleEndian(header, 26, 2) + littleEndian(header, 28, 2);
    return begin + member.packedBytes <= fileBytes ? Result<std::int64_t>(begin) : Result<std::int64_t>(notZip(path));
}

struct EndInflate {
    void operator()(z_stream* stream) const
    {
        inflateEnd(stream);
        delete stream;
    }
};

Error damagedMember(const std::string& path, const ZipMember& member)
{
    return wrongFile(path, LS_TR("Refusals", "%1: %2 is damaged"), {verbatim(member.name)});
}

/// The first `wanted` bytes.
Result<std::vector<std::uint8_t>> inflated(
    const std::string& path, std::ifstream& file, const ZipMember& member, std::int64_t begin, std::size_t wanted)
{
    const std::unique_ptr<z_stream, EndInflate> stream(new z_stream{});
    if (inflateInit2(stream.get(), -MAX_WBITS) != Z_OK) {
        return damagedMember(path, member);
    }
    std::vector<std::uint8_t> bytes(wanted);
    std::vector<std::uint8_t> packed;
    std::int64_t taken = 0;
    std::size_t made = 0;
    int state = Z_OK;
    while (made < wanted && state == Z_OK) {
        if (stream->avail_in == 0) {
            packed = bytesAt(file, begin + taken, std::min<std::int64_t>(InflatedAtOnce, member.packedBytes - taken));
            taken += std::ssize(packed);
            stream->next_in = packed.data();
            stream->avail_in = static_cast<unsigned>(packed.size());
        }
        const std::size_t room = std::min(InflatedAtOnce, wanted - made);
        stream->next_out = bytes.data() + made;
        stream->avail_out = static_cast<unsigned>(room);
        state = inflate(stream.get(), Z_NO_FLUSH);
        made += room - stream->avail_out;
    }
    return made == wanted && (state == Z_OK || state == Z_STREAM_END)
        ? Result<std::vector<std::uint8_t>>(std::move(bytes))
        : Result<std::vector<std::uint8_t>>(damagedMember(path, member));
}

} // namespace

Result<std::vector<ZipMember>> zipMembers(const std::string& path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto fileBytes = static_cast<std::int64_t>(file.tellg());
    if (fileBytes < EndRecord) {
        return notZip(path);
    }
    LOCKSTEP_TRY_ASSIGN(const auto directory, directoryOf(path, file, fileBytes));
    std::vector<ZipMember> members;
    for (std::int64_t at = 0; at < std::ssize(directory);) {
        const auto rest = std::span(directory).subspan(static_cast<std::size_t>(at));
        if (std::ssize(rest) < DirectoryRecord || littleEndian(rest, 0, 4) != 0x02014b50) {
            return notZip(path);
        }
        const std::int64_t name = littleEndian(rest, 28, 2);
        const std::int64_t whole = DirectoryRecord + name + littleEndian(rest, 30, 2) + littleEndian(rest, 32, 2);
        if (std::ssize(rest) < whole) {
            return notZip(path);
        }
        const std::uint32_t method = littleEndian(rest, 10, 2);
        ZipMember member{
            std::string(reinterpret_cast<const char*>(rest.data() + DirectoryRecord), static_cast<std::size_t>(name)),
            littleEndian(rest, 24, 4), littleEndian(rest, 20, 4), littleEndian(rest, 42, 4), littleEndian(rest, 16, 4),
            method == Z_DEFLATED};
        LOCKSTEP_TRY(checkMember(path, member, method, (littleEndian(rest, 8, 2) & 1U) != 0, fileBytes));
        members.push_back(std::move(member));
        at += whole;
    }
    return members;
}

Result<std::vector<std::uint8_t>> readZipMember(const std::string& path, const ZipMember& member, std::int64_t most)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto fileBytes = static_cast<std::int64_t>(file.tellg());
    LOCKSTEP_TRY_ASSIGN(const auto begin, dataAt(path, file, member, fileBytes));
    const std::int64_t wanted = std::min(most, member.bytes);
    std::vector<std::uint8_t> bytes;
    if (member.isDeflated) {
        LOCKSTEP_TRY_ASSIGN(bytes, inflated(path, file, member, begin, static_cast<std::size_t>(wanted)));
    } else {
        bytes = bytesAt(file, begin, wanted);
    }
    const bool isWhole = wanted == member.bytes;
    if (std::ssize(bytes) < wanted
        || (isWhole && crc32_z(crc32_z(0, nullptr, 0), bytes.data(), bytes.size()) != member.sum)) {
        return damagedMember(path, member);
    }
    return bytes;
}

} // namespace lockstep::datasets
