#include "analysis/report/zip_archive.h"

#include <memory>

#include <zip.h>

namespace lockstep::report {

namespace {

/// 1980-01-01, the earliest that a zip can say.
constexpr zip_uint16_t NoTime = 0;
constexpr zip_uint16_t FirstDay = 0x21;

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

struct Release {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Bytes = std::unique_ptr<zip_source_t, Release>;

Error failed(const std::string& why)
{
    return Error{"the zip archive could not be made: " + why};
}

Result<std::string> contentOf(zip_source_t& bytes)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_source_stat(&bytes, &stat) != 0 || zip_source_open(&bytes) != 0) {
        return failed("it cannot be read back");
    }
    std::string content(stat.size, '\0');
    const zip_int64_t read = zip_source_read(&bytes, content.data(), content.size());
    zip_source_close(&bytes);
    if (read != static_cast<zip_int64_t>(content.size())) {
        return failed("it cannot be read back");
    }
    return content;
}

} // namespace

Result<std::string> zipped(std::span<const File> files)
{
    zip_error_t error;
    zip_error_init(&error);
    const Bytes bytes(zip_source_buffer_create(nullptr, 0, 0, &error));
    if (!bytes) {
        return failed(zip_error_strerror(&error));
    }
    // Opening takes one reference; ours stays for reading.
    zip_source_keep(bytes.get());
    Archive archive(zip_open_from_source(bytes.get(), ZIP_TRUNCATE, &error));
    if (!archive) {
        zip_source_free(bytes.get());
        return failed(zip_error_strerror(&error));
    }
    for (const File& file : files) {
        zip_source_t* content = zip_source_buffer(archive.get(), file.bytes.data(), file.bytes.size(), 0);
        const zip_int64_t index
            = content == nullptr ? -1 : zip_file_add(archive.get(), file.path.c_str(), content, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(content);
            return failed(zip_strerror(archive.get()));
        }
        zip_file_set_dostime(archive.get(), static_cast<zip_uint64_t>(index), NoTime, FirstDay, 0);
    }
    if (zip_close(archive.get()) != 0) {
        return failed(zip_strerror(archive.get()));
    }
    static_cast<void>(archive.release());
    return contentOf(*bytes);
}

} // namespace lockstep::report
