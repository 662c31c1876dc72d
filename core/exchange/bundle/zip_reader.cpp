#include "exchange/bundle/zip_reader.h"

#include <fmt/format.h>

#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <array>

#include <sys/stat.h>
#include <zip.h>

namespace lockstep::exchange {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t UnpackAtOnce = 1 << 14;

struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

std::string shown(const QString& name)
{
    return name.left(80).simplified().toStdString();
}

/// Relative, inside the archive, and the same on every system.
bool isSafeName(const QString& name)
{
    if (name.isEmpty() || name.size() > 200 || name.startsWith(u'/') || name.contains(u'\\') || name.contains(u':')) {
        return false;
    }
    const bool isPrintable = std::ranges::all_of(name, [](QChar letter) { return letter.isPrint(); });
    const QStringList parts = name.split(u'/');
    return isPrintable && std::ranges::none_of(parts, [](const QString& part) {
        return part.isEmpty() || part == u"." || part == u"..";
    });
}

Result<void> checkKind(zip* archive, std::uint64_t index, const QString& name)
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(archive, index, 0, &system, &attributes) != 0) {
        return failure(LS_TR("Messages", "its member \"%1\" cannot be read"), {verbatim(shown(name))});
    }
    const unsigned kind = system == ZIP_OPSYS_UNIX || system == ZIP_OPSYS_OS_X ? (attributes >> 16) & S_IFMT : 0;
    if (kind == S_IFLNK) {
        return failure(LS_TR("Messages", "its member \"%1\" is a link"), {verbatim(shown(name))});
    }
    if (kind != 0 && kind != S_IFREG) {
        return failure(LS_TR("Messages", "its member \"%1\" is not a plain file"), {verbatim(shown(name))});
    }
    return {};
}

/// As far as it can be read.
QString nameAt(zip* archive, std::uint64_t index)
{
    return QString::fromUtf8(zip_get_name(archive, index, ZIP_FL_ENC_GUESS));
}

Result<ZipMember> memberAt(zip* archive, std::uint64_t index)
{
    zip_stat_t stat;
    zip_stat_init(&stat);
    constexpr zip_uint64_t Needed
        = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive, index, ZIP_FL_ENC_GUESS, &stat) != 0 || (stat.valid & Needed) != Needed) {
        return failure(LS_TR("Messages", "its member %1 cannot be read"), {index + 1});
    }
    ZipMember member{QString::fromUtf8(stat.name), stat.size, stat.comp_size, index};
    if (!isSafeName(member.name)) {
        return failure(LS_TR("Messages", "its member \"%1\" is refused: names must be relative, without \"..\""),
            {verbatim(shown(member.name))});
    }
    LOCKSTEP_TRY(checkKind(archive, index, member.name));
    if (stat.encryption_method != ZIP_EM_NONE) {
        return failure(LS_TR("Messages", "its member \"%1\" is encrypted"), {verbatim(shown(member.name))});
    }
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
        return failure(
            LS_TR("Messages", "its member \"%1\" is compressed by an unknown method"), {verbatim(shown(member.name))});
    }
    if (member.bytes > MaxUnpackedBytes || member.packedBytes > MaxUnpackedBytes) {
        return failure(LS_TR("Messages", "it is more than 4 GiB unpacked, the most that is allowed"));
    }
    if (member.bytes > MaxRatio * std::max<std::uint64_t>(1, member.packedBytes)) {
        return failure(LS_TR("Messages", "its member \"%1\" is compressed by a factor of more than %2"),
            {verbatim(shown(member.name)), MaxRatio});
    }
    return member;
}

Error notZip(int code)
{
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const Text why = verbatim(zip_error_strerror(&error));
    zip_error_fini(&error);
    return failure(LS_TR("Messages", "it is not a zip archive, or was cut short: %1"), {why});
}

} // namespace

void ZipReader::Close::operator()(zip* archive) const
{
    zip_discard(archive);
}

ZipReader::ZipReader(zip* archive)
    : m_archive(archive)
{ }

ZipReader::~ZipReader() = default;
ZipReader::ZipReader(ZipReader&&) noexcept = default;
ZipReader& ZipReader::operator=(ZipReader&&) noexcept = default;

Result<ZipReader> ZipReader::open(const QString& path, Unsafe unsafe)
{
    int code = 0;
    ZipReader reader(zip_open(QFile::encodeName(path).constData(), ZIP_RDONLY, &code));
    if (reader.m_archive == nullptr) {
        return notZip(code);
    }
    LOCKSTEP_TRY(reader.readMembers(static_cast<std::uint64_t>(QFileInfo(path).size()), unsafe));
    return reader;
}

Result<void> ZipReader::readMembers(std::uint64_t archiveBytes, Unsafe unsafe)
{
    const auto count = static_cast<std::uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(m_archive.get(), 0)));
    if (count > MaxMembers) {
        return failure(LS_TR("Messages", "it has %1 members; at most %2 are allowed"), {count, MaxMembers});
    }
    QSet<QString> names;
    std::uint64_t bytes = 0;
    for (std::uint64_t index = 0; index < count; ++index) {
        const QString name = nameAt(m_archive.get(), index);
        if (unsafe == Unsafe::LeaveOut && name.endsWith(u'/')) {
            continue;
        }
        auto member = memberAt(m_archive.get(), index);
        if (member && names.contains(member->name.toCaseFolded())) {
            member = failure(LS_TR("Messages", "it has two members \"%1\""), {verbatim(shown(member->name))});
        }
        if (!member && unsafe == Unsafe::LeaveOut) {
            m_refused.push_back({name, member.error()});
            continue;
        }
        if (!member) {
            return member.error();
        }
        names.insert(member->name.toCaseFolded());
        bytes += member->bytes; // at most MaxMembers times MaxUnpackedBytes
        m_members.push_back(*std::move(member));
    }
    if (bytes > MaxUnpackedBytes) {
        return failure(LS_TR("Messages", "it is more than 4 GiB unpacked, the most that is allowed"));
    }
    // Members may share their bytes.
    if (bytes > MaxRatio * archiveBytes) {
        return failure(LS_TR("Messages", "it is compressed by a factor of more than %1"), {MaxRatio});
    }
    return {};
}

template <typename Take>
Result<void> ZipReader::unpack(const QString& name, std::uint64_t most, Take&& take) const
{
    const auto found = std::ranges::find(m_members, name, &ZipMember::name);
    if (found == m_members.end()) {
        return failure(LS_TR("Messages", "it has no member \"%1\""), {verbatim(shown(name))});
    }
    if (found->bytes > most) {
        return failure(LS_TR("Messages", "its member \"%1\" has %2 bytes; at most %3 are allowed"),
            {verbatim(shown(name)), found->bytes, most});
    }
    const std::unique_ptr<zip_file_t, CloseMember> member(zip_fopen_index(m_archive.get(), found->index, 0));
    const Error damaged{fmt::format("its member \"{}\" is damaged or was cut short", shown(name))};
    std::array<char, UnpackAtOnce> bytes{};
    std::uint64_t sum = 0;
    for (;;) {
        const zip_int64_t read = member ? zip_fread(member.get(), bytes.data(), bytes.size()) : -1;
        // The archive may lie about a size: no more is unpacked than it says.
        sum += static_cast<std::uint64_t>(std::max<zip_int64_t>(0, read));
        if (read < 0 || sum > found->bytes) {
            return damaged;
        }
        if (read == 0) {
            return sum == found->bytes ? Result<void>() : damaged;
        }
        LOCKSTEP_TRY(take(bytes.data(), static_cast<qint64>(read)));
    }
}

Result<QByteArray> ZipReader::read(const QString& name, std::uint64_t most) const
{
    QByteArray content;
    LOCKSTEP_TRY(unpack(name, most, [&](const char* bytes, qint64 count) -> Result<void> {
        content.append(bytes, count);
        return {};
    }));
    return content;
}

Result<void> ZipReader::extract(const QString& name, const QString& file) const
{
    QFile output(file);
    const auto failed = [&] {
        return failure(LS_TR("Messages", "%1 cannot be written: %2"),
            {verbatim(file.toStdString()), verbatim(output.errorString().toStdString())});
    };
    if (!output.open(QIODevice::WriteOnly | QIODevice::NewOnly)) {
        return failed();
    }
    LOCKSTEP_TRY(unpack(name, MaxUnpackedBytes, [&](const char* bytes, qint64 count) -> Result<void> {
        return output.write(bytes, count) == count ? Result<void>() : failed();
    }));
    return output.flush() ? Result<void>() : failed();
}

bool isZip(const QString& file)
{
    QFile input(file);
    const QByteArray begin = input.open(QIODevice::ReadOnly) ? input.read(4) : QByteArray();
    return begin == QByteArray("PK\x03\x04", 4) || begin == QByteArray("PK\x05\x06", 4);
}

} // namespace lockstep::exchange
