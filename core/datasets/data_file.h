// A file that may be compressed with gzip, and the errors of such files. Private to this room.
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

/// Also opens files that are not compressed: zlib returns their bytes unchanged.
class DataFile {
public:
    [[nodiscard]] static Result<DataFile> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Fills `to`, up to the end of the file, and returns the number of bytes. An error if it is damaged or cut off.
    [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> to);
    /// Refuses a file that cannot hold `needed` bytes, if possible without reading it: by the size of a plain file; by
    /// the length in the last four bytes of a compressed one (RFC 1952), or because deflate cannot compress so much.
    [[nodiscard]] Result<void> checkLength(std::int64_t header, std::int64_t content);
    /// Reads the rest of the file, which must be `content` bytes. Memory is allocated as data arrive.
    [[nodiscard]] Result<std::vector<std::uint8_t>> readRest(std::int64_t content);

private:
    struct Close {
        void operator()(gzFile_s* file) const;
    };
    DataFile(std::string path, gzFile_s* file);
    /// Opens the file again and reads all of it, to find out what is wrong with its length.
    [[nodiscard]] Result<void> countAll(std::int64_t header, std::int64_t content) const;

    std::string m_path;
    std::unique_ptr<gzFile_s, Close> m_file;
};

/// The most bytes that one byte of deflate expands to (RFC 1951: a match of 258 bytes in two bits).
inline constexpr std::int64_t MostPerDeflatedByte = 1032;

} // namespace lockstep::datasets
