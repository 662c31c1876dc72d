// Reads a zip archive that anyone may have written: every limit is checked before anything is unpacked.
#pragma once

#include "archive/zip_writer.h"
#include "base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <vector>

struct zip;

namespace lockstep::exchange {

inline constexpr std::uint64_t MaxMembers = 10'000;
inline constexpr std::uint64_t MaxUnpackedBytes = std::uint64_t{4} << 30;
/// Of each member, and of the archive as a whole.
using archive::MaxRatio;

struct ZipMember {
    QString name;
    std::uint64_t bytes = 0; ///< unpacked
    std::uint64_t packedBytes = 0;
    std::uint64_t index = 0; ///< in the archive
};

/// A member that was left out, and why.
struct RefusedMember {
    QString name;
    Error why;
};

/// What a member that is refused does to the archive.
enum class Unsafe : std::uint8_t {
    Refuse, ///< it is not opened
    LeaveOut ///< the others can be read: archives of many people's files
};

class ZipReader {
public:
    /// Refuses what is no whole zip archive, absolute names, `..`, links and other special files, two members of one
    /// name, encrypted members, and archives beyond the limits above. LeaveOut: folders are skipped.
    [[nodiscard]] static Result<ZipReader> open(const QString& path, Unsafe unsafe = Unsafe::Refuse);
    ~ZipReader();
    ZipReader(ZipReader&&) noexcept;
    ZipReader& operator=(ZipReader&&) noexcept;

    /// In the archive's order.
    [[nodiscard]] const std::vector<ZipMember>& members() const { return m_members; }
    [[nodiscard]] const std::vector<RefusedMember>& refused() const { return m_refused; }
    /// A member of at most `most` bytes.
    [[nodiscard]] Result<QByteArray> read(const QString& name, std::uint64_t most) const;
    /// Into a new file.
    [[nodiscard]] Result<void> extract(const QString& name, const QString& file) const;

private:
    struct Close {
        void operator()(zip* archive) const;
    };
    explicit ZipReader(zip* archive);
    [[nodiscard]] Result<void> readMembers(std::uint64_t archiveBytes, Unsafe unsafe);
    template <typename Take>
    [[nodiscard]] Result<void> unpack(const QString& name, std::uint64_t most, Take&& take) const;

    std::unique_ptr<zip, Close> m_archive;
    std::vector<ZipMember> m_members;
    std::vector<RefusedMember> m_refused;
};

/// True where the file begins as a zip archive does.
[[nodiscard]] bool isZip(const QString& file);

} // namespace lockstep::exchange
