#include "engine/data/data_identity.h"

#include "engine/data/built_in_text.h"
#include "engine/data/idx_file.h"
#include "engine/data/sha256.h"
#include "experiment/choices.h"
#include "experiment/dataset_folder.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::engine {

namespace {

/// Increment it when makeDigits() draws differently.
constexpr int DigitsVersion = 1;
constexpr std::size_t BytesAtOnce = 1 << 18;

struct CloseDataFile {
    void operator()(gzFile_s* file) const { gzclose_r(file); }
};

/// zlib hands a file that is not compressed through as it is.
Result<void> addFile(Sha256& sum, const std::string& path)
{
    const std::unique_ptr<gzFile_s, CloseDataFile> file(gzopen(path.c_str(), "rb"));
    std::vector<std::uint8_t> buffer(BytesAtOnce);
    int got = file ? 1 : -1;
    while (got > 0) {
        got = gzread(file.get(), buffer.data(), static_cast<unsigned>(buffer.size()));
        sum.add(std::span(buffer).first(static_cast<std::size_t>(got > 0 ? got : 0)));
    }
    return got == 0 ? Result<void>() : Result<void>(Error{"dataset.path: " + path + " cannot be read"});
}

Result<void> addFolder(Sha256& sum, const std::string& folder)
{
    for (const char* stem : experiment::IdxStems) {
        LOCKSTEP_TRY_ASSIGN(const auto path, experiment::idxFilePath(folder, stem));
        LOCKSTEP_TRY(addFile(sum, path));
    }
    return {};
}

Result<void> addCifar10(Sha256& sum, const std::string& folder)
{
    const auto add = [&](std::string_view name) -> Result<void> {
        LOCKSTEP_TRY_ASSIGN(const auto file, experiment::cifar10File(folder, name));
        return addFile(sum, file.path);
    };
    for (const std::string_view name : experiment::Cifar10TrainFiles) {
        LOCKSTEP_TRY(add(name));
    }
    for (const std::string_view name : experiment::Cifar10TestFiles) {
        LOCKSTEP_TRY(add(name));
    }
    return {};
}

} // namespace

Result<std::string> dataIdentity(const experiment::RunSpec& run)
{
    const std::string& path = run.text("dataset.path");
    Sha256 sum;
    switch (experiment::choice<experiment::DataSet>(run)) {
    case experiment::DataSet::Digits:
        return fmt::format("digits {}", DigitsVersion);
    case experiment::DataSet::Text:
        if (path.empty()) {
            sum.add(builtInText());
        } else {
            LOCKSTEP_TRY(addFile(sum, path));
        }
        break;
    case experiment::DataSet::Mnist:
    case experiment::DataSet::Idx:
        LOCKSTEP_TRY(addFolder(sum, experiment::imageFolder(run)));
        break;
    case experiment::DataSet::Cifar10:
        LOCKSTEP_TRY(addCifar10(sum, experiment::imageFolder(run)));
        break;
    }
    LOCKSTEP_TRY_ASSIGN(const std::string digest, sum.digest());
    return "sha256:" + digest;
}

} // namespace lockstep::engine
