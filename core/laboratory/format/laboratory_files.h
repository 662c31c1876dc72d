// The files of a laboratory, from a zip archive or a folder, with their limits. Private to core/laboratory.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <map>
#include <string>

namespace lockstep::laboratory {

inline const char* const DescriptionName = "laboratory.json";
inline const char* const KeyName = "key.json"; ///< of a folder alone
inline constexpr std::uint64_t LongestText = 1u << 20; ///< bytes of a text, of laboratory.json and of code
inline constexpr std::uint64_t LargestPicture = 8u << 20;
inline constexpr std::uint64_t LargestLaboratory = 64u << 20; ///< bytes of all files together

/// By their names inside; a folder's key is not among them. Refuses what is no whole archive, names and sizes that a
/// laboratory may not have, and the key in an archive.
[[nodiscard]] Result<std::map<std::string, QByteArray>> laboratoryFiles(const QString& path);
/// A text file of at most LongestText bytes.
[[nodiscard]] Result<std::string> readTextFile(const QString& path);
/// Of equal files: SHA-256 over names and contents, in hexadecimal.
[[nodiscard]] std::string hashOfFiles(const std::map<std::string, QByteArray>& files);
/// `texts/start.en.md`
[[nodiscard]] std::string textFileOf(const std::string& step, const char* language);

} // namespace lockstep::laboratory
