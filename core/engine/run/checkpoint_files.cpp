#include "engine/run/checkpoint_files.h"

#include "base/checkpoint_names.h"
#include "engine/data/sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <unistd.h>
#include <zlib.h>

namespace lockstep::engine {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int ManifestVersion = 1;
constexpr std::int64_t LargestFile = std::int64_t{1} << 46; ///< bytes; sums of many do not overflow

Error failure(const std::string& path, const char* what)
{
    return Error{path + ": " + what + ": " + std::strerror(errno)};
}

Result<void> writeFile(const std::string& path, const char* bytes, std::size_t size)
{
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        return failure(path, "cannot be made");
    }
    bool isWritten = true;
    for (std::size_t done = 0; isWritten && done < size;) {
        const ssize_t n = ::write(file, bytes + done, size - done);
        isWritten = n > 0 || (n < 0 && errno == EINTR);
        done += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
    isWritten = isWritten && fsync(file) == 0;
    const Result<void> result = isWritten ? Result<void>() : failure(path, "cannot be written");
    close(file);
    return result;
}

Result<std::vector<char>> readFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file.is_open()) {
        return failure(path, "cannot be read");
    }
    return std::vector<char>{std::istreambuf_iterator<char>(file), {}};
}

std::uint32_t checksum(const std::vector<char>& bytes)
{
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size())); // NOLINT: zlib's idea of bytes
}

/// The bytes of a file that matches the manifest.
Result<std::vector<char>> checkedBytes(const std::string& folder, const Manifest::File& file)
{
    auto bytes = readFile(folder + "/" + file.name);
    if (!bytes) {
        return bytes.error();
    }
    if (std::ssize(*bytes) != file.bytes) {
        return Error{folder + " is torn: " + file.name + " has " + std::to_string(bytes->size()) + " of "
            + std::to_string(file.bytes) + " bytes"};
    }
    LOCKSTEP_TRY_ASSIGN(const auto sha256, file.sha256.empty() ? Result<std::string>("") : sha256Of(*bytes));
    if (checksum(*bytes) != file.crc32 || sha256 != file.sha256) {
        return Error{folder + " is damaged: " + file.name + " is not what was written"};
    }
    return bytes;
}

} // namespace

std::string checkpointFolder(const std::string& folder, std::int64_t step)
{
    return folder + "/" + checkpointName(step);
}

Result<void> writeTensors(const std::string& path, const Tensors& tensors)
{
    const std::vector<char> bytes = tensorArchive(tensors);
    return writeFile(path, bytes.data(), bytes.size());
}

Result<Tensors> readTensors(const std::string& folder, const Manifest::File& file)
{
    LOCKSTEP_TRY_ASSIGN(const auto bytes, checkedBytes(folder, file));
    auto tensors = tensorsOfArchive(bytes);
    if (!tensors) {
        return Error{folder + "/" + file.name + " is not a file of tensors: " + tensors.error().message};
    }
    return tensors;
}

Result<Manifest::File> describeFile(const std::string& folder, const std::string& name)
{
    LOCKSTEP_TRY_ASSIGN(const auto bytes, readFile(folder + "/" + name));
    LOCKSTEP_TRY_ASSIGN(auto sha256, sha256Of(bytes));
    return Manifest::File{name, std::ssize(bytes), checksum(bytes), std::move(sha256)};
}

Result<void> writeManifestFile(const std::string& folder, const Manifest& manifest)
{
    Json files = Json::array();
    for (const Manifest::File& file : manifest.files) {
        files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"crc32", file.crc32}, {"sha256", file.sha256}});
        if (manifest.isApart()) {
            files.back()["keeper"] = file.keeper;
        }
    }
    Json json{{"version", ManifestVersion}, {"step", manifest.step}, {"run", Json::parse(manifest.specJson)},
        {"files", files}};
    if (!manifest.data.empty()) {
        json["data"] = manifest.data;
    }
    const std::string text = json.dump(2) + "\n";
    return writeFile(folder + "/" + CheckpointManifest, text.data(), text.size());
}

Result<Manifest> readManifest(const std::string& folder)
{
    const std::string path = folder + "/" + CheckpointManifest;
    const auto bytes = readFile(path);
    if (!bytes) {
        return Error{folder + " is not a checkpoint: it has no " + CheckpointManifest};
    }
    const Json json = Json::parse(bytes->begin(), bytes->end(), nullptr, false);
    try {
        if (json.at("version").get<int>() != ManifestVersion) {
            return Error{path + " is of version " + json.at("version").dump() + "; this program reads "
                + std::to_string(ManifestVersion)};
        }
        Manifest manifest{
            json.at("step").get<std::int64_t>(), json.at("run").dump(), {}, json.value("data", std::string())};
        for (const Json& file : json.at("files")) {
            manifest.files.push_back({file.at("name").get<std::string>(), file.at("bytes").get<std::int64_t>(),
                file.at("crc32").get<std::uint32_t>(), file.value("sha256", std::string()), file.value("keeper", 0)});
            if (manifest.files.back().bytes < 0 || manifest.files.back().bytes > LargestFile) {
                return Error{path + " is not the manifest of a checkpoint"};
            }
            if (manifest.files.back().name.find('/') != std::string::npos) {
                return Error{path + " names a file outside of its folder"};
            }
        }
        if (manifest.step < 1 || manifest.files.empty()) {
            return Error{path + " is not the manifest of a checkpoint"};
        }
        return manifest;
    } catch (const Json::exception&) {
        return Error{path + " is not the manifest of a checkpoint"};
    }
}

bool Manifest::isApart() const
{
    return std::ranges::any_of(files, [](const File& each) { return each.keeper != 0; });
}

Result<void> checkFile(const std::string& folder, const Manifest::File& file)
{
    const auto bytes = checkedBytes(folder, file);
    return bytes ? Result<void>() : Result<void>(bytes.error());
}

Result<void> checkWhole(const std::string& folder, const Manifest& manifest, int rank)
{
    if (manifest.isApart()) {
        return checkFile(folder, manifest.files.at(static_cast<std::size_t>(rank)));
    }
    for (const Manifest::File& file : manifest.files) {
        LOCKSTEP_TRY(checkFile(folder, file));
    }
    return {};
}

std::vector<std::string> checkpointsIn(const std::string& folder)
{
    std::map<std::int64_t, std::string> byStep;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const auto step = checkpointStep(entry.path().filename().string());
        if (step && entry.is_directory(ignored)) {
            byStep[*step] = entry.path().string();
        }
    }
    std::vector<std::string> found;
    for (auto& [step, path] : byStep) {
        found.push_back(std::move(path));
    }
    return found;
}

std::string wholeOneBefore(const std::string& checkpoint, int rank)
{
    const fs::path path = fs::path(checkpoint).lexically_normal();
    const fs::path named = path.has_filename() ? path : path.parent_path();
    const auto step = checkpointStep(named.filename().string());
    const auto all = checkpointsIn(named.parent_path().string());
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
        if (step && checkpointStep(fs::path(*it).filename().string()) >= step) {
            continue;
        }
        const auto manifest = readManifest(*it);
        const bool hasRank = manifest && static_cast<std::size_t>(rank) < manifest->files.size();
        if (hasRank && checkWhole(*it, *manifest, rank)) {
            return *it;
        }
    }
    return {};
}

void syncFolder(const std::string& folder)
{
    if (const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

} // namespace lockstep::engine
