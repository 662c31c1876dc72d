#include "engine/run/rank_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
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
        rankFileName(rank), static_cast<std::int64_t>(numbers[0]), static_cast<std::uint32_t>(numbers[1])};
    for (const double word : numbers.subspan(2)) {
        file.sha256 += fmt::format("{:08x}", static_cast<std::uint32_t>(word));
    }
    return file;
}

/// The lowest rank whose file is in this rank's folder.
int lowestIn(const std::string& folder, const std::vector<Manifest::File>& files, int own)
{
    syncFolder(folder); // a network file system may show an earlier listing
    int rank = 0;
    while (rank < own && !checkFile(folder, files[static_cast<std::size_t>(rank)])) {
        ++rank;
    }
    return rank;
}

/// Each rank's number, known to all.
Result<std::vector<double>> shared(double own, const RankContext& context, Strategy& strategy)
{
    std::vector<double> numbers(static_cast<std::size_t>(context.worldSize), 0.0);
    numbers[static_cast<std::size_t>(context.rank.number)] = own;
    LOCKSTEP_TRY(strategy.addUp(numbers));
    return numbers;
}

} // namespace

Result<std::vector<Manifest::File>> describeFiles(
    const std::string& folder, Result<void> written, const RankContext& context, Strategy& strategy)
{
    constexpr std::size_t Width = std::tuple_size_v<FileNumbers>;
    std::vector<double> numbers(Width * static_cast<std::size_t>(context.worldSize), 0.0);
    auto own
        = written ? describeFile(folder, rankFileName(context.rank.number)) : Result<Manifest::File>(written.error());
    if (own) {
        std::ranges::copy(numbersOf(*own), numbers.begin() + static_cast<std::ptrdiff_t>(Width) * context.rank.number);
    }
    LOCKSTEP_TRY(strategy.addUp(numbers));
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
    const std::string& folder, std::vector<Manifest::File>& files, const RankContext& context, Strategy& strategy)
{
    if (!strategy.network()) {
        return {}; // one host, one folder
    }
    const int lowest = lowestIn(folder, files, context.rank.number);
    LOCKSTEP_TRY_ASSIGN(const auto keepers, shared(lowest, context, strategy));
    for (std::size_t rank = 0; rank < files.size(); ++rank) {
        files[rank].keeper = static_cast<int>(keepers[rank]);
    }
    return {};
}

Result<int> rankWithOther(const Manifest& manifest, const RankContext& context, Strategy& strategy)
{
    if (!strategy.network()) {
        return -1;
    }
    double sum = static_cast<double>(manifest.step);
    for (const Manifest::File& file : manifest.files) {
        sum += static_cast<double>(file.crc32);
    }
    LOCKSTEP_TRY_ASSIGN(const auto sums, shared(sum, context, strategy));
    const auto other = std::ranges::find_if(sums, [&](double each) { return each != sums.front(); });
    return other == sums.end() ? -1 : static_cast<int>(other - sums.begin());
}

} // namespace lockstep::engine
