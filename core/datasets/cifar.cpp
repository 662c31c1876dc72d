#include "datasets/cifar.h"

#include "base/descriptor.h"
#include "base/translate.h"
#include "datasets/data_file.h"
#include "experiment/choices.h"
#include "experiment/dataset_folder.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fstream>
#include <span>
#include <sys/stat.h>
#include <unistd.h>

namespace lockstep::datasets {

namespace {

constexpr std::int64_t CifarChannels = 3;
constexpr std::int64_t CifarSide = 32;
constexpr std::int64_t CifarImageBytes = CifarChannels * CifarSide * CifarSide;
constexpr std::size_t RecordsAtOnce = 1000;

constexpr std::array<std::string_view, 6> Cifar10Names{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
    "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"};
constexpr std::array<std::string_view, 2> Cifar100Names{"train.bin", "test.bin"};

struct CifarKind {
    std::span<const std::string_view> names; ///< the last one is the test set
    std::int64_t labels; ///< bytes before each image
    std::int64_t labelAt; ///< the one that is used
    std::int64_t classes;
    std::string_view archive;

    [[nodiscard]] std::int64_t recordBytes() const { return labels + CifarImageBytes; }
};

constexpr CifarKind Ten{Cifar10Names, 1, 0, 10, Cifar10Archive};
constexpr CifarKind HundredFine{Cifar100Names, 2, 1, 100, Cifar100Archive};
constexpr CifarKind HundredCoarse{Cifar100Names, 2, 0, 20, Cifar100Archive};

const CifarKind& kindOf(const experiment::RunSpec& run)
{
    return is(run, experiment::DataSet::Cifar10)   ? Ten
        : is(run, experiment::ImageLabels::Coarse) ? HundredCoarse
                                                   : HundredFine;
}

Error withArchive(std::string_view pattern, std::vector<Text> arguments, const CifarKind& kind)
{
    arguments.push_back(verbatim(kind.archive));
    arguments.push_back(verbatim(experiment::dataFolder()));
    return refusal(nameOf(&experiment::DatasetSettings::path), pattern, std::move(arguments));
}

Result<std::int64_t> recordsIn(const std::string& path, const CifarKind& kind)
{
    struct stat facts { };
    const std::int64_t bytes = stat(path.c_str(), &facts) == 0 ? static_cast<std::int64_t>(facts.st_size) : 0;
    if (bytes == 0 || bytes % kind.recordBytes() != 0) {
        return withArchive(kind.labels == 1
                ? LS_TR("Refusals",
                    "%1 has %2 bytes, not a multiple of %3 (a label and an image of 3 x 32 x 32); choose the folder "
                    "with the .bin files of %4, or unpack that into %5")
                : LS_TR("Refusals",
                    "%1 has %2 bytes, not a multiple of %3 (two labels and an image of 3 x 32 x 32); choose the "
                    "folder with the .bin files of %4, or unpack that into %5"),
            {verbatim(path), bytes, kind.recordBytes()}, kind);
    }
    if (bytes > MostDataBytes) {
        return wrongFile(path, LS_TR("Refusals", "%1 has %2 bytes, more than 16 GiB"), {bytes});
    }
    return bytes / kind.recordBytes();
}

Result<std::vector<std::string>> filesIn(const std::string& folder, const CifarKind& kind)
{
    if (!isFolder(folder)) {
        return withArchive(LS_TR("Refusals",
                               "the folder \"%1\" does not exist; choose the folder with the .bin files of %2, or "
                               "unpack that into %3"),
            {verbatim(folder)}, kind);
    }
    std::vector<std::string> files;
    for (const std::string_view name : kind.names) {
        files.push_back(folder + "/" + std::string(name));
        if (!isFile(files.back())) {
            return withArchive(
                LS_TR("Refusals", "%1 has no %2; choose the folder with the .bin files of %3, or unpack that into %4"),
                {verbatim(folder), verbatim(name)}, kind);
        }
        LOCKSTEP_TRY(recordsIn(files.back(), kind));
    }
    return files;
}

Result<void> addLabel(
    const std::string& path, const CifarKind& kind, std::uint8_t label, std::size_t sample, LabelledBytes& data)
{
    if (label >= kind.classes) {
        return wrongFile(
            path, LS_TR("Refusals", "%1: label %2 of sample %3 is outside 0 to %4"), {label, sample, kind.classes - 1});
    }
    data.labels.push_back(label);
    return {};
}

/// Skips the images between them, because a window waits for this.
Result<void> addLabels(const std::string& path, const CifarKind& kind, LabelledBytes& data)
{
    LOCKSTEP_TRY_ASSIGN(const auto records, recordsIn(path, kind));
    const Descriptor file(uninterrupted([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
    Result<void> read;
    for (std::int64_t i = 0; i < records && read; ++i) {
        std::uint8_t label = 0;
        const std::int64_t at = i * kind.recordBytes() + kind.labelAt;
        read = uninterrupted([&] { return pread(file.number(), &label, 1, at); }) == 1
            ? addLabel(path, kind, label, static_cast<std::size_t>(i), data)
            : Result<void>(wrongFile(path, LS_TR("Refusals", "%1 cannot be read: %2"), {systemError()}));
    }
    data.count += records;
    return read;
}

Result<void> addRecords(const std::string& path, const CifarKind& kind, LabelledBytes& data)
{
    LOCKSTEP_TRY_ASSIGN(const auto there, recordsIn(path, kind));
    const auto records = static_cast<std::size_t>(there);
    const auto recordBytes = static_cast<std::size_t>(kind.recordBytes());
    std::ifstream file(path, std::ios::binary);
    std::vector<char> buffer(std::min(records, RecordsAtOnce) * recordBytes);
    for (std::size_t done = 0; done < records;) {
        const std::size_t count = std::min(records - done, RecordsAtOnce);
        if (!file.read(buffer.data(), static_cast<std::streamsize>(count * recordBytes))) {
            return wrongFile(path, LS_TR("Refusals", "%1 cannot be read: %2"),
                {file.is_open() && file.eof() ? Text(LS_TR("Messages", "it has become shorter")) : systemError()});
        }
        for (std::size_t i = 0; i < count; ++i, ++done) {
            const char* record = buffer.data() + i * recordBytes;
            LOCKSTEP_TRY(addLabel(path, kind, static_cast<std::uint8_t>(record[kind.labelAt]), done, data));
            data.pixels.insert(data.pixels.end(), record + kind.labels, record + recordBytes);
        }
    }
    data.count += there;
    return {};
}

Result<ImageSet> readFiles(const std::vector<std::string>& files, const CifarKind& kind, bool withPixels)
{
    ImageSet set;
    for (LabelledBytes* part : {&set.train, &set.test}) {
        *part = {.rows = CifarSide, .columns = CifarSide, .channels = CifarChannels};
    }
    std::int64_t training = 0;
    for (std::size_t i = 0; i + 1 < files.size(); ++i) {
        LOCKSTEP_TRY_ASSIGN(const auto records, recordsIn(files[i], kind));
        training += records;
    }
    set.train.pixels.reserve(static_cast<std::size_t>(withPixels ? training * CifarImageBytes : 0));
    for (const std::string& file : files) {
        LOCKSTEP_TRY((withPixels ? addRecords : addLabels)(file, kind, &file == &files.back() ? set.test : set.train));
    }
    return set;
}

} // namespace

Result<std::vector<std::string>> cifarFiles(const experiment::RunSpec& run)
{
    return filesIn(experiment::imageFolder(run), kindOf(run));
}

Result<experiment::DataFacts> cifarFacts(const experiment::RunSpec& run, const std::vector<std::string>& files)
{
    LOCKSTEP_TRY_ASSIGN(const auto set, readFiles(files, kindOf(run), false));
    return experiment::DataFacts{.classes = kindOf(run).classes,
        .channels = CifarChannels,
        .rows = CifarSide,
        .columns = CifarSide,
        .trainSamples = set.train.count,
        .testSamples = set.test.count};
}

Result<ImageSet> readCifar(const experiment::RunSpec& run, const std::vector<std::string>& files)
{
    return readFiles(files, kindOf(run), true);
}

} // namespace lockstep::datasets
