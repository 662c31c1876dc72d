#include "archive/zip_writer.h"

#include "base/draft_folder.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <unistd.h>
#include <vector>

#include <zip.h>

namespace lockstep::archive {

namespace {

/// 1980-01-01, the earliest that a zip can say.
constexpr zip_uint16_t NoTime = 0;
constexpr zip_uint16_t FirstDay = 0x21;
constexpr int DeflateLevel = 6;

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

struct Release {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Source = std::unique_ptr<zip_source_t, Release>;

/// The bytes of an archive, in memory or in a file; a new reference each time.
using Place = std::function<zip_source_t*()>;

Result<Archive> opened(const Place& place, int flags)
{
    zip_source_t* source = place();
    if (source == nullptr) {
        return failure(LS_TR("Messages", "the archive cannot be created"));
    }
    zip_error_t error;
    zip_error_init(&error);
    Archive archive(zip_open_from_source(source, flags, &error)); // takes the reference
    if (!archive) {
        zip_source_free(source);
        const std::string why = zip_error_strerror(&error);
        zip_error_fini(&error);
        return failureOf(verbatim(why));
    }
    return archive;
}

Result<void> add(zip_t* archive, const ZipInput& member, bool isStored)
{
    zip_source_t* content = member.file.empty()
        ? zip_source_buffer(archive, member.content.data(), member.content.size(), 0)
        : zip_source_file(archive, member.file.c_str(), 0, -1);
    const zip_int64_t added
        = content == nullptr ? -1 : zip_file_add(archive, member.name.c_str(), content, ZIP_FL_ENC_UTF_8);
    if (added < 0) {
        zip_source_free(content);
        return failureOf(verbatim(zip_strerror(archive)));
    }
    const auto index = static_cast<zip_uint64_t>(added);
    zip_file_set_dostime(archive, index, NoTime, FirstDay, 0);
    zip_set_file_compression(archive, index, isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, isStored ? 0 : DeflateLevel);
    return {};
}

Result<void> write(const Place& place, std::span<const ZipInput> members, const std::vector<bool>& isStored)
{
    LOCKSTEP_TRY_ASSIGN(Archive archive, opened(place, ZIP_CREATE | ZIP_TRUNCATE));
    for (std::size_t i = 0; i < members.size(); ++i) {
        LOCKSTEP_TRY(add(archive.get(), members[i], isStored[i]));
    }
    if (zip_close(archive.get()) != 0) {
        return failureOf(verbatim(zip_strerror(archive.get())));
    }
    static_cast<void>(archive.release());
    return {};
}

/// Whether any member became so small that a reader would take it for an attack.
Result<bool> storeThoseCompressedTooMuch(const Place& place, std::vector<bool>& isStored)
{
    LOCKSTEP_TRY_ASSIGN(const Archive archive, opened(place, ZIP_RDONLY));
    bool isAny = false;
    for (std::size_t i = 0; i < isStored.size(); ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        if (zip_stat_index(archive.get(), i, 0, &stat) != 0) {
            return failure(LS_TR("Messages", "the archive cannot be read back"));
        }
        if (stat.size > MaxRatio / 2 * stat.comp_size) {
            isStored[i] = true;
            isAny = true;
        }
    }
    return isAny;
}

Result<void> writeWhole(const Place& place, std::span<const ZipInput> members)
{
    std::vector<bool> isStored(members.size(), false);
    LOCKSTEP_TRY(write(place, members, isStored));
    LOCKSTEP_TRY_ASSIGN(const bool isAny, storeThoseCompressedTooMuch(place, isStored));
    return isAny ? write(place, members, isStored) : Result<void>();
}

} // namespace

Result<std::string> zipped(std::span<const ZipInput> members)
{
    const Source memory(zip_source_buffer_create(nullptr, 0, 0, nullptr));
    const auto place = [&] {
        zip_source_keep(memory.get());
        return memory.get();
    };
    LOCKSTEP_TRY(writeWhole(place, members));
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_source_stat(memory.get(), &stat) != 0 || zip_source_open(memory.get()) != 0) {
        return failure(LS_TR("Messages", "the archive cannot be read back"));
    }
    std::string bytes(stat.size, '\0');
    const zip_int64_t read = zip_source_read(memory.get(), bytes.data(), bytes.size());
    zip_source_close(memory.get());
    return read == std::ssize(bytes) ? Result(std::move(bytes))
                                     : failure(LS_TR("Messages", "the archive cannot be read back"));
}

Result<void> writeZip(const std::string& path, std::span<const ZipInput> members)
{
    const auto failed = [&](const Text& why) {
        return failure(LS_TR("Messages", "%1 cannot be written: %2"), {verbatim(path), why});
    };
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
        return failed(LS_TR("Messages", "it is not a file"));
    }
    const auto draft = DraftFolder::makeBeside(path);
    if (!draft) {
        return failed(draft.error());
    }
    const std::string name = "archive";
    const std::string part = draft->file(name);
    const auto written = writeWhole([&] { return zip_source_file_create(part.c_str(), 0, -1, nullptr); }, members);
    if (!written) {
        return failed(written.error());
    }
    return draft->publish(name, path);
}

} // namespace lockstep::archive
