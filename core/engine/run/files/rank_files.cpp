#include "engine/run/files/rank_files.h"

#include "base/draft_folder.h"
#include "experiment/settings.h"

#include "base/checkpoint_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <span>

namespace lockstep::engine {

namespace {

constexpr std::size_t HashWords = 8; ///< a SHA-256 has, of 32 bits
/// Size in bytes and SHA-256 of a file as numbers, which doubles hold exactly. All 0: there is no file.
using FileNumbers = std::array<double, 1 + HashWords>;

double wordOf(const FileSum& sum, std::size_t word)
{
    return static_cast<double>(std::stoul(sum.sha256.substr(8 * word, 8), nullptr, 16));
}

FileNumbers numbersOf(const FileSum& sum)
{
    FileNumbers numbers{static_cast<double>(sum.bytes)};
    for (std::size_t word = 0; word < HashWords; ++word) {
        numbers[1 + word] = wordOf(sum, word);
    }
    return numbers;
}

Manifest::File fileOf(int rank, std::span<const double> numbers)
{
    Manifest::File file{checkpointFileName(rank), {static_cast<std::int64_t>(numbers[0]), {}}};
    for (const double word : numbers.subspan(1)) {
        file.sum.sha256 += fmt::format("{:08x}", static_cast<std::uint32_t>(word));
    }
    return file;
}

/// Lets ranks detect another writer of their folder: new for each checkpoint, since a file of an earlier attempt may
/// still be there.
std::string markName(int rank, double number)
{
    return fmt::format(".rank-{}-{:.0f}", rank, number);
}

/// At most 2^53, which doubles hold exactly.
double randomNumber()
{
    std::random_device device;
    return static_cast<double>(((std::uint64_t{device()} << 32) | device()) >> 11);
}

/// Each rank's number, known to all.
Result<std::vector<double>> shared(double own, const RankContext& context, const AllReduceSum& allReduceSum)
{
    std::vector<double> numbers(static_cast<std::size_t>(context.worldSize), 0.0);
    numbers[static_cast<std::size_t>(context.rank.number)] = own;
    LOCKSTEP_TRY(allReduceSum(numbers));
    return numbers;
}

} // namespace

Result<std::vector<Manifest::File>> describeFiles(
    const Result<FileSum>& own, const RankContext& context, const AllReduceSum& allReduceSum)
{
    constexpr std::size_t Width = std::tuple_size_v<FileNumbers>;
    std::vector<double> numbers(Width * static_cast<std::size_t>(context.worldSize), 0.0);
    if (own) {
        std::ranges::copy(numbersOf(*own), numbers.begin() + static_cast<std::ptrdiff_t>(Width) * context.rank.number);
    }
    LOCKSTEP_TRY(allReduceSum(numbers));
    std::vector<Manifest::File> files;
    for (int rank = 0; rank < context.worldSize; ++rank) {
        files.push_back(fileOf(rank, std::span(numbers).subspan(Width * static_cast<std::size_t>(rank), Width)));
    }
    if (!own) {
        return own.error();
    }
    if (std::ranges::any_of(files, [](const Manifest::File& each) { return each.sum.bytes == 0; })) {
        return failure(LS_TR("Messages", "another rank could not write its part"));
    }
    return files;
}

Result<void> findKeepers(const std::string& folder, std::vector<Manifest::File>& files, const RankContext& context,
    const AllReduceSum& allReduceSum)
{
    const int own = context.rank.number;
    const double number = randomNumber();
    const std::string mark = folder + "/" + markName(own, number);
    const bool isMarked = std::ofstream(mark).is_open();
    static_cast<void>(syncToDisk(folder));
    auto numbers = shared(isMarked ? number : -1.0, context, allReduceSum);
    int lowest = own;
    std::error_code ignored;
    if (numbers) {
        static_cast<void>(syncToDisk(folder)); // a network file system may show an earlier listing
        lowest = 0;
        while (lowest < own
            && !std::filesystem::exists(
                folder + "/" + markName(lowest, (*numbers)[static_cast<std::size_t>(lowest)]), ignored)) {
            ++lowest;
        }
    }
    const auto keepers = numbers ? shared(lowest, context, allReduceSum) : numbers;
    std::filesystem::remove(mark, ignored);
    if (!keepers) {
        return keepers.error();
    }
    if (std::ranges::any_of(*numbers, [](double each) { return each < 0.0; })) {
        return failure(LS_TR("Messages", "another rank could not write its part"));
    }
    for (std::size_t rank = 0; rank < files.size(); ++rank) {
        files[rank].keeper = static_cast<int>((*keepers)[rank]);
    }
    return {};
}

Result<Manifest> agreedOn(Result<Manifest> own, const RankContext& context, const AllReduceSum& allReduceSum)
{
    double sum = -1.0; // there is none
    if (own) {
        sum = static_cast<double>(own->step);
        for (const Manifest::File& file : own->files) {
            sum += wordOf(file.sum, 0);
        }
    }
    LOCKSTEP_TRY_ASSIGN(const auto sums, shared(sum, context, allReduceSum));
    if (!own) {
        return own;
    }
    for (std::size_t rank = 0; rank < sums.size(); ++rank) {
        if (sums[rank] < 0.0) {
            return refusal(nameOf(&experiment::CheckpointSettings::from),
                LS_TR("Messages", "rank %1 cannot read its part of it"), {rank});
        }
        if (sums[rank] != sum) {
            return refusal(nameOf(&experiment::CheckpointSettings::from),
                LS_TR("Messages", "rank %1 has found another checkpoint there than rank %2"),
                {rank, context.rank.number});
        }
    }
    return own;
}

} // namespace lockstep::engine
