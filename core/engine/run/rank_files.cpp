#include "engine/run/rank_files.h"

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
/// Size in bytes, CRC-32 and SHA-256 of a file as numbers, which doubles hold exactly. All 0: there is no file.
using FileNumbers = std::array<double, 2 + HashWords>;

FileNumbers numbersOf(const Manifest::File& file)
{
    FileNumbers numbers{static_cast<double>(file.bytes), static_cast<double>(file.crc32)};
    for (std::size_t word = 0; word < HashWords; ++word) {
        numbers[2 + word] = static_cast<double>(std::stoul(file.sha256.substr(8 * word, 8), nullptr, 16));
    }
    return numbers;
}

Manifest::File fileOf(int rank, std::span<const double> numbers)
{
    Manifest::File file{
        checkpointFileName(rank), static_cast<std::int64_t>(numbers[0]), static_cast<std::uint32_t>(numbers[1])};
    for (const double word : numbers.subspan(2)) {
        file.sha256 += fmt::format("{:08x}", static_cast<std::uint32_t>(word));
    }
    return file;
}

/// By which ranks see who writes to their folder: new for each checkpoint, since a file of an earlier attempt may
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
Result<std::vector<double>> shared(double own, const RankContext& context, const AddUp& addUp)
{
    std::vector<double> numbers(static_cast<std::size_t>(context.worldSize), 0.0);
    numbers[static_cast<std::size_t>(context.rank.number)] = own;
    LOCKSTEP_TRY(addUp(numbers));
    return numbers;
}

} // namespace

Result<std::vector<Manifest::File>> describeFiles(
    const std::string& folder, const Result<void>& written, const RankContext& context, const AddUp& addUp)
{
    constexpr std::size_t Width = std::tuple_size_v<FileNumbers>;
    std::vector<double> numbers(Width * static_cast<std::size_t>(context.worldSize), 0.0);
    auto own = written ? describeFile(folder, checkpointFileName(context.rank.number))
                       : Result<Manifest::File>(written.error());
    if (own) {
        std::ranges::copy(numbersOf(*own), numbers.begin() + static_cast<std::ptrdiff_t>(Width) * context.rank.number);
    }
    LOCKSTEP_TRY(addUp(numbers));
    std::vector<Manifest::File> files;
    for (int rank = 0; rank < context.worldSize; ++rank) {
        files.push_back(fileOf(rank, std::span(numbers).subspan(Width * static_cast<std::size_t>(rank), Width)));
    }
    if (!own) {
        return own.error();
    }
    if (std::ranges::any_of(files, [](const Manifest::File& each) { return each.bytes == 0; })) {
        return Error{"another rank could not write its part"};
    }
    return files;
}

Result<void> findKeepers(
    const std::string& folder, std::vector<Manifest::File>& files, const RankContext& context, const AddUp& addUp)
{
    const int own = context.rank.number;
    const double number = randomNumber();
    const std::string mark = folder + "/" + markName(own, number);
    const bool isMarked = std::ofstream(mark).is_open();
    syncFolder(folder);
    auto numbers = shared(isMarked ? number : -1.0, context, addUp);
    int lowest = own;
    std::error_code ignored;
    if (numbers) {
        syncFolder(folder); // a network file system may show an earlier listing
        lowest = 0;
        while (lowest < own
            && !std::filesystem::exists(
                folder + "/" + markName(lowest, (*numbers)[static_cast<std::size_t>(lowest)]), ignored)) {
            ++lowest;
        }
    }
    const auto keepers = numbers ? shared(lowest, context, addUp) : numbers;
    std::filesystem::remove(mark, ignored);
    if (!keepers) {
        return keepers.error();
    }
    if (std::ranges::any_of(*numbers, [](double each) { return each < 0.0; })) {
        return Error{"another rank could not write its part"};
    }
    for (std::size_t rank = 0; rank < files.size(); ++rank) {
        files[rank].keeper = static_cast<int>((*keepers)[rank]);
    }
    return {};
}

Result<Manifest> agreedOn(Result<Manifest> own, const RankContext& context, const AddUp& addUp)
{
    double sum = -1.0; // there is none
    if (own) {
        sum = static_cast<double>(own->step);
        for (const Manifest::File& file : own->files) {
            sum += static_cast<double>(file.crc32);
        }
    }
    LOCKSTEP_TRY_ASSIGN(const auto sums, shared(sum, context, addUp));
    if (!own) {
        return own;
    }
    for (std::size_t rank = 0; rank < sums.size(); ++rank) {
        if (sums[rank] < 0.0) {
            return Error{fmt::format("checkpoint.from: rank {} cannot read its part of it", rank)};
        }
        if (sums[rank] != sum) {
            return Error{fmt::format(
                "checkpoint.from: rank {} has found another checkpoint there than rank {}", rank, context.rank.number)};
        }
    }
    return own;
}

} // namespace lockstep::engine
