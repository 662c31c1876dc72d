#include "engine/run/files/checkpoint_files.h"

#include "base/checkpoint_names.h"
#include "base/descriptor.h"
#include "base/translate.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace lockstep::engine {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// 1: the files were those of torch.save, up to commit e609644f.
constexpr int ManifestVersion = 2;
constexpr std::int64_t LargestFile = std::int64_t{1} << 46; ///< bytes; sums of many do not overflow

bool isSha256(const std::string& text)
{
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// -1 if it is not there or cannot be true.
std::int64_t trainedNsOf(const Json& json)
{
    constexpr double MostNs = 1e18; // 32 years
    const double ns = json.value("trained_ns", -1.0);
    return ns >= 0.0 && ns <= MostNs ? json.at("trained_ns").get<std::int64_t>() : -1;
}

Result<void> checkSum(const std::string& folder, const Manifest::File& file, const FileSum& found)
{
    if (found.bytes != file.sum.bytes) {
        return failure(LS_TR("Messages", "%1 is torn: %2 has %3 of %4 bytes"),
            {verbatim(folder), verbatim(file.name), found.bytes, file.sum.bytes});
    }
    return found == file.sum ? Result<void>()
                             : failure(LS_TR("Messages", "%1 is damaged: %2 is not what was written"),
                                 {verbatim(folder), verbatim(file.name)});
}

} // namespace

std::string checkpointFolder(const std::string& folder, std::int64_t step)
{
    return folder + "/" + checkpointName(step);
}

Result<void> writeManifestFile(const std::string& folder, const Manifest& manifest)
{
    Json files = Json::array();
    for (const Manifest::File& file : manifest.files) {
        files.push_back({{"name", file.name}, {"bytes", file.sum.bytes}, {"sha256", file.sum.sha256}});
        if (manifest.isApart()) {
            files.back()["keeper"] = file.keeper;
        }
    }
    Json json{{"version", ManifestVersion}, {"step", manifest.step}, {"run", Json::parse(manifest.specJson)},
        {"files", files}};
    if (!manifest.data.empty()) {
        json["data"] = manifest.data;
    }
    if (manifest.trainedNs >= 0) {
        json["trained_ns"] = manifest.trainedNs;
    }
    LOCKSTEP_TRY(writeFile(folder + "/" + CheckpointManifest, json.dump(2) + "\n"));
    return {};
}

Result<Manifest> readManifest(const std::string& folder)
{
    const std::string path = folder + "/" + CheckpointManifest;
    std::ifstream text(path);
    if (!text.is_open()) {
        return failure(LS_TR("Messages", "%1 is not a checkpoint: it has no %2"),
            {verbatim(folder), verbatim(CheckpointManifest)});
    }
    const Json json = Json::parse(text, nullptr, false);
    try {
        const int version = json.at("version").get<int>();
        if (version < ManifestVersion) {
            return failure(LS_TR("Refusals",
                               "%1 was written by an earlier version of Lockstep (its manifest is of version %2, this "
                               "program reads %3); use that version (commit e609644f or before), or train again"),
                {verbatim(folder), version, ManifestVersion});
        }
        if (version > ManifestVersion) {
            return failure(LS_TR("Messages", "%1 is of version %2; this program reads %3"),
                {verbatim(path), version, ManifestVersion});
        }
        Manifest manifest{json.at("step").get<std::int64_t>(), json.at("run").dump(), {},
            json.value("data", std::string()), trainedNsOf(json)};
        for (const Json& each : json.at("files")) {
            const Manifest::File& file = manifest.files.emplace_back(Manifest::File{each.at("name").get<std::string>(),
                {each.at("bytes").get<std::int64_t>(), each.at("sha256").get<std::string>()}, each.value("keeper", 0)});
            if (file.sum.bytes < 0 || file.sum.bytes > LargestFile || !isSha256(file.sum.sha256)) {
                return failure(LS_TR("Messages", "%1 is not the manifest of a checkpoint"), {verbatim(path)});
            }
            if (file.name.find('/') != std::string::npos) {
                return failure(LS_TR("Messages", "%1 names a file outside of its folder"), {verbatim(path)});
            }
        }
        if (manifest.step < 1 || manifest.files.empty()) {
            return failure(LS_TR("Messages", "%1 is not the manifest of a checkpoint"), {verbatim(path)});
        }
        return manifest;
    } catch (const Json::exception&) {
        return failure(LS_TR("Messages", "%1 is not the manifest of a checkpoint"), {verbatim(path)});
    }
}

bool Manifest::isApart() const
{
    return std::ranges::any_of(files, [](const File& each) { return each.keeper != 0; });
}

Result<Tensors> readTensors(const std::string& folder, const Manifest::File& file)
{
    LOCKSTEP_TRY_ASSIGN(auto read, readTensorFile(folder + "/" + file.name));
    LOCKSTEP_TRY(checkSum(folder, file, read.sum));
    return read.tensors ? std::move(read.tensors)
                        : failure(LS_TR("Messages", "%1/%2 is not a file of tensors: %3"),
                            {verbatim(folder), verbatim(file.name), read.tensors.error()});
}

Result<Tensors> readWhole(const std::string& folder, const Manifest& manifest, int rank)
{
    const auto own = static_cast<std::size_t>(rank);
    Tensors tensors;
    for (std::size_t i = 0; i < manifest.files.size(); ++i) {
        if (i == own) {
            LOCKSTEP_TRY_ASSIGN(tensors, readTensors(folder, manifest.files[i]));
        } else if (!manifest.isApart()) {
            LOCKSTEP_TRY_ASSIGN(const auto found, sumOf(folder + "/" + manifest.files[i].name));
            LOCKSTEP_TRY(checkSum(folder, manifest.files[i], found));
        }
    }
    return tensors;
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
        if (hasRank && readWhole(*it, *manifest, rank)) {
            return *it;
        }
    }
    return {};
}

} // namespace lockstep::engine
