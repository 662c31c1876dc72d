#include "engine/run/zip_records.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::engine {

namespace {

using Bytes = std::span<const char>;

constexpr std::uint64_t EndSize = 22; ///< of the end of the central directory, without a comment
constexpr std::uint64_t MostComment = 0xffff;
constexpr std::uint64_t LocatorSize = 20;
constexpr std::uint64_t Zip64EndSize = 56;
constexpr std::uint64_t EntrySize = 46;
constexpr std::uint64_t HeaderSize = 30;
constexpr std::uint64_t Encrypted = 1; ///< a flag
constexpr std::uint64_t InZip64 = 0xffffffff; ///< the number is in an extra field

Error notAnArchive()
{
    return Error{"it is not an archive of torch.save, or it is cut off"};
}

/// The number of `T` at `at`, little endian; 0 behind the end.
template <typename T>
std::uint64_t numberAt(Bytes bytes, std::uint64_t at)
{
    std::uint64_t number = 0;
    for (std::uint64_t i = 0; i < sizeof(T) && at < bytes.size() && i < bytes.size() - at; ++i) {
        number |= std::uint64_t{static_cast<std::uint8_t>(bytes[at + i])} << (8 * i);
    }
    return number;
}

std::uint64_t u16(Bytes bytes, std::uint64_t at)
{
    return numberAt<std::uint16_t>(bytes, at);
}

std::uint64_t u32(Bytes bytes, std::uint64_t at)
{
    return numberAt<std::uint32_t>(bytes, at);
}

std::uint64_t u64(Bytes bytes, std::uint64_t at)
{
    return numberAt<std::uint64_t>(bytes, at);
}

std::optional<Bytes> part(Bytes bytes, std::uint64_t at, std::uint64_t size)
{
    return at <= bytes.size() && size <= bytes.size() - at ? std::optional(bytes.subspan(at, size)) : std::nullopt;
}

/// Where the end of the central directory begins, whose comment reaches to the end of the archive.
std::optional<std::uint64_t> endOf(Bytes archive)
{
    for (std::uint64_t comment = 0; comment <= MostComment && EndSize + comment <= archive.size(); ++comment) {
        const std::uint64_t at = archive.size() - EndSize - comment;
        if (u32(archive, at) == 0x06054b50 && u16(archive, at + 20) == comment) {
            return at;
        }
    }
    return std::nullopt;
}

struct Directory {
    std::uint64_t entries = 0;
    Bytes bytes;
};

std::optional<Directory> directoryOf(Bytes archive)
{
    const auto end = endOf(archive);
    if (!end) {
        return std::nullopt;
    }
    std::uint64_t entries = u16(archive, *end + 10);
    std::uint64_t size = u32(archive, *end + 12);
    std::uint64_t at = u32(archive, *end + 16);
    if (*end >= LocatorSize && u32(archive, *end - LocatorSize) == 0x07064b50) {
        const std::uint64_t zip64 = u64(archive, *end - LocatorSize + 8);
        if (!part(archive, zip64, Zip64EndSize) || u32(archive, zip64) != 0x06064b50) {
            return std::nullopt;
        }
        entries = u64(archive, zip64 + 32);
        size = u64(archive, zip64 + 40);
        at = u64(archive, zip64 + 48);
    }
    const auto bytes = part(archive, at, size);
    return bytes ? std::optional(Directory{entries, *bytes}) : std::nullopt;
}

struct Entry {
    std::string_view name;
    std::uint64_t flags = 0;
    std::uint64_t method = 0;
    std::uint64_t stored = 0; ///< bytes in the archive
    std::uint64_t bytes = 0; ///< of the record
    std::uint64_t header = 0; ///< where its local header begins
    std::uint64_t size = 0; ///< of the entry
};

/// Takes from the extra field of Zip64 the numbers that did not fit into 32 bits.
void takeZip64(Entry& entry, Bytes extra)
{
    while (extra.size() >= 4) {
        const std::uint64_t size = std::min<std::uint64_t>(u16(extra, 2), extra.size() - 4);
        if (u16(extra, 0) == 1) {
            const Bytes field = extra.subspan(4, size);
            std::uint64_t at = 0;
            for (std::uint64_t* const number : {&entry.bytes, &entry.stored, &entry.header}) {
                if (*number == InZip64 && field.size() - at >= 8) {
                    *number = u64(field, at);
                    at += 8;
                }
            }
            return;
        }
        extra = extra.subspan(4 + size);
    }
}

/// The entry at the start of the rest of a directory.
std::optional<Entry> entryOf(Bytes rest)
{
    if (rest.size() < EntrySize || u32(rest, 0) != 0x02014b50) {
        return std::nullopt;
    }
    const std::uint64_t name = u16(rest, 28);
    const std::uint64_t extra = u16(rest, 30);
    Entry entry{.name = {},
        .flags = u16(rest, 8),
        .method = u16(rest, 10),
        .stored = u32(rest, 20),
        .bytes = u32(rest, 24),
        .header = u32(rest, 42),
        .size = EntrySize + name + extra + u16(rest, 32)};
    if (entry.size > rest.size()) {
        return std::nullopt;
    }
    entry.name = {rest.data() + EntrySize, name};
    takeZip64(entry, rest.subspan(EntrySize + name, extra));
    return entry;
}

std::optional<Bytes> recordOf(Bytes archive, const Entry& entry)
{
    const auto header = part(archive, entry.header, HeaderSize);
    if (!header || u32(*header, 0) != 0x04034b50) {
        return std::nullopt;
    }
    return part(archive, entry.header + HeaderSize + u16(*header, 26) + u16(*header, 28), entry.stored);
}

} // namespace

Result<ZipRecords> zipRecords(std::span<const char> archive)
{
    auto directory = directoryOf(archive);
    if (!directory) {
        return notAnArchive();
    }
    ZipRecords records;
    for (std::uint64_t i = 0; i < directory->entries; ++i) {
        const auto entry = entryOf(directory->bytes);
        const auto record = entry ? recordOf(archive, *entry) : std::nullopt;
        if (!record) {
            return notAnArchive();
        }
        if (entry->method != 0 || entry->stored != entry->bytes || (entry->flags & Encrypted) != 0) {
            return Error{"its records are compressed or encrypted, which those of torch.save are not"};
        }
        const std::size_t folder = entry->name.find('/');
        const auto name = folder == std::string_view::npos ? entry->name : entry->name.substr(folder + 1);
        if (!records.emplace(name, *record).second) {
            return Error{"two of its records have the same name"};
        }
        directory->bytes = directory->bytes.subspan(entry->size);
    }
    return records;
}

} // namespace lockstep::engine
