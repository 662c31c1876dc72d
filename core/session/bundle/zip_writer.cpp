#include "session/bundle/zip_writer.h"

#include "session/bundle/zip_reader.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryFile>

#include <cstdio>
#include <memory>
#include <vector>

#include <zip.h>

namespace lockstep::session {

using namespace Qt::StringLiterals;

namespace {

/// 1980-01-01, the earliest that a zip can say.
constexpr zip_uint16_t NoTime = 0;
constexpr zip_uint16_t FirstDay = 0x21;
constexpr int DeflateLevel = 6;

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

Result<void> add(zip_t* archive, const ZipInput& member, bool isStored)
{
    zip_source_t* content = member.file.isEmpty()
        ? zip_source_buffer(archive, member.content.constData(), static_cast<zip_uint64_t>(member.content.size()), 0)
        : zip_source_file(archive, QFile::encodeName(member.file).constData(), 0, -1);
    const zip_int64_t added
        = content == nullptr ? -1 : zip_file_add(archive, member.name.toUtf8().constData(), content, ZIP_FL_ENC_UTF_8);
    if (added < 0) {
        zip_source_free(content);
        return Error{zip_strerror(archive)};
    }
    const auto index = static_cast<zip_uint64_t>(added);
    zip_file_set_dostime(archive, index, NoTime, FirstDay, 0);
    zip_set_file_compression(archive, index, isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, isStored ? 0 : DeflateLevel);
    return {};
}

Result<void> write(const QString& path, std::span<const ZipInput> members, const std::vector<bool>& isStored)
{
    int code = 0;
    Archive archive(zip_open(QFile::encodeName(path).constData(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (archive == nullptr) {
        return Error{"the archive cannot be created"};
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        LOCKSTEP_TRY(add(archive.get(), members[i], isStored[i]));
    }
    if (zip_close(archive.get()) != 0) {
        return Error{zip_strerror(archive.get())};
    }
    static_cast<void>(archive.release());
    return {};
}

/// Members that became too small: a reader would take them for an attack.
Result<bool> storeThoseCompressedTooMuch(const QString& path, std::vector<bool>& isStored)
{
    int code = 0;
    const Archive archive(zip_open(QFile::encodeName(path).constData(), ZIP_RDONLY, &code));
    if (archive == nullptr) {
        return Error{"the archive cannot be read back"};
    }
    bool isAny = false;
    for (std::size_t i = 0; i < isStored.size(); ++i) {
        zip_stat_t stat;
        zip_stat_init(&stat);
        if (zip_stat_index(archive.get(), i, 0, &stat) != 0) {
            return Error{"the archive cannot be read back"};
        }
        if (stat.size > MaxRatio / 2 * stat.comp_size) {
            isStored[i] = true;
            isAny = true;
        }
    }
    return isAny;
}

Result<void> writeWhole(const QString& path, std::span<const ZipInput> members)
{
    std::vector<bool> isStored(members.size(), false);
    LOCKSTEP_TRY(write(path, members, isStored));
    LOCKSTEP_TRY_ASSIGN(const bool isAny, storeThoseCompressedTooMuch(path, isStored));
    return isAny ? write(path, members, isStored) : Result<void>();
}

} // namespace

Result<void> writeZip(const QString& path, std::span<const ZipInput> members)
{
    const auto failed
        = [&](const std::string& why) { return Error{path.toStdString() + " cannot be written: " + why}; };
    if (const QFileInfo there(path); there.exists() && !there.isFile()) {
        return failed("it is not a file");
    }
    QTemporaryFile place(path + u".XXXXXX"_s); // a name beside it, so that renaming is atomic
    if (!place.open()) {
        return failed(place.errorString().toStdString());
    }
    const QString part = place.fileName();
    place.close();
    if (const auto written = writeWhole(part, members); !written) {
        return failed(written.error().message);
    }
    // Not QFile's, which replaces no file.
    if (std::rename(QFile::encodeName(part).constData(), QFile::encodeName(path).constData()) != 0) {
        return failed("the file cannot be renamed");
    }
    place.setAutoRemove(false);
    constexpr auto Everyone = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther;
    QFile::setPermissions(path, Everyone);
    return {};
}

} // namespace lockstep::session
