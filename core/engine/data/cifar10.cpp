#include "engine/data/cifar10.h"

#include "experiment/dataset_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace lockstep::engine {

namespace {

constexpr std::int64_t Cifar10Channels = 3;
constexpr std::int64_t Cifar10Side = 32;
constexpr auto ImageBytes = static_cast<std::size_t>(Cifar10Channels * Cifar10Side * Cifar10Side);
constexpr auto RecordBytes = static_cast<std::size_t>(experiment::Cifar10RecordBytes);
static_assert(RecordBytes == 1 + ImageBytes);
constexpr std::size_t RecordsAtOnce = 1000;

Result<void> addFile(const experiment::Cifar10File& wanted, LabelledBytes& data)
{
    std::ifstream file(wanted.path, std::ios::binary);
    const auto records = static_cast<std::size_t>(wanted.records);
    std::vector<char> buffer(std::min(records, RecordsAtOnce) * RecordBytes);
    data.pixels.reserve(data.pixels.size() + records * ImageBytes);
    for (std::size_t done = 0; done < records;) {
        const std::size_t count = std::min(records - done, RecordsAtOnce);
        if (!file.read(buffer.data(), static_cast<std::streamsize>(count * RecordBytes))) {
            return Error{fmt::format("dataset.path: {} cannot be read: {}", wanted.path,
                file.is_open() && file.eof() ? "it has become shorter" : std::strerror(errno))};
        }
        for (std::size_t i = 0; i < count; ++i, ++done) {
            const char* record = buffer.data() + i * RecordBytes;
            const auto label = static_cast<std::uint8_t>(*record);
            if (label >= LabelCount) {
                return Error{
                    fmt::format("dataset.path: {}: label {} of sample {} is outside 0 to 9", wanted.path, label, done)};
            }
            data.labels.push_back(label);
            data.pixels.insert(data.pixels.end(), record + 1, record + RecordBytes);
        }
    }
    data.count += wanted.records;
    return {};
}

} // namespace

Result<LabelledBytes> readCifar10(const std::string& folder, std::span<const std::string_view> files)
{
    LabelledBytes data{.rows = Cifar10Side, .columns = Cifar10Side, .channels = Cifar10Channels};
    for (const std::string_view name : files) {
        LOCKSTEP_TRY_ASSIGN(const auto file, experiment::cifar10File(folder, name));
        LOCKSTEP_TRY(addFile(file, data));
    }
    return data;
}

} // namespace lockstep::engine
