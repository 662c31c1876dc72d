#include "session/export/tar_archive.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <numeric>
#include <string_view>

namespace lockstep::session {

namespace {

constexpr qsizetype BlockBytes = 512;
constexpr std::size_t ChecksumAt = 148;

using Header = std::array<char, BlockBytes>;

void put(Header& header, std::size_t at, std::string_view text)
{
    std::memcpy(header.data() + at, text.data(), text.size());
}

Header headerOf(const NewFile& file)
{
    Header header{};
    const QByteArray name = file.path.toLatin1();
    put(header, 0, {name.constData(), static_cast<std::size_t>(name.size())});
    put(header, 100, "0000644");
    put(header, 108, "0000000"); // user
    put(header, 116, "0000000"); // group
    put(header, 124, fmt::format("{:011o}", file.bytes.size()));
    put(header, 136, "00000000000"); // time
    put(header, 156, "0"); // a plain file
    put(header, 257, "ustar");
    put(header, 263, "00");
    // The sum counts the checksum's own place as blanks.
    put(header, ChecksumAt, "        ");
    const auto sum = std::accumulate(header.begin(), header.end(), 0U,
        [](unsigned total, char each) { return total + static_cast<unsigned char>(each); });
    put(header, ChecksumAt, fmt::format("{:06o}", sum));
    header[ChecksumAt + 6] = '\0';
    return header;
}

} // namespace

QByteArray tarArchive(const std::vector<NewFile>& files)
{
    QByteArray archive;
    for (const NewFile& file : files) {
        Q_ASSERT(file.path.size() <= MaxTarName);
        const Header header = headerOf(file);
        archive.append(header.data(), BlockBytes);
        archive.append(file.bytes);
        archive.append((BlockBytes - file.bytes.size() % BlockBytes) % BlockBytes, '\0');
    }
    archive.append(2 * BlockBytes, '\0');
    return archive;
}

} // namespace lockstep::session
