// A file that may be compressed with gzip, and the words for what is wrong with one. Private to this room.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace lockstep::datasets {

/// `dataset.path: FILE pattern`; the file is %1.
[[nodiscard]] Error wrongFile(const std::string& path, std::string_view pattern, std::vector<Text> arguments = {});

[[nodiscard]] bool isFile(const std::string& path);
[[nodiscard]] bool isFolder(const std::string& path);
/// Names of what is in the folder, sorted; empty if it cannot be read.
[[nodiscard]] std::vector<std::string> namesIn(const std::string& folder);

/// zlib passes a file that is not compressed through as it is.
class DataFile {
public:
    [[nodiscard]] static Result<DataFile> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Fills `to`, or what there is up to the file's end, and says how much. An error where it is damaged or cut off.
    [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> to);
    /// Refuses a file that cannot hold `needed` bytes, without reading it as far as possible: a plain file has another
    /// size, a compressed one another length in its last four bytes (RFC 1952) or too few bytes for what deflate can
    /// do.
    [[nodiscard]] Result<void> checkLength(std::int64_t header, std::int64_t content);
    /// Reads exactly the rest of the file, `content` bytes. Memory is taken as data comes.
    [[nodiscard]] Result<std::vector<std::uint8_t>> readRest(std::int64_t content);

private:
    struct Close {
        void operator()(gzFile_s* file) const;
    };
    DataFile(std::string path, gzFile_s* file);
    /// Reads all of another opening of the file, to say what is wrong with its length.
    [[nodiscard]] Result<void> countAll(std::int64_t header, std::int64_t content) const;

    std::string m_path;
    std::unique_ptr<gzFile_s, Close> m_file;
};

/// The most that one byte of deflate stands for (RFC 1951: a match of 258 bytes in two bits).
inline constexpr std::int64_t MostPerDeflatedByte = 1032;

} // namespace lockstep::datasets
